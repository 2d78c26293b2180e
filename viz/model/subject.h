// One of the runs that are shown: what was asked for, what came of it, and where in it one is.
#pragma once
#include <limits>

#include "sim/catalogue/options.h"
#include "sim/machine/device_fields.h"
#include "viz/model/race.h"

namespace explorer {

struct Subject {
  sim::OptionValues options;
  std::shared_ptr<const Run> run;  ///< of the last options that were possible
  std::shared_ptr<RaceRun> clock;  ///< the same run, all of its grids in time
  std::shared_ptr<const Replay> replay;
  sim::Cycles time;   ///< of the playhead, since the CTA began
  std::string error;  ///< why the options are impossible; empty when all is well

  const sim::Simulation& simulation() const { return run->simulation; }
  const sim::Problem& problem() const { return run->simulation.plan.problem; }
  const sim::Scenario& scenario() const { return run->simulation.plan.scenario; }
  const sim::Launch& launch() const { return run->simulation.plan.launches[replay->kernel]; }
  const sim::KernelMeters& kernel() const { return run->simulation.kernels[replay->kernel]; }
  bool is_ragged() const { return scenario().sequences != nullptr; }  ///< then the view of the batch shows it
  bool has_time() const { return sim::has_time(*scenario().gpu); }
  /// A time of this run in microseconds; not a number where its device has no time.
  double microseconds(sim::Cycles at) const {
    return has_time() ? replayed(at) : std::numeric_limits<double>::quiet_NaN();
  }
  /// A time of a replay in microseconds, which has an order on every device.
  double replayed(sim::Cycles at) const {
    return static_cast<double>(at.count()) / static_cast<double>(sim::ticks_per_cycle) /
           static_cast<double>(scenario().gpu->clock_hz) * 1e6;
  }
};

}  // namespace explorer
