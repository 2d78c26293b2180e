// The grid in time by brute force: one heap entry for each CTA, nothing is batched, skipped or rounded. Slowdowns must
// be multiples of 1/64: then every moment is a whole number of 1/64 ticks.
#pragma once
#include <vector>

#include "sim/machine/waves.h"

namespace grid_by_heap {

/// The run of each CTA, in the order in which they are issued.
std::vector<std::size_t> issue_order(const sim::Grid& grid, sim::Raster order);

sim::Waves schedule(const sim::Grid& grid, const std::vector<sim::Cycles>& durations, const sim::SmSlots& slots,
                    sim::Raster order);

}  // namespace grid_by_heap
