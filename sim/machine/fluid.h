// A resource of the chip that CTAs share: the bandwidth of L2 or HBM as a fluid, divided max-min fairly.
// Bertsekas and Gallager, "Data Networks" (1992), section 6.5.2: max-min fair flow control on one link.
//
// Example: 12 bytes per cycle for five CTAs that want 1, 1, 3, 3 and 9. An equal part is 2.4, and two want less: they
// get their 1. What is left is 10 / 3 = 3.3 for each other one, so those who want 3 get it. The last one gets the
// rest, 4.
//
//   wants   1 1   3 3   9
//   gets    1 1   3 3   4     12 in all; nobody gets more than 4, the level
//
// Inaccuracies: no queueing below capacity, and no order among requests; a real memory favours rows that are open.
#pragma once
#include <vector>

#include "sim/base/units.h"

namespace sim {

/// CTAs that run at once and want the same: each at most `bytes_per_cycle`.
struct Demand {
  std::int64_t ctas = 0;
  double bytes_per_cycle = 0;
};

/// What each CTA of each group gets, in bytes per cycle: min(its demand, level), with the one level at which the sum
/// over CTAs is min(capacity, all demand). So nobody gets more than it wants or than it takes to make all equal,
/// nothing is left over while somebody wants more, and one more CTA or a higher demand never raises another's rate.
/// capacity in bytes per cycle. The sum passes neither capacity nor demand but for rounding (relative 1e-15 a group).
/// O(groups log groups). Throws Error on a negative count, and on a demand or capacity that is negative or not finite.
std::vector<double> share_fairly(const std::vector<Demand>& groups, double capacity);

}  // namespace sim
