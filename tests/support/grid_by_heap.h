// Grid schedule by brute force: one heap entry per CTA, without batching, skipping or rounding. Slowdowns must be
// multiples of 1/64, so that every moment is a whole number of 1/64 ticks.
#pragma once
#include <vector>

#include "sim/machine/waves.h"

namespace grid_by_heap {

/// Returns the run of each CTA, in issue order.
std::vector<std::size_t> issue_order(const sim::Grid& grid, sim::Raster order);

sim::Waves schedule(const sim::Grid& grid, const std::vector<sim::Cycles>& durations, const sim::SmSlots& slots,
                    sim::Raster order);

}  // namespace grid_by_heap
