// Tallies of an SM: its progress between two moments, and the time of a CTA for one unit of that work.
#pragma once
#include "sim/machine/sm_work.h"

namespace sim {

/// Resources for which work queues: the pipes, then the port.
inline constexpr int resource_count = pipe_count + 1;
using ResourceCycles = std::array<double, resource_count>;

/// Work and waits of all slots of an SM up to a moment.
struct SmTally {
  Budget budget;          ///< sum over slots: equals residents x the time since the start
  ResourceCycles done{};  ///< never more than the time since the start
};

/// Returns the budget of a CTA for one of `units` pieces of work, from the tallies at two moments and the work of all
/// those pieces. The SM's progress is measured on the resource that the pieces keep busy longest: so no piece takes
/// less than residents x its work on any resource, wherever in their work the other slots were. A piece takes exactly
/// that if the SM did none of its work in between, as with copies that no CTA waits for.
Budget budget_of_unit(const SmTally& from, const SmTally& to, const ResourceCycles& work, double units, int residents);

}  // namespace sim
