#include "sim/report/value_work.h"

#include "sim/report/numbers.h"

namespace report {
namespace {

constexpr double flops_per_second = 8e9, seconds_per_element_step = 8e-9;

/// Returns the work of all passes of a run, including a forward pass that runs only to prepare a backward pass.
sim::Totals computed(const sim::Simulation& s) {
  sim::Totals totals = s.totals;
  for (const sim::Launch& launch : s.plan.before) add_to(totals, sim::count(s.plan, launch));
  return totals;
}

double seconds_of(const sim::Totals& totals) {
  const auto number = [](auto count) { return static_cast<double>(count.count()); };
  return number(totals.matmul_flops) / flops_per_second +
         (number(totals.exps) + number(totals.other_flops)) * seconds_per_element_step;
}

}  // namespace

double value_seconds(const sim::Simulation& s) { return seconds_of(computed(s)); }

std::string check_value_work(std::span<const sim::Simulation> runs, double part, Values values) {
  double all = 0, flops = 0;
  for (const sim::Simulation& s : runs) {
    const sim::Totals totals = computed(s);
    all += part * seconds_of(totals);
    flops += part * static_cast<double>(totals.matmul_flops.count());
  }
  const std::string work = sim::text("values: would take about ", seconds(all), " of a core for ",
                                     report::flops(static_cast<std::int64_t>(flops)), " of matrix products");
  const bool needed = values == Values::are_needed;
  sim::require(all <= longest_values, work, ", more than the hour that is allowed: use ",
               needed ? "" : "--numerics off, ", "a shorter --seqlen, fewer heads, or a --window with an algorithm ",
               "that skips hidden tiles");
  if (all < long_values) return "";
  return work + (needed ? "; Ctrl-C ends it" : "; Ctrl-C ends it, --numerics off leaves them out");
}

}  // namespace report
