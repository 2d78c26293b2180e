// Causes of a kernel's time, and the events of a CTA that show them, highlighted on the timeline.
#pragma once
#include "viz/model/model.h"

namespace explorer {

/// Causes that take time: work, then waits, each in descending order.
std::vector<sim::Cause> causes_of(const sim::Budget& budget);

/// The cause that stands for a resource: the work on a pipe for waits while others hold it, else the cause itself.
sim::Cause group_of(sim::Cause cause);
/// Time of all causes of a group.
double group_time(const sim::Budget& budget, sim::Cause group);

/// The highlighted cause; works_on() is true if an event is work on a cause.
std::optional<sim::Cause> lit_cause(const Look& look);
bool works_on(const sim::Event& event, sim::Cause cause);

/// Highlights a cause and moves to the first of its events and waits; called again, to the next one. Uses the CTA in
/// view, or the busiest CTA if this one has none. Launch and tail are shown on all SMs. O(events).
void light_up(Model& model, std::size_t subject, sim::Cause cause);
/// Edits that highlight the next cause of the first subject's kernel; after the last one, none.
Edits next_light(const Model& model);

}  // namespace explorer
