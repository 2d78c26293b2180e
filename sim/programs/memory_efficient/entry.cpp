// Catalogue entry of memory-efficient: appendix B of the FlashAttention paper, neither the algorithm of Rabe and Staats
// nor the fused kernel of this name in xFormers and PyTorch.
#include "sim/programs/programs.h"

namespace sim {

std::vector<Launch> memory_efficient_forward_launches(const Problem& p);
std::vector<Launch> memory_efficient_backward_launches(const Problem& p);
std::span<const NamedForm> memory_efficient_forms();

namespace {

/// Tiles on chip at a time: Q_i | K_j, V_j | S | O_i
constexpr Footprint memory_efficient_footprint{{1, 0}, {1, 1}, 1, {0, 1}, {0, 0}};

/// One query row (or, for dK and dV, one key) at a time; the other axis is processed in blocks of up to 128.
constexpr Tiling memory_efficient_tiling(const TilingCase& c) {
  Tiling t{1, 128};
  while (!fits(memory_efficient_footprint, t, c.element_bytes, c.dims, c.chip) && t.bc > 1) t.bc /= 2;
  return t;
}

}  // namespace

constinit const Program programs::memory_efficient = {
    .name = "memory-efficient",
    .title = /*say*/ "Memory-efficient attention after Dao et al.",
    .short_title = /*say*/ "Mem-eff",
    .summary = "appendix B.1 of the FlashAttention paper, one query row at a time: O(N) memory, quadratic traffic",
    .typed = "memory-efficient attention",
    .forward = {"programs/memory_efficient/memory_efficient.cpp", "Dao et al. 2022, appendix B.1",
                memory_efficient_tiling, memory_efficient_forward_launches},
    .backward = {"programs/memory_efficient/memory_efficient_backward.cpp", "Dao et al. 2022, appendix B.2",
                 memory_efficient_tiling, memory_efficient_backward_launches},
    .forms = memory_efficient_forms,
    .row_at_a_time = true,
    .score_steps = true};

}  // namespace sim
