#include "kernels/verify/counter_rows.h"

#include <cmath>
#include <cstdio>

#include "kernels/attention/kernel_list.h"
#include "sim/report/numbers.h"

namespace kernels {
namespace {

using measurements::Metric;

/// Member of a program's totals for each quantity.
struct Source {
  std::string_view quantity;
  std::int64_t (*of)(const sim::Simulation& program);
};
constexpr Source sources[] = {
    {"tile_traffic.total.read_bytes",
     [](const sim::Simulation& p) { return p.totals.total.read.count() - p.totals.atomic.count(); }},
    {"tile_traffic.total.write_bytes",
     [](const sim::Simulation& p) { return p.totals.total.written.count() - p.totals.atomic.count(); }},
    {"tile_traffic.atomic_bytes", [](const sim::Simulation& p) { return p.totals.atomic.count(); }},
    {"hbm_traffic.read_bytes", [](const sim::Simulation& p) { return p.hbm.read.count(); }},
    {"hbm_traffic.write_bytes", [](const sim::Simulation& p) { return p.hbm.written.count(); }},
    {"work.exp_count", [](const sim::Simulation& p) { return p.totals.exps.count(); }},
};

/// Largest local memory per thread among the kernels of the program.
std::int64_t local_bytes(const sim::Simulation& program, std::string_view kernel) {
  std::int64_t most = 0;
  for (const MatchingKernel& matching : matching_kernels(dev::Flavour::emulated)) {  // equal in every flavour
    const auto runs = [&](const sim::KernelMeters& each) {
      return matching.kernel == kernel && each.name == matching.launch;
    };
    if (std::any_of(program.kernels.begin(), program.kernels.end(), runs)) most = std::max(most, matching.local_bytes);
  }
  return most;
}

/// Reason why the hardware may count more than the program.
std::string why_more(const sim::Simulation& program, std::string_view kernel, const Metric& metric) {
  const bool writes = std::string_view(metric.quantity) == "tile_traffic.total.write_bytes";
  const std::int64_t local = writes ? local_bytes(program, kernel) : 0;
  if (local == 0) return metric.more;
  return sim::text("each thread keeps its sums of dK and dV in ", report::thousands(local),
                   " bytes of local memory, whose stores L2 counts as well");
}

/// Cause of a difference: "simulated / measured - 1 is -20.0 %; it may be that L2 kept less than the model assumes".
std::string cause_of(const VerdictRow& row, const std::string& more, const std::string& less) {
  if (std::abs(row.difference()) <= row.tolerance) return "";
  const std::string& why = row.difference() > 0 ? more : less;
  char ratio[64] = "nothing of it is measured";
  if (row.measured > 0)
    std::snprintf(ratio, sizeof ratio, "simulated / measured - 1 is %+.1f %%",
                  100 * (row.simulated / row.measured - 1));
  return why.empty() ? ratio : sim::text(ratio, "; it may be that ", why);
}

}  // namespace

std::optional<double> counted(const counters::Reading& reading, const Metric& metric) {
  const auto found = reading.values.find(metric.name);
  if (found == reading.values.end()) return std::nullopt;
  const double value = found->second * metric.factor;
  return value >= 0 && value < 1e18 ? std::optional<double>(value) : std::nullopt;  // a count has 64 bits; rejects NaN
}

std::string why_not_counted(const counters::Reading& reading, const Metric& metric) {
  return reading.reason.empty() ? sim::text("counters: the GPU gave no number for ", metric.name) : reading.reason;
}

double simulated_beside(const sim::Simulation& program, const Metric& metric) {
  for (const Source& source : sources) {
    if (source.quantity == metric.quantity) return static_cast<double>(source.of(program));
  }
  sim::require(measurements::is_time(metric), "counters: no quantity of the program corresponds to ", metric.name);
  return program.microseconds;
}

VerdictRow counter_row(const sim::Simulation& program, std::string_view kernel, const counters::Reading& reading,
                       const Metric& metric) {
  const double simulated = simulated_beside(program, metric);
  VerdictRow row{metric.quantity, metric.our_unit, simulated, 0, simulated * metric.tolerance};
  if (const std::optional<double> value = counted(reading, metric)) {
    row.measured = *value;
    row.cause = cause_of(row, why_more(program, kernel, metric), metric.less);
  } else {
    row.missing = true;
    row.cause = why_not_counted(reading, metric);
  }
  return row;
}

void add_counter_rows(Verdict& verdict, const sim::Simulation& program, std::string_view kernel,
                      const counters::Reading& reading) {
  for (const Metric& metric : measurements::metrics()) {
    const std::string_view quantity = metric.quantity;
    if (quantity.empty() || measurements::is_time(metric)) continue;
    if (quantity.starts_with("hbm_traffic") && !program.kernels.front().hbm_counted) continue;
    VerdictRow row = counter_row(program, kernel, reading, metric);
    if (row.simulated > 0 || row.measured > 0) verdict.rows.push_back(std::move(row));
  }
}

}  // namespace kernels
