// flash2-released: FlashAttention-2 as its library runs it. The loops are flash2's, with the library's tiles and its
// order of keys, from the last block to the first. Its times take the library's own instruction counts
// (sim/model/compiled_kernels.h).
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"

namespace sim {

std::vector<Launch> flash2_forward_launches(const Problem& p);
std::vector<Launch> flash2_backward_launches(const Problem& p);
std::span<const NamedForm> flash2_forms();

namespace {

constexpr std::int64_t kib = 1024;

bool is_sm8x(const TilingCase& c) { return c.architecture == "sm_86" || c.architecture == "sm_89"; }

/// Forward tiles. Source: flash-attention 2.8, flash_fwd_launch_template.h, run_mha_fwd_hdim32 to 256.
Tiling library_forward_tiling(const TilingCase& c) {
  if (c.d() <= 32) return {128, 128};
  if (c.d() <= 64) return {128, c.dropout ? 64 : 128};
  const Tiling square{64, 64};
  if (c.d() <= 96) return is_sm8x(c) && c.causal ? square : Tiling{128, 64};
  if (c.d() <= 128 && c.dropout) return {128, 32};
  if (c.d() <= 128 && is_sm8x(c)) return c.causal ? square : Tiling{128, 32};
  if (c.d() <= 128) return {128, 64};
  if (c.d() <= 192) return c.dropout ? square : Tiling{128, 64};
  // 128 rows where a CTA of them fits and an SM has no space for two CTAs of 64 rows, as on sm_80.
  return c.chip.smem >= 128 * kib && c.chip.smem < 192 * kib ? Tiling{128, 64} : square;
}

/// Backward tiles. Source: flash-attention 2.8, flash_bwd_launch_template.h, run_mha_bwd_hdim32 to 256: smaller ones
/// where a CTA has little shared memory.
Tiling library_backward_tiling(const TilingCase& c) {
  const bool large = c.chip.smem >= 144 * kib;
  if (c.d() <= 32) return {128, 128};
  if (c.d() <= 64) return {large ? 128 : 64, 128};
  if (c.d() <= 96) return {64, 128};
  if (c.d() <= 128) return {64, large ? 128 : 64};
  return {64, c.d() > 192 && !large ? 32 : 64};
}

/// CTAs of 128 rows have eight warps instead of four where d is above 128.
std::vector<Launch> library_forward_launches(const Problem& p) {
  std::vector<Launch> launches = flash2_forward_launches(p);
  if (p.kernel_dims.qk > 128 && p.tiling.br == 128) launches.front().threads = 256;
  return launches;
}

constexpr OwnOption library_options[] = {{.name = "keys",
                                          .values = "up|down|sawtooth",
                                          .preset = static_cast<std::int64_t>(BlockOrder::down),
                                          .of_words = true,
                                          .forward_only = true}};

/// Limits of the library. Source: flash-attention 2.8, flash_api.cpp, mha_fwd and mha_bwd.
void check_library(const Scenario& s) {
  const Shape& shape = s.shape;
  const std::string& sm = s.gpu->architecture;
  require(s.dtype != Dtype::fp32, "dtype: fp32 is not in FlashAttention-2's library: fp16 or bf16");
  require(shape.head_dim <= 256, "head-dim: ", shape.head_dim, " is more than the 256 of FlashAttention-2's library");
  require_one_head_dim(s, "FlashAttention-2's library");
  const bool old = !sm.starts_with("sm_") || sm == "sm_70" || sm == "sm_75";
  require(!old || sm == "toy", "tiling: FlashAttention-2's library is of sm_80 and later, not of ", s.gpu->name, " (",
          sm, "): leave out --tiling released");
  const auto lacks = [](bool given, std::string_view option, std::string_view what) {
    require(!given, option, ": is not in FlashAttention-2's library, ", what, ": leave out --tiling released");
  };
  lacks(shape.mask.prefix > 0, "prefix", /*say*/ "which has windows and the causal mask");
  lacks(shape.mask.documents != nullptr, "documents", /*say*/ "which takes documents as --seqlens");
  lacks(shape.mask.diagonal == DiagonalFrom::top_left, "causal-from",
        /*say*/ "which aligns the diagonal bottom-right since version 2.1");
  require(s.pass == Pass::forward || shape.kv_heads == shape.heads, "kv-heads: ", shape.kv_heads, " for ", shape.heads,
          " heads: backward, FlashAttention-2's library sums dK and dV of a group in other kernels, which are not ",
          "simulated: leave out --tiling released, or use --pass forward");
  require(s.pass == Pass::forward || s.dropout == 0 || shape.head_dim <= 192 || s.gpu->smem_bytes_per_cta >= 144 * kib,
          "dropout: FlashAttention-2's library has no backward pass with dropout for a head-dim above 192 on ",
          s.gpu->name, ": leave out --dropout");
}

}  // namespace

constinit const Program programs::flash2_released = {
    .name = "flash2-released",
    .title = /*say*/ "FlashAttention-2 as released",
    .summary = "flash2 as in its library: the library's tiles and instructions, key blocks from the last to the first",
    .forward = {"programs/flash2/flash2.cpp", "Dao 2023, Algorithm 1; flash-attention 2.8", library_forward_tiling,
                library_forward_launches},
    .backward = {"programs/flash2/flash2_backward.cpp", "Dao 2023, Algorithm 2; flash-attention 2.8",
                 library_backward_tiling, flash2_backward_launches},
    .forms = flash2_forms,
    .main_loop = "flash-attention-2",
    .head_dims = flash2_head_dims,
    .timed_as = "pytorch-flash",
    .check = check_library,
    .options = library_options,
    .variant_of = "flash2",
    .rule = TilingRule::released,
    .ragged = true,
    .gpus = true,
    .score_steps = true};

}  // namespace sim
