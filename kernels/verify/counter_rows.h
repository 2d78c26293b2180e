// Rows of a verdict that compare the program with the hardware counters.
#pragma once
#include <optional>

#include "kernels/counters/counters.h"
#include "kernels/measurements/metrics.h"
#include "kernels/verify/verdict.h"

namespace kernels {

/// Value of a metric, in our unit; empty if it was not read, or is not a valid count.
std::optional<double> counted(const counters::Reading& reading, const measurements::Metric& metric);

/// Reason why counted() is empty.
std::string why_not_counted(const counters::Reading& reading, const measurements::Metric& metric);

/// Simulated value of the quantity that the metric measures. Additions by reductions have a row of their own: they
/// return nothing to the SM and are not stores.
double simulated_beside(const sim::Simulation& program, const measurements::Metric& metric);

/// The row of a metric that measures a quantity of the program, except time. Names the local memory of kernels of the
/// family `kernel` as a cause of their writes.
VerdictRow counter_row(const sim::Simulation& program, std::string_view kernel, const counters::Reading& reading,
                       const measurements::Metric& metric);

/// Adds a row per metric that measures a quantity of the program, except time: tile_traffic.total.read_bytes,
/// write_bytes, tile_traffic.atomic_bytes, hbm_traffic.read_bytes, write_bytes, work.exp_count. A row never fails,
/// since caches and whole sectors intervene; `cause` gives possible reasons if the difference exceeds `tolerance`. If
/// nothing was read the row is `missing` and `cause` is the reason.
void add_counter_rows(Verdict& verdict, const sim::Simulation& program, std::string_view kernel,
                      const counters::Reading& reading);

}  // namespace kernels
