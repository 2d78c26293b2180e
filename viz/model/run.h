// A scenario as the explorer shows it: its numbers, those of standard attention for it, and one replayed CTA.
#pragma once
#include <memory>

#include "sim/model/span_sums.h"
#include "viz/model/lane_columns.h"
#include "viz/model/listing/line_index.h"
#include "viz/model/listing/listing.h"
#include "viz/model/memory_index.h"
#include "viz/model/progress.h"
#include "viz/model/roles/role_trace.h"
#include "viz/model/trace_index.h"

namespace explorer {

/// One CTA of one kernel, with times.
struct Replay {
  std::size_t kernel = 0;
  sim::CtaPlace place;
  sim::Trace trace;
  TraceIndex index;
  Progress progress;
  std::vector<LaneColumns> columns;  ///< one per lane of the index; empty if it has few events
  MemoryIndex memory;
  LineIndex lines;
  sim::Stalls stalls;
  sim::SpanIndex sums;
  RoleTrace roles;       ///< empty if all warps do the same
  bool typical = false;  ///< this CTA is sim::typical_cta(), whose stalls the run reports
  Replay() = default;
  Replay(const Replay&) = delete;  // the indices refer to the trace
  Replay& operator=(const Replay&) = delete;
};

struct Run {
  sim::Simulation simulation;
  std::shared_ptr<const sim::Simulation> standard;  ///< sim::simulate_standard; null if there is none
  std::vector<Listing> listings;                    ///< by kernel
};

/// Simulates a scenario, in microseconds to milliseconds. `standard`: the numbers of standard attention, if another run
/// has them. Throws sim::Error if the scenario is impossible.
std::shared_ptr<const Run> make_run(const sim::Scenario& scenario,
                                    std::shared_ptr<const sim::Simulation> standard = nullptr);

/// The grid of a kernel: batch entries, heads (KV heads if a CTA takes one), row blocks, column blocks. A ragged batch
/// has the blocks of its longest entry.
sim::CtaPlace grid_of(const sim::Simulation& simulation, std::size_t kernel);
/// The grid of a kernel for any shape, such as that of one class of batch entries.
sim::CtaPlace grid_of(const sim::Shape& shape, const sim::GridShape& grid);

/// Returns `kernel` if its CTAs have roles, else the first kernel of which they have, else `kernel`.
std::size_t kernel_with_roles(const sim::Simulation& simulation, std::size_t kernel);

/// Replays one CTA; the position is clamped to the grid. O(events).
std::shared_ptr<const Replay> make_replay(const sim::Simulation& simulation, std::size_t kernel, sim::CtaPlace place);

/// Replays a CTA of any length in milliseconds: each loop runs only its first and last iterations.
std::shared_ptr<const Replay> make_preview(const sim::Simulation& simulation, std::size_t kernel, sim::CtaPlace place);

}  // namespace explorer
