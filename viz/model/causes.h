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

/// Groups that take time in either of two budgets: pipes, then waits, each in descending order of the sum.
std::vector<sim::Cause> groups_of(const sim::Budget& a, const sim::Budget& b);

/// Which of two runs is slower, and the group of causes with most of the difference.
struct Contrast {
  bool first = false;                   ///< true if the first run is slower
  double ratio = 1;                     ///< time of the slower run over that of the other one
  std::optional<double> error_percent;  ///< the larger error of both times, as far as it is known
  sim::Cause group = sim::Cause::launch;
  double slower = 0, faster = 0;  ///< time of the group in the slower run, and in the other one; microseconds
  bool within_error() const { return 100 * (ratio - 1) <= error_percent.value_or(0); }
};
/// Both runs have a time.
Contrast contrast(const sim::Simulation& a, const sim::Simulation& b);

/// The highlighted cause; works_on() is true if an event is work on a cause.
std::optional<sim::Cause> lit_cause(const Look& look);
bool works_on(const sim::Event& event, sim::Cause cause);

/// Highlights a cause and moves to the first of its events and waits; called again, to the next one. Uses the CTA in
/// view, or the busiest CTA if this one has none. Launch and tail are shown on all SMs. O(events).
void light_up(Model& model, std::size_t subject, sim::Cause cause);
/// Edits that highlight the next cause of the first subject's kernel; after the last one, none.
Edits next_light(const Model& model);

}  // namespace explorer
