// Causes of a kernel's time, and the events of a CTA that show one: they are lit on the timeline.
#pragma once
#include "viz/model/view_model.h"

namespace explorer {

/// Causes that take time: work, then waits, each from the largest.
std::vector<sim::Cause> causes_of(const sim::Budget& budget);

/// The cause that is lit, and whether an event is work on a cause.
std::optional<sim::Cause> lit_cause(const Look& look);
bool works_on(const sim::Event& event, sim::Cause cause);

/// Lights a cause up and goes to the first of its events and waits, and then from one to the next: in the CTA in view,
/// or in the one that stands for all where this one has none. Launch and tail are seen on all SMs. O(events).
void light_up(ViewModel& model, std::size_t subject, sim::Cause cause);
/// Lights up the next cause of the first subject's kernel; after the last one none is lit.
void light_next(ViewModel& model);

}  // namespace explorer
