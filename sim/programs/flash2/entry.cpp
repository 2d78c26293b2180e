// flash2 and flash2-block-sparse: what the catalogue knows of them.
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"

namespace sim {

std::vector<Launch> flash2_forward_launches(const Problem& p);
std::vector<Launch> flash2_backward_launches(const Problem& p);
std::span<const NamedForm> flash2_forms();

namespace {

constexpr Footprint flash2_footprint{{1, 0}, {1, 1}, 1, {0, 1}, {0, 0}};  // Q_i      | K_j, V_j | S | O_i
constexpr Footprint flash2_backward_footprint{
    {1, 1}, {1, 1}, 2, {1, 0}, {1, 1}};  // Q, dO        | K, V | P, dP | dQ | dK, dV

/// FlashAttention-2 backward: for tensor cores 128 query rows (64 for d > 64) and 128 keys, and 64 x 64 for d > 96
/// where a CTA has less than 144 KiB, as the published kernels choose (flash_bwd_launch_template.h: all of sm_86, sm_89
/// and sm_120); 64 x 64 in fp32, under a pattern for d <= 64 alone: 32 x 32 above.
constexpr Tiling flash2_backward_tiling(const TilingCase& c) {
  const bool little = c.d() > 96 && c.chip.smem < std::int64_t{144} << 10;
  const Tiling half = c.d() <= 64 ? Tiling{128, 128} : Tiling{64, little ? 64 : 128};
  const Tiling single = c.pattern && c.d() > 64 ? Tiling{32, 32} : Tiling{64, 64};
  const Footprint footprint = with_derivatives(flash2_backward_footprint, c.sloped);
  return shrink(footprint, c.element_bytes == 4 ? single : half, c.element_bytes, c.dims, c.chip);
}

/// Tiles for d from 97 to 128: 128 x 64; on sm_86 and sm_89 128 x 32, of which two CTAs fit an SM, or under the causal
/// mask without dropout 64 x 64, as the published kernels choose (flash_fwd_launch_template.h, run_mha_fwd_hdim128).
constexpr Tiling d128_tiling(const TilingCase& c) {
  if (c.architecture != "sm_86" && c.architecture != "sm_89") return {128, 64};
  return c.causal && !c.windowed && !c.dropout ? Tiling{64, 64} : Tiling{128, 32};
}

/// FlashAttention-2 forward. fp16/bf16 (tensor cores): 128 x 128 for d <= 64, 128 x 64 for d <= 96, d128_tiling() for
/// d <= 128, 64 x 64 above, as the published kernels choose; fp32 (teaching kernel): 64 x 64 for d <= 64, 32 x 32
/// above. Under a pattern, which has blocks of one size for both passes, those of the backward pass, which takes more
/// space.
constexpr Tiling flash2_forward_tiling(const TilingCase& c) {
  if (c.pattern) return flash2_backward_tiling(c);
  const Tiling up_to_128 = c.d() <= 96 ? Tiling{128, 64} : d128_tiling(c);
  const Tiling half = c.d() <= 64 ? Tiling{128, 128} : c.d() <= 128 ? up_to_128 : Tiling{64, 64};
  const Tiling single = c.d() <= 64 ? Tiling{64, 64} : Tiling{32, 32};
  return shrink(flash2_footprint, c.element_bytes == 4 ? single : half, c.element_bytes, c.dims, c.chip);
}

constexpr OwnOption flash2_options[] = {
    {.name = "keys",
     .values = "up|down|sawtooth",
     .help =
         "of flash2, forward: the order of a CTA's key blocks: from the first, from the last, or sawtooth: from the "
         "first in even waves of CTAs, from the last in odd ones [up]",
     .label = /*say*/ "keys",
     .note = /*say*/ "the order of key blocks, for flash2 forward",
     .of_words = true,
     .forward_only = true}};

void check_keys(const Scenario& s) {
  const bool turns = own_value(s, "keys") == static_cast<std::int64_t>(BlockOrder::sawtooth);
  require(!turns || s.sequences == nullptr,
          "keys: sawtooth turns after a wave of CTAs of one length: leave out --seqlens, or take up or down");
}

constexpr Program dense = {
    .name = "flash2",
    .title = /*say*/ "FlashAttention-2",
    .short_title = /*say*/ "Flash-2",
    .summary = "one fused kernel, Q outside: O stays in registers, K and V stream past",
    .typed = "fa2, flash attention 2, flash attention v2",
    .forward = {"programs/flash2/flash2.cpp", "Dao 2023, Algorithm 1", flash2_forward_tiling, flash2_forward_launches},
    .backward = {"programs/flash2/flash2_backward.cpp", "Dao 2023, Algorithm 2", flash2_backward_tiling,
                 flash2_backward_launches},
    .forms = flash2_forms,
    .half_kernel = "flash2_mma",
    .main_loop = "flash2_mma",
    .head_dims = flash2_head_dims,
    .timed_as = "flash2_mma",
    .check = check_keys,
    .options = flash2_options,
    .pattern = PatternUse::if_given,
    .under_pattern = "flash2-block-sparse",
    .ragged = true,
    .paged = true,
    .gpus = true,
    .score_steps = true,
    .sinks = true};

/// Returns flash2 that always reads a pattern; without --pattern it is one of visible blocks alone.
constexpr Program reading_pattern() {
  Program program = dense;
  program.name = dense.under_pattern;
  program.title = /*say*/ "Block-sparse FlashAttention-2";
  program.short_title = /*say*/ "Sparse Flash-2";
  program.summary = "flash2 that skips the blocks a pattern hides";
  program.typed = "block-sparse flash attention 2, blocksparse flash2, bs-fa2";
  program.half_kernel = "flash2-block-sparse_mma";
  program.main_loop = {};
  program.timed_as = {};
  program.options = {};
  program.check = nullptr;
  program.pattern = PatternUse::of_tiles;
  program.under_pattern = {};
  program.ragged = program.gpus = false;
  return program;
}

}  // namespace

constinit const Program programs::flash2 = dense;
constinit const Program programs::flash2_block_sparse = reading_pattern();

}  // namespace sim
