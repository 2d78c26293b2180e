// Catalogue entry of flash1.
#include "sim/programs/programs.h"
#include "sim/programs/published_memory.h"
#include "sim/programs/scenario.h"

namespace sim {

std::vector<Launch> flash1_forward_launches(const Problem& p);
std::vector<Launch> flash1_backward_launches(const Problem& p);
std::span<const NamedForm> flash1_forms();
PublishedMemory flash1_memory(const Plan& plan);

namespace {

constexpr Footprint flash1_footprint{2, 2, 1, 1, 0};           // Q_i, O_i | K_j, V_j | S | PV
constexpr Footprint flash1_backward_footprint{4, 2, 3, 0, 2};  // Q, O, dO, dQ | K, V | P, P_d, dP | dK, dV

/// FlashAttention-1 forward: 64 query rows; up to 128 keys, as many as fit with the scores.
constexpr Tiling flash1_forward_tiling(const TilingCase& c) {
  const Tiling wide = c.d <= 64 ? Tiling{64, 128} : Tiling{64, 64};
  return shrink(flash1_footprint, c.element_bytes == 4 ? Tiling{64, 64} : wide, c.element_bytes, c.d, c.chip);
}

/// FlashAttention-1 backward: 64 x 64.
constexpr Tiling flash1_backward_tiling(const TilingCase& c) {
  return shrink(flash1_backward_footprint, Tiling{64, 64}, c.element_bytes, c.d, c.chip);
}

}  // namespace

constinit const Program programs::flash1 = {
    .name = "flash1",
    .title = /*say*/ "FlashAttention-1",
    .short_title = /*say*/ "Flash-1",
    .summary = "one fused kernel, K and V outside: O, l and m move in every step",
    .typed = "fa1, flash attention 1, flash attention v1",
    .forward = {"programs/flash1/flash1.cpp", "Dao et al. 2022, Algorithms 1 and 2", flash1_forward_tiling,
                flash1_forward_launches},
    .backward = {"programs/flash1/flash1_backward.cpp", "Dao et al. 2022, Algorithm 4", flash1_backward_tiling,
                 flash1_backward_launches},
    .forms = flash1_forms,
    .published_memory = flash1_memory,
    .ragged = true};

}  // namespace sim
