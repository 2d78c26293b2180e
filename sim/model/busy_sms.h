// How many SMs get work, and what batch and heads would give work to nearly all: a time on a card that stands idle says
// little of the algorithm.
#pragma once
#include <optional>

#include "sim/model/simulation.h"

namespace sim {

/// SMs that get a CTA of a kernel, of all: min(CTAs, SMs). Where several CTAs fit on an SM, a grid spreads over the SMs
/// before it doubles up on any.
struct BusySms {
  std::int64_t busy = 0, all = 0;
  bool few() const { return 2 * busy < all; }               ///< fewer than half: worth a word
  bool nearly_all() const { return 10 * busy >= 9 * all; }  ///< nine tenths: the card is filled
};

/// Of the kernel that takes longest, as `bound_by`.
BusySms busy_sms(const Simulation& simulation);

/// The same for one kernel.
BusySms busy_sms(const Simulation& simulation, const KernelMeters& kernel);

/// CTAs that run side by side on an SM that has the most of them: min(CTAs that fit, ⌈CTAs / SMs⌉).
std::int64_t ctas_side_by_side(const Simulation& simulation, const KernelMeters& kernel);

/// Batch entries and query heads, KV heads in proportion.
struct BatchAndHeads {
  std::int64_t batch = 1, heads = 1;
};

/// The least batch, a power of two times that of the runs, at which nearly all SMs are busy in each of the runs, with
/// 32 heads where they have one. Found by simulating it: nothing when that does not fit in the memory of the GPU, is
/// impossible or takes more than 1,024 times the batch. Cost: some simulations of each run.
std::optional<BatchAndHeads> batch_that_fills(const std::vector<Simulation>& runs);

}  // namespace sim
