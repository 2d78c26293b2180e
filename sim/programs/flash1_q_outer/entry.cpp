// Catalogue entry of flash1-q-outer.
#include "sim/programs/programs.h"

namespace sim {

std::vector<Launch> flash1_q_outer_launches(const Problem& p);
std::span<const NamedForm> flash1_q_outer_forms();

namespace {

constexpr Footprint flash1_q_outer_footprint{{1, 0}, {1, 1}, 1, {0, 2}, {0, 0}};  // Q_i | K_j, V_j | S | O_i, PV

/// Tiles of flash1, so that only the order of the loops differs.
constexpr Tiling flash1_q_outer_tiling(const TilingCase& c) {
  const Tiling wide = c.d() <= 64 ? Tiling{64, 128} : Tiling{64, 64};
  return shrink(flash1_q_outer_footprint, c.element_bytes == 4 ? Tiling{64, 64} : wide, c.element_bytes, c.dims,
                c.chip);
}

}  // namespace

constinit const Program programs::flash1_q_outer = {
    .name = "flash1-q-outer",
    .title = /*say*/ "FlashAttention-1 with Q outside",
    .short_title = /*say*/ "Flash-1, Q outside",
    .summary = "flash1 with its loops turned round: the values of flash1, the traffic of flash2",
    .typed = "fa1 q outer, flash1 q outside",
    .forward = {"programs/flash1_q_outer/flash1_q_outer.cpp", "Dao et al. 2022, Algorithm 1, loops exchanged",
                flash1_q_outer_tiling, flash1_q_outer_launches},
    .forms = flash1_q_outer_forms,
    .score_steps = true};

}  // namespace sim
