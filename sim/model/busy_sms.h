// Number of SMs that get work, and the batch and heads that would occupy nearly all of them: a time on a mostly idle
// card reveals little about the algorithm.
#pragma once
#include <optional>

#include "sim/model/simulation.h"

namespace sim {

/// SMs that get a CTA of a kernel, of all SMs: min(CTAs, SMs). If several CTAs fit on an SM, a grid spreads over all
/// SMs before any gets a second one.
struct BusySms {
  std::int64_t busy = 0, all = 0;
  bool few() const { return 2 * busy < all; }               ///< fewer than half: worth a note
  bool nearly_all() const { return 10 * busy >= 9 * all; }  ///< nine tenths: the card is filled
};

/// SMs of the longest kernel, as for `bound_by`.
BusySms busy_sms(const Simulation& simulation);

/// SMs of one kernel.
BusySms busy_sms(const Simulation& simulation, const KernelMeters& kernel);

/// Number of CTAs that run concurrently on an SM that has the most of them: min(CTAs that fit, ⌈CTAs / SMs⌉).
std::int64_t ctas_side_by_side(const Simulation& simulation, const KernelMeters& kernel);

/// Batch entries and query heads, with KV heads in proportion.
struct BatchAndHeads {
  std::int64_t batch = 1, heads = 1;
};

/// Returns the smallest batch, a power of two times that of the runs, at which nearly all SMs are busy in each of the
/// runs, with 32 heads if they have one. Found by simulation: empty if that batch exceeds the memory of the GPU, is
/// impossible or is more than 1,024 times the batch. Cost: some simulations of each run.
std::optional<BatchAndHeads> batch_that_fills(const std::vector<Simulation>& runs);

}  // namespace sim
