// Catalogue entries of flash1-released and flash1-released-1.
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"
#include "sim/programs/published_memory.h"

namespace sim {

std::vector<Launch> flash1_released_forward_launches(const Problem& p);
std::vector<Launch> flash1_released_backward_launches(const Problem& p);
std::span<const NamedForm> flash1_released_forms();
PublishedMemory flash1_released_memory(const Plan& plan);

namespace {

/// FlashAttention-1 as released: 16 query rows and 256 keys; 128 keys for short sequences and where registers are
/// scarce. Source: fmha_api.cpp of flash-attention 0.2 (blocksize_c). Later GPUs count as sm_80.
constexpr Tiling flash1_released_tiling(const TilingCase& c, bool backward) {
  const bool turing = c.architecture == "sm_75";
  const bool sm80 = !turing && c.architecture != "sm_86" && c.architecture != "sm_89";
  const bool dropout_or_backward = c.dropout || backward;  // with dropout, the forward pass takes the backward's tiles
  const bool wide = c.d() > 64 && (dropout_or_backward || !sm80), old = turing && c.d() > 32 && dropout_or_backward;
  return {16, c.seqlen_k <= 128 || wide || old ? 128 : 256};
}

constexpr Tiling forward_tiling(const TilingCase& c) { return flash1_released_tiling(c, false); }
constexpr Tiling backward_tiling(const TilingCase& c) { return flash1_released_tiling(c, true); }

/// Checks the limits of the released code, and the needs of its first pass over the queries. Source of the limit of the
/// backward pass, independent of the card's shared memory: mha_bwd of fmha_api.cpp, flash-attention 0.2 to 1.0 (issues
/// 190, 228).
void check_released(const Scenario& s) {
  const Shape& shape = s.shape;
  require(s.dtype != Dtype::fp32, "dtype: fp32 is not in the released code of flash1: fp16 or bf16");
  require(shape.head_dim <= 128, "head-dim: ", shape.head_dim, " is more than the 128 of the released code of flash1");
  require_one_head_dim(s, "the released code of flash1");
  const bool older = s.gpu->architecture == "sm_70" || !s.gpu->architecture.starts_with("sm_");
  require(!older || s.gpu->architecture == "toy", "tiling: the released code of flash1 is of sm_75 and later, not of ",
          s.gpu->name, " (", s.gpu->architecture, "): leave out --tiling released");
  const bool large = s.gpu->architecture == "sm_80" || s.gpu->architecture == "sm_90";
  require(large || shape.head_dim <= 64 || s.pass == Pass::forward, "head-dim: ", shape.head_dim,
          " is more than the 64 that the released code of flash1 ran backward on ", s.gpu->name, " (",
          s.gpu->architecture, "): up to 128 on sm_80 and sm_90 alone, as --gpu a100-sxm-40gb or h100-sxm, or use ",
          "--pass forward");
  require(shape.kv_heads == shape.heads, "kv-heads: ", shape.kv_heads, " for ", shape.heads,
          " heads: the released code of flash1 has no grouped heads, kv-heads = heads");
  const auto lacks = [](bool given, std::string_view option) {
    require(!given, option,
            ": is not in the released code of flash1, which has the causal mask and padding: leave out ",
            "--tiling released");
  };
  lacks(shape.mask.window_right.has_value(), "window");
  lacks(shape.mask.prefix > 0, "prefix");
  lacks(shape.mask.documents != nullptr, "documents");
  require(shape.visible(0, 0) && shape.visible(shape.seqlen_q - 1, 0), "mask: a query does not see the first key, but ",
          "the released code of flash1 begins every row there: no --window, --padding below ", shape.seqlen_k,
          ", and with --causal no more queries than keys");
}

constexpr Program released = {
    .name = "flash1-released",
    .title = /*say*/ "FlashAttention-1 as released",
    .summary = "flash1 as in its code of 2022: O in fp32 and L between the passes over the queries",
    .forward = {"programs/flash1_released/flash1_released.cpp", "flash-attention 0.2, 2022", forward_tiling,
                flash1_released_forward_launches},
    .backward = {"programs/flash1_released/flash1_released_backward.cpp", "flash-attention 0.2, 2022", backward_tiling,
                 flash1_released_backward_launches},
    .forms = flash1_released_forms,
    .check = check_released,
    .published_memory = flash1_released_memory,
    .variant_of = "flash1",
    .rule = TilingRule::released,
    .score_steps = true};

/// Program of version 1 of the released code.
constexpr Program with_shared_heads() {
  Program program = released;
  program.name = "flash1-released-1";
  program.title = /*say*/ "FlashAttention-1 as released, version 1";
  program.summary = "version 1 of that code: several CTAs share a head if heads are few";
  program.rule = TilingRule::released_1;
  program.shares_heads = true;
  return program;
}

}  // namespace

constinit const Program programs::flash1_released = released;
constinit const Program programs::flash1_released_1 = with_shared_heads();

}  // namespace sim
