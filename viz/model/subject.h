// One of the shown runs: requested options, resulting run, and playhead.
#pragma once
#include <limits>

#include "sim/catalogue/options.h"
#include "sim/machine/device_fields.h"
#include "viz/model/race.h"

namespace explorer {

struct Subject {
  sim::OptionValues options;
  std::shared_ptr<const Run> run;  ///< run of the last possible options
  std::shared_ptr<RaceRun> clock;  ///< all grids of the run over time
  std::shared_ptr<const Replay> replay;
  sim::Cycles time;     ///< playhead, since the CTA began
  sim::Sentence error;  ///< why the options are impossible; otherwise empty

  const sim::Simulation& simulation() const { return run->simulation; }
  const sim::Problem& problem() const { return run->simulation.plan.problem; }
  const sim::Scenario& scenario() const { return run->simulation.plan.scenario; }
  const sim::Launch& launch() const { return run->simulation.plan.launches[replay->kernel]; }
  const sim::KernelMeters& kernel() const { return run->simulation.kernels[replay->kernel]; }
  bool is_ragged() const { return scenario().sequences != nullptr; }  ///< if so, the batch view shows it
  bool has_time() const { return sim::has_time(*scenario().gpu); }
  /// A time of this run in microseconds; NaN if its device has no time.
  double microseconds(sim::Cycles at) const {
    return has_time() ? replayed(at) : std::numeric_limits<double>::quiet_NaN();
  }
  /// A time of a replay in microseconds, ordered on every device.
  double replayed(sim::Cycles at) const {
    return static_cast<double>(at.count()) / static_cast<double>(sim::ticks_per_cycle) /
           static_cast<double>(sim::clock_hz(run->simulation.plan, launch())) * 1e6;
  }
};

}  // namespace explorer
