// Catalogue entry of flash1.
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"
#include "sim/programs/published_memory.h"

namespace sim {

std::vector<Launch> flash1_forward_launches(const Problem& p);
std::vector<Launch> flash1_backward_launches(const Problem& p);
std::span<const NamedForm> flash1_forms();
PublishedMemory flash1_memory(const Plan& plan);

namespace {

constexpr Footprint flash1_footprint{{1, 1}, {1, 1}, 1, {0, 1}, {0, 0}};  // Q_i, O_i | K_j, V_j | S | PV
constexpr Footprint flash1_backward_footprint{
    {2, 2}, {1, 1}, 3, {0, 0}, {1, 1}};  // Q, O, dO, dQ | K, V | P, P_d, dP | dK, dV

/// FlashAttention-1 backward: 64 x 64.
constexpr Tiling flash1_backward_tiling(const TilingCase& c) {
  return shrink(with_derivatives(flash1_backward_footprint, c.sloped), Tiling{64, 64}, c.element_bytes, c.dims, c.chip);
}

/// FlashAttention-1 forward: 64 query rows; up to 128 keys, as many as fit with the scores. Under a pattern, which has
/// blocks of one size for both passes, the tiles of the backward pass, which takes more space.
constexpr Tiling flash1_forward_tiling(const TilingCase& c) {
  if (c.pattern) return flash1_backward_tiling(c);
  const Tiling wide = c.d() <= 64 ? Tiling{64, 128} : Tiling{64, 64};
  return shrink(flash1_footprint, c.element_bytes == 4 ? Tiling{64, 64} : wide, c.element_bytes, c.dims, c.chip);
}

constexpr Program flash1_alone = {.name = "flash1",
                                  .title = /*say*/ "FlashAttention-1",
                                  .short_title = /*say*/ "Flash-1",
                                  .summary = "one fused kernel, K and V outside: O, l and m move in every step",
                                  .typed = "fa1, flash attention 1, flash attention v1",
                                  .forward = {"programs/flash1/flash1.cpp", "Dao et al. 2022, Algorithms 1 and 2",
                                              flash1_forward_tiling, flash1_forward_launches},
                                  .backward = {"programs/flash1/flash1_backward.cpp", "Dao et al. 2022, Algorithm 4",
                                               flash1_backward_tiling, flash1_backward_launches},
                                  .forms = flash1_forms,
                                  .pattern = PatternUse::if_given,
                                  .under_pattern = "block-sparse",
                                  .published_memory = flash1_memory,
                                  .ragged = true,
                                  .score_steps = true};

/// Returns flash1 that always reads a pattern; without --pattern it is one of visible blocks alone.
constexpr Program flash1_under_pattern() {
  Program program = flash1_alone;
  program.name = flash1_alone.under_pattern;
  program.title = /*say*/ "Block-sparse FlashAttention";
  program.short_title = /*say*/ "Block-sparse";
  program.summary = "flash1 that skips the blocks a pattern hides; K and V are read whole";
  program.typed = "block-sparse flash attention, blocksparse flash1, bs-fa, sparse";
  program.forward.source = "Dao et al. 2022, Algorithm 5";
  program.backward.source = "Dao et al. 2022, Algorithms 4 and 5";
  program.pattern = PatternUse::of_tiles;
  program.under_pattern = {};
  program.published_memory = nullptr;
  program.ragged = false;
  return program;
}

}  // namespace

constinit const Program programs::flash1 = flash1_alone;
constinit const Program programs::block_sparse = flash1_under_pattern();

}  // namespace sim
