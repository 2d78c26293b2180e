#include "kernels/verify/recorded_rows.h"

#include "kernels/verify/counter_rows.h"

namespace kernels {
namespace {

VerdictRow row_of(const sim::Simulation& program, std::string_view kernel, const measurements::Beside& beside) {
  const measurements::Metric& metric = *beside.metric;
  if (measurements::is_time(metric)) return time_row(program, beside.value, kernel);
  counters::Reading reading;
  reading.values[metric.name] = beside.recorded.figure->value;
  return counter_row(program, kernel, reading, metric);
}

}  // namespace

std::vector<VerdictRow> recorded_rows(const sim::Simulation& program, std::string_view kernel,
                                      const std::vector<measurements::Recording>& recordings) {
  std::vector<VerdictRow> rows;
  const auto figures = measurements::recorded_of(recordings, program.plan.scenario, kernel);
  for (const measurements::Beside& beside : measurements::beside_program(figures)) {
    VerdictRow row = row_of(program, kernel, beside);
    if (row.simulated == 0 && row.measured == 0 && !row.missing) continue;
    const std::string rest = row.cause.empty() ? "" : "; " + row.cause;
    row.recorded = true;
    row.cause = "recorded: " + measurements::label_of(beside.recorded) + rest;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace kernels
