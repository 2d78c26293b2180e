// The rows of a verdict that stand beside the hardware's counters.
#pragma once
#include <optional>

#include "kernels/counters/counters.h"
#include "kernels/measurements/metrics.h"
#include "kernels/verify/verdict.h"

namespace kernels {

/// What a metric counted, in our unit; nothing when it was not read, or is no number that can be counted.
std::optional<double> counted(const counters::Reading& reading, const measurements::Metric& metric);

/// Why counted() gives nothing.
std::string why_not_counted(const counters::Reading& reading, const measurements::Metric& metric);

/// Of a quantity that the hardware counts: what it should see of this program. Additions by reductions are a row of
/// their own: they send nothing back to the SM and are no stores.
double simulated_beside(const sim::Simulation& program, const measurements::Metric& metric);

/// The row of a metric beside a quantity of the program, except time. Names the local memory of kernels of the family
/// `kernel` as a cause of their writes.
VerdictRow counter_row(const sim::Simulation& program, std::string_view kernel, const counters::Reading& reading,
                       const measurements::Metric& metric);

/// A row per metric that stands beside a quantity of the program, the time apart: tile_traffic.total.read_bytes,
/// write_bytes, tile_traffic.atomic_bytes, hbm_traffic.read_bytes, write_bytes, work.exp_count. A row never fails:
/// caches and whole sectors lie between the two, and `cause` says what may when the difference is more than
/// `tolerance`. Where nothing was read the row is `missing` and `cause` is the reason.
void add_counter_rows(Verdict& verdict, const sim::Simulation& program, std::string_view kernel,
                      const counters::Reading& reading);

}  // namespace kernels
