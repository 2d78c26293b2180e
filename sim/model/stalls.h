// Time of one CTA by engine: work, waits and idle time.
#pragma once
#include <array>
#include <vector>

#include "sim/model/simulation.h"

namespace sim {

/// Engines whose time is reported, in the order of reports. Barriers appear as waits of the other engines.
inline constexpr std::array<Engine, 5> stalled_engines = {Engine::copy_in, Engine::tensor, Engine::fp32, Engine::exp,
                                                          Engine::copy_out};

/// Time of one engine. work + waiting() + idle is the time of the CTA. In a CTA with roles the engine works while it
/// does for any role, and waits while it works for no role and a role waits before it uses the engine.
struct EngineTime {
  Engine engine = Engine::copy_in;
  Cycles work;  ///< spans of its events, less the time that neighbours on the SM take of them
  std::array<Cycles, cause_count> waits{};  ///< waits before its events and time taken by neighbours; by Cause
  Cycles idle;                              ///< no event of the engine is due: other engines work
  Cycles wait(Cause cause) const { return waits[static_cast<std::size_t>(cause)]; }
  Cycles waiting() const;
};

struct Stalls {
  Cycles time;  ///< time of the CTA
  std::array<EngineTime, stalled_engines.size()> engines;
};

/// Sums the intervals of a scheduled replay (work_intervals.h) by engine. Cost: O(events).
Stalls stalls_of(const Trace& trace);

/// A replayed CTA that represents all CTAs of a kernel.
struct TypicalCta {
  CtaPlace place;              ///< busiest_cta(): the most iterations among the CTAs of the first head
  std::size_t iterations = 0;  ///< replayed iterations of each of its loops, first and last ones; 0: all
  Trace trace;                 ///< with times
};

/// Returns the events of one CTA of kernel k, averaged over its grid. O(counted events).
double events_of_cta(const Simulation& simulation, std::size_t k);

/// Returns the iterations of each loop that typical_cta() replays: 0 (all), or 24 for a CTA with more than 2^14 events.
std::size_t typical_iterations(const Simulation& simulation, std::size_t k);

/// Replays the typical CTA of kernel k.
TypicalCta typical_cta(const Simulation& simulation, std::size_t k);

}  // namespace sim
