// Catalogue entry of fmha.
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"

namespace sim {

std::vector<Launch> fmha_forward_launches(const Problem& p);
std::vector<Launch> fmha_backward_launches(const Problem& p);
std::span<const NamedForm> fmha_forms();

namespace {

constexpr std::int64_t most_keys = 512, only_head_dim = 64;

/// 16 query rows against all keys, both passes. Source: Apex, contrib/fmha, FMHA_kernel_traits<N, 64, 16, ...>.
constexpr Tiling fmha_tiling(const TilingCase& c) { return {16, c.seqlen_k}; }

/// Checks the limits of Apex's kernels; their lengths were 128, 256, 384 and 512, padded.
void check_fmha(const Scenario& s) {
  const Shape& shape = s.shape;
  require(s.dtype != Dtype::fp32, "dtype: fp32 is not in fmha, which is written for tensor cores: fp16 or bf16");
  require(shape.head_dim == only_head_dim, "head-dim: ", shape.head_dim, " is not the ", only_head_dim, " of fmha");
  require_one_head_dim(s, "fmha");
  for (const auto& [option, length] : {std::pair{"seqlen-q", shape.seqlen_q}, {"seqlen-k", shape.seqlen_k}}) {
    require(length <= most_keys, option, ": ", length, " is more than the ", most_keys,
            " of fmha, which keeps all keys of a head on chip: 1..", most_keys);
  }
}

}  // namespace

constinit const Program programs::fmha = {
    .name = "fmha",
    .title = /*say*/ "Fused attention of Apex",
    .short_title = /*say*/ "FMHA",
    .summary = "one fused kernel for at most 512 keys: P goes to HBM once, for the backward pass",
    .typed = "apex fmha, apex, fused multi-head attention",
    .forward = {"programs/fmha/fmha.cpp", "Apex, contrib/fmha; Dao et al. 2022, appendix E.4", fmha_tiling,
                fmha_forward_launches},
    .backward = {"programs/fmha/fmha_backward.cpp", "Apex, contrib/fmha", fmha_tiling, fmha_backward_launches},
    .forms = fmha_forms,
    .whole_rows = true,
    .check = check_fmha};

}  // namespace sim
