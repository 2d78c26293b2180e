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

# batches and grouped heads
--algorithm standard --batch 2 --heads 4 --kv-heads 2 --seqlen 40 --head-dim 16 --pass forward+backward
--algorithm flash1   --batch 2 --heads 4 --kv-heads 2 --seqlen 40 --head-dim 16 --pass forward+backward
--algorithm flash2   --batch 2 --heads 4 --kv-heads 2 --seqlen 40 --head-dim 16 --pass forward+backward --dtype fp32
--algorithm flash2   --batch 2 --heads 4 --kv-heads 1 --seqlen 100 --pass forward+backward

# dropout
--algorithm standard --seqlen 70 --head-dim 32 --dropout 0.2 --pass forward+backward
--algorithm flash1   --seqlen 70 --head-dim 32 --dropout 0.2 --pass forward+backward
--algorithm flash2   --seqlen 70 --head-dim 32 --dropout 0.2 --pass forward+backward --dtype fp32
--algorithm flash2   --seqlen 150 --dropout 0.2 --causal --pass forward+backward

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
