// The built-in list of `flashscope verify --scenarios default`.
#include "viz/terminal/verify/scenario_list.h"

namespace terminal {
namespace {

constexpr std::string_view default_list =
    R"(# passes and dtypes of every family of kernels; 130 rows are two tiles of 64 and a tail of 2
--algorithm standard --seqlen 130 --head-dim 32
--algorithm standard --seqlen 130 --head-dim 32 --dtype bf16 --pass backward
--algorithm standard --seqlen 100 --head-dim 40 --dtype fp32 --pass forward+backward
--algorithm flash1   --seqlen 130 --head-dim 32
--algorithm flash1   --seqlen 130 --head-dim 32 --dtype bf16 --pass backward
--algorithm flash1   --seqlen 100 --head-dim 40 --dtype fp32 --pass forward+backward
--algorithm flash2   --seqlen 130 --head-dim 32 --dtype fp32
--algorithm flash2   --seqlen 130 --head-dim 32 --dtype fp32 --pass backward
--algorithm flash2   --seqlen 100 --head-dim 40 --dtype fp32 --pass forward+backward
--algorithm flash2   --seqlen 130 --head-dim 32 --dtype bf16 --kernel flash2
--algorithm flash2   --seqlen 300
--algorithm flash2   --seqlen 300 --dtype bf16 --head-dim 128
--algorithm flash2   --seqlen 200 --pass backward
--algorithm flash2   --seqlen 200 --dtype bf16 --pass forward+backward
--algorithm flash-decoding --seqlen-q 1 --seqlen-k 200 --head-dim 32 --dtype fp32 --splits 3
--algorithm flash-decoding --seqlen-q 3 --seqlen-k 1100 --splits 3
--algorithm flash-decoding --seqlen-q 20 --seqlen-k 700 --head-dim 128 --dtype bf16 --splits 1
--algorithm flash-decoding --seqlen-q 70 --seqlen-k 130 --head-dim 32 --heads 200 --batch 2
--algorithm flash2-block-sparse --seqlen 150 --head-dim 32 --dtype fp32 --pass forward+backward --pattern random:0.5
--algorithm flash2-block-sparse --seqlen 400 --pattern strided:2
--algorithm flash2-block-sparse --seqlen 300 --dtype bf16 --pattern local-global:1,0 --pass backward
--algorithm flash2-block-sparse --seqlen 130 --head-dim 32 --kernel flash2-block-sparse --pattern causal

# masks: the diagonal, hidden keys, a window, and queries that see nothing
--algorithm standard --seqlen 130 --head-dim 32 --causal --pass forward+backward
--algorithm standard --seqlen-q 70 --seqlen-k 101 --head-dim 32 --causal --padding 3 --window 33
--algorithm flash1   --seqlen 130 --head-dim 32 --causal --pass forward+backward
--algorithm flash1   --seqlen-q 70 --seqlen-k 101 --head-dim 32 --causal --padding 3 --window 33
--algorithm flash1   --seqlen-q 101 --seqlen-k 70 --head-dim 32 --causal
--algorithm flash2   --seqlen 130 --head-dim 32 --dtype fp32 --causal --pass forward+backward
--algorithm flash2   --seqlen-q 101 --seqlen-k 70 --head-dim 32 --dtype fp32 --causal --pass forward+backward
--algorithm flash2   --seqlen 300 --causal
--algorithm flash2   --seqlen-q 170 --seqlen-k 301 --causal --padding 3 --window 33
--algorithm flash2   --seqlen 200 --causal --window 40 --pass forward+backward
--algorithm flash2   --seqlen-q 201 --seqlen-k 130 --causal --dtype bf16 --pass forward+backward
--algorithm flash-decoding --seqlen-q 5 --seqlen-k 90 --head-dim 32 --dtype fp32 --causal --padding 3 --window 33 --splits 2
--algorithm flash-decoding --seqlen-q 600 --seqlen-k 550 --causal --padding 7 --splits 3
--algorithm flash2-block-sparse --seqlen-q 300 --seqlen-k 260 --br 64 --bc 64 --causal --padding 3 --window 99 --pattern butterfly --pass forward+backward

# batches and grouped heads
--algorithm standard --batch 2 --heads 4 --kv-heads 2 --seqlen 40 --head-dim 16 --pass forward+backward
--algorithm flash1   --batch 2 --heads 4 --kv-heads 2 --seqlen 40 --head-dim 16 --pass forward+backward
--algorithm flash2   --batch 2 --heads 4 --kv-heads 2 --seqlen 40 --head-dim 16 --pass forward+backward --dtype fp32
--algorithm flash2   --batch 2 --heads 4 --kv-heads 1 --seqlen 100 --pass forward+backward
--algorithm flash-decoding --batch 2 --heads 8 --kv-heads 2 --seqlen-q 1 --seqlen-k 600 --splits 2
--algorithm flash-decoding --batch 2 --heads 8 --kv-heads 2 --seqlen-q 1 --seqlen-k 600 --splits 2 --pack 0
--algorithm flash2-block-sparse --batch 2 --heads 4 --kv-heads 1 --seqlen 200 --pattern window:0 --pass forward+backward

# batch entries of different lengths
algorithm=flash2&seqlens=2%2020%2033,1%2070%20130,3%201%2040&head-dim=32&dtype=fp32&heads=4&kv-heads=2&causal=1&pass=forward%2Bbackward
algorithm=flash2&seqlens=1%20300%20300,2%2065%20200&heads=2&issue=longest&pass=forward%2Bbackward

# dropout
--algorithm standard --seqlen 70 --head-dim 32 --dropout 0.2 --pass forward+backward
--algorithm flash1   --seqlen 70 --head-dim 32 --dropout 0.2 --pass forward+backward
--algorithm flash2   --seqlen 70 --head-dim 32 --dropout 0.2 --pass forward+backward --dtype fp32
--algorithm flash2   --seqlen 150 --dropout 0.2 --causal --pass forward+backward
--algorithm flash-decoding --seqlen-q 4 --seqlen-k 100 --head-dim 32 --dtype fp32 --dropout 0.2 --splits 2
--algorithm flash2-block-sparse --seqlen 150 --head-dim 32 --dtype fp32 --dropout 0.2 --pattern strided:2 --pass forward+backward

# one row, one key, other tiles, another scale
--algorithm standard --seqlen 1 --head-dim 8
--algorithm flash1   --seqlen-q 1 --seqlen-k 70 --head-dim 8 --br 16 --bc 32
--algorithm flash2   --seqlen-q 70 --seqlen-k 1 --head-dim 8 --dtype fp32 --br 16 --bc 48
--algorithm flash2   --seqlen 1
--algorithm flash2   --seqlen 300 --gpu a100-sxm-40gb --head-dim 96 --scale 0.25
)";

}  // namespace

std::string_view default_scenarios() { return default_list; }

}  // namespace terminal
