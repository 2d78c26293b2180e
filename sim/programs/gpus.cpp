#include "sim/programs/gpus.h"

#include "sim/base/check.h"
#include "sim/base/text.h"

namespace sim {
namespace {

constexpr std::string_view parallel_names[] = {"ring", "zigzag", "striped", "gather", "ulysses"};

/// An option that GPUs which share a sequence do not take, if it is given.
struct Refused {
  std::string_view option;
  bool given;
};

void refuse_options(const Scenario& s) {
  const Mask& mask = s.shape.mask;
  const Refused all[] = {{"window", mask.window.has_value() || mask.window_right.has_value()},
                         {"prefix", mask.prefix > 0},
                         {"documents", mask.documents != nullptr},
                         {"padding", mask.padding > 0},
                         {"pattern", s.pattern.any()},
                         {"dropout", s.dropout > 0},
                         {"seqlens", s.sequences != nullptr},
                         {"page-size", s.page_size.has_value()},
                         {"sink", s.sinks != nullptr},
                         {"alibi", s.score_steps.contains("alibi")},
                         {"score", s.score_steps.contains("score")}};
  for (const auto& [option, given] : all)
    require(!given, option, ": GPUs that share a sequence (--gpus ", s.gpus,
            ") run plain attention, causal or not: leave it out");
}

/// Each GPU owns as many tokens, or heads, as all others.
void require_even_shares(const Scenario& s) {
  const std::int64_t tokens = s.shape.seqlen_k, gpus = s.gpus;
  const std::int64_t parts = s.parallel == Parallel::zigzag ? 2 * gpus : gpus;
  require(tokens % parts == 0, "gpus: ", gpus, " GPUs do not share ", tokens, " tokens evenly by --parallel ",
          name_of(s.parallel), ": use a multiple of ", parts, " tokens");
  require(s.parallel != Parallel::ulysses || s.shape.kv_heads % gpus == 0, "gpus: ", gpus, " GPUs do not share ",
          s.shape.kv_heads, " KV heads evenly, which --parallel ulysses does: use a divisor, or --parallel ring");
}

}  // namespace

std::string_view name_of(Parallel parallel) { return parallel_names[static_cast<std::size_t>(parallel)]; }

void check_gpus(const Scenario& s) {
  require(s.pass == Pass::forward, "gpus: ", s.gpus, " run the forward pass alone: leave out --pass");
  refuse_options(s);
  require(s.dtype != Dtype::e4m3, "dtype: e4m3 has scales, which --gpus ", s.gpus, " does not send: use bf16");
  require(s.shape.seqlen_q == s.shape.seqlen_k, "gpus: ", s.gpus, " share as many queries as keys, and here are ",
          s.shape.seqlen_q, " queries and ", s.shape.seqlen_k, " keys: use --seqlen");
  require_even_shares(s);
  const DeviceSpec& gpu = *s.gpu;
  require(gpu.link_bytes_per_second > 0, "gpus: ", gpu.name, " has no link_bytes_per_second: give it as --gpu ",
          gpu.name, ":link_bytes_per_second=...");
}

}  // namespace sim
