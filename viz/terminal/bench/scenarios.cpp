#include "viz/terminal/bench/scenarios.h"

#include <initializer_list>

#include "kernels/attention/support.h"
#include "sim/base/check.h"
#include "sim/programs/programs.h"

namespace terminal {
namespace {

/// Batch and heads for 16k tokens of hidden size 2,048. Source: Dao 2023, section 4.1.
std::string published_comparison(int d, std::initializer_list<int> lengths) {
  constexpr int tokens = 16384, hidden = 2048;
  std::string list;
  for (const int n : lengths) {
    for (const char* mask : {"", " --causal"}) {
      for (const char* pass : {"forward", "backward"}) {
        list += sim::text("--batch ", tokens / n, " --heads ", hidden / d, " --seqlen ", n, " --head-dim ", d, mask,
                          " --pass ", pass, "\n");
      }
    }
  }
  return list;
}

/// Lists the most wanted scenarios first, in case time runs out.
std::string published_comparison() {
  const auto is_long = {2048, 4096, 8192, 16384}, is_short = {512, 1024};
  return published_comparison(128, is_long) + published_comparison(64, is_long) + published_comparison(128, is_short) +
         published_comparison(64, is_short);
}

/// Scenarios of Dao et al. 2022, figure 2 and its caption.
constexpr std::string_view gpt2_medium = R"(--model gpt2-medium --batch 64 --seqlen 1024 --pass forward
--model gpt2-medium --batch 64 --seqlen 1024 --pass backward
--model gpt2-medium --batch 64 --seqlen 1024 --pass forward+backward
)";

/// Each family at the tiles that all ladder steps have.
std::string ladder() {
  std::string list;
  for (const char* mask : {"", " --causal"}) {
    const std::string scenario = sim::text("--batch 4 --heads 32 --seqlen 4096 --head-dim 64", mask);
    for (const char* kernel : {"flash2_mma_split_k", "flash2_mma"}) {
      list += scenario + " --br 64 --bc 64 --kernel " + kernel + "\n";
    }
    for (const char* kernel :
         {"flash2_mma_unswizzled", "flash2_mma_single_buffered", "flash2_mma_unmixed", "flash2_mma"}) {
      list += scenario + " --br 128 --bc 128 --kernel " + kernel + "\n";
    }
  }
  return list;
}

/// All tiles that flash2_mma is compiled for.
std::string tiles() {
  std::string list;
  for (const kernels::MmaTile& tile : kernels::flash2_mma_tiles) {
    for (const char* mask : {"", " --causal"}) {
      list += sim::text("--batch 4 --heads ", 2048 / tile.head_dim, " --seqlen 4096 --head-dim ", tile.head_dim, mask,
                        " --br ", tile.br, " --bc ", tile.bc, "\n");
    }
  }
  return list;
}

/// Sizes at which plain arithmetic takes milliseconds, and an N x N matrix fits.
std::string teaching() {
  std::string list;
  using namespace sim::programs;
  for (const std::string_view algorithm : {standard.name, flash1.name, flash2.name}) {
    for (const char* dtype : {"fp16", "fp32"}) {
      for (const char* pass : {"forward", "backward"}) {
        for (const char* shape : {"--batch 8 --seqlen 1024", "--batch 2 --seqlen 4096"}) {
          list += sim::text("--algorithm ", algorithm, " --kernel ", algorithm, " --heads 16 ", shape,
                            " --head-dim 64 --dtype ", dtype, " --pass ", pass, "\n");
        }
      }
    }
  }
  return list;
}

std::string forward_and_backward(const std::string& scenario) {
  return scenario + " --pass forward\n" + scenario + " --pass backward\n";
}

/// One query of 32 heads against a cache of 1k to 64k tokens, with keys shared by all, 4 or 32 query heads.
std::string decode() {
  std::string list;
  struct Cache {
    int tokens, batch;
  };
  for (const auto& [tokens, batch] : {Cache{1024, 16}, Cache{4096, 8}, Cache{16384, 2}, Cache{65536, 1}}) {
    for (const int kv_heads : {1, 8, 32}) {
      list += sim::text("--algorithm ", sim::programs::flash_decoding.name, " --batch ", batch,
                        " --heads 32 --kv-heads ", kv_heads, " --seqlen-q 1 --seqlen-k ", tokens, " --head-dim 128\n");
    }
  }
  return list +
         "--algorithm flash-decoding --batch 1 --heads 32 --seqlen-q 1 --seqlen-k 16384 --head-dim 128 --splits 4\n";
}

/// 16k tokens in entries of different lengths, the longest a half or a quarter, as links, since lengths contain blanks.
std::string ragged() {
  std::string list;
  for (const char* lengths : {"1%208192%208192,8%201024%201024", "1%204096%204096,4%201024%201024,64%20128%20128"}) {
    for (const char* pass : {"forward", "backward"}) {
      list += sim::text("seqlens=", lengths, "&heads=16&head-dim=128&causal=1&pass=", pass, "\n");
    }
  }
  return list;
}

/// Kinds that the other lists lack, each next to the default list's 2 x 16 heads of 8,192 tokens.
std::string families() {
  std::string list = decode();
  const std::string d128 = "--batch 2 --heads 16 --seqlen 8192 --head-dim 128",
                    d64 = "--batch 2 --heads 32 --seqlen 8192 --head-dim 64";
  for (const char* kv_heads : {"1", "4"}) list += forward_and_backward(d128 + " --causal --kv-heads " + kv_heads);
  list += forward_and_backward(d128 + " --kv-heads 4") + forward_and_backward(d64 + " --causal --kv-heads 8");
  for (const char* pattern : {"strided:2", "local-global:4,1", "butterfly"}) {
    list += forward_and_backward(
        sim::text("--algorithm ", sim::programs::flash2_block_sparse.name, " ", d64, " --pattern ", pattern));
  }
  for (const char* window : {"256", "1024"}) list += forward_and_backward(d128 + " --window " + window);
  list += forward_and_backward(d128 + " --dropout 0.1") + forward_and_backward(d64 + " --dropout 0.1");
  list += forward_and_backward("--batch 2 --heads 64 --seqlen 8192 --head-dim 32");
  list += forward_and_backward("--batch 2 --heads 8 --seqlen 8192 --head-dim 256");
  list += forward_and_backward("--batch 2 --heads 8 --seqlen 8192 --head-dim 256 --causal");
  list += ragged();
  for (const int n : {128, 256, 512}) {
    list += forward_and_backward(sim::text("--batch ", 16384 / n, " --heads 16 --head-dim 128 --causal --seqlen ", n));
  }
  return list + forward_and_backward(d128 + " --dtype bf16") + forward_and_backward(d64 + " --causal --dtype bf16");
}

}  // namespace

std::string bench_list(std::string_view name) {
  if (name == "default") return published_comparison() + std::string(gpt2_medium);
  if (name == "ladder") return ladder();
  if (name == "tiles") return tiles();
  if (name == "families") return families();
  return name == "teaching" ? teaching() : "";
}

const std::vector<std::string>& bench_lists() {
  static const std::vector<std::string> names = {"default", "ladder", "tiles", "teaching", "families"};
  return names;
}

}  // namespace terminal
