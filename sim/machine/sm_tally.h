// Tallies of an SM: its progress between two moments, and the time of a CTA for one unit of that work.
#pragma once
#include "sim/machine/sm_work.h"

namespace sim {

/// Where work waits for its turn: the pipes, and after them the port.
inline constexpr int resource_count = pipe_count + 1;
using ResourceCycles = std::array<double, resource_count>;

/// Work and waits of all slots of an SM up to a moment.
struct SmTally {
  Budget budget;          ///< of all slots: adds up to residents x the time since the start
  ResourceCycles done{};  ///< never more than the time since the start
};

/// Returns the budget of a CTA for one of `units` pieces of work, from the progress between two tallies and the work of
/// all those pieces. The SM's progress is that of the resource which the pieces keep busy longest: so no piece takes
/// less than residents x its work on any resource, wherever in their work the other slots were. That is what a piece
/// takes where the SM did nothing of it in between, as with copies that nobody waits for.
Budget budget_of_unit(const SmTally& from, const SmTally& to, const ResourceCycles& work, double units, int residents);

}  // namespace sim
