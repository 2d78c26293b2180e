#include "viz/panels/verification/recorded.h"

namespace explorer {
namespace {

/// The row that corresponds to a quantity of the hardware; null if the two count differently.
ComparedRow* row_beside(std::vector<ComparedRow>& rows, const sim::Simulation& simulation,
                        const measurements::Metric& metric) {
  if (measurements::is_time(metric)) return find_row(rows, "time");
  const std::string_view quantity = metric.quantity;
  const bool atomics_apart = simulation.totals.atomic.count() > 0 && quantity.starts_with("tile_traffic.total.");
  return atomics_apart ? nullptr : find_row(rows, quantity);
}

/// Origin of a recorded figure, and a note on the time of a plain kernel.
std::string cause_of(const sim::Simulation& simulation, const measurements::Beside& recorded) {
  const bool plain = measurements::is_time(*recorded.metric) &&
                     measurements::is_plain(simulation.plan.scenario, recorded.recorded.figure->kernel);
  return sim::text("recorded: ", measurements::label_of(recorded.recorded), plain ? "; " : "",
                   plain ? measurements::plain_time_note : "");
}

}  // namespace

std::vector<measurements::Beside> recorded_beside(const std::vector<measurements::Recording>& recordings,
                                                  const sim::Scenario& scenario) {
  return measurements::beside_program(
      measurements::recorded_of(recordings, scenario, measurements::default_kernel(scenario)));
}

void add_recorded(std::vector<ComparedRow>& rows, const sim::Simulation& simulation,
                  const std::vector<measurements::Beside>& recorded) {
  for (const measurements::Beside& each : recorded) {
    ComparedRow* row = row_beside(rows, simulation, *each.metric);
    if (row == nullptr) continue;
    row->recorded = each.value;
    if (row->cause.empty()) row->cause = cause_of(simulation, each);
    if (row->emulated || row->gpu) continue;  // shows their cause and tolerance
    const double part = measurements::is_time(*each.metric) ? simulation.accuracy.error_percent.value_or(100) / 100
                                                            : each.metric->tolerance;
    row->tolerance = row->simulated.value_or(0) * part;
  }
}

}  // namespace explorer
