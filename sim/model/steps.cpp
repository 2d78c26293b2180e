#include "sim/model/steps.h"

#include <algorithm>
#include <cmath>

#include "sim/base/interrupt.h"
#include "sim/programs/run.h"
#include "sim/programs/steps.h"

namespace sim {
namespace {

/// The events of many steps. Those of a line that move and compute the same are one event.
class SummedTrace {
 public:
  /// `like`: the counted events of the last step, whose loops, roles and memory it keeps.
  explicit SummedTrace(const Trace& like) : sum_(like) { sum_.events.clear(); }

  void add(const Trace& step, std::int64_t times) {
    for (const Event& event : step.events) {
      const std::int64_t executed = checked_multiply(event.times, times);
      const auto [at, fresh] = where_.try_emplace(key_of(event), sum_.events.size());
      if (!fresh) {
        Event& known = sum_.events[at->second];
        known.times = checked_add(known.times, executed);
        continue;
      }
      sum_.events.push_back(event);
      sum_.events.back().times = executed;
      sum_.events.back().operands.fill(no_event);
    }
  }
  Trace take() { return std::move(sum_); }

 private:
  using Key = std::array<std::int64_t, 12>;
  static Key key_of(const Event& e) {
    return {e.line,
            e.loop,
            e.role,
            static_cast<std::int64_t>(e.verb),
            static_cast<std::int64_t>(e.tensor),
            static_cast<std::int64_t>(e.bucket),
            static_cast<std::int64_t>(e.direction),
            e.bytes,
            e.matmul_flops,
            e.other_flops,
            e.exps,
            e.tanhs};
  }
  Trace sum_;
  std::map<Key, std::size_t> where_;
};

/// Exact sums of one kernel.
struct KernelCounts {
  SummedTrace trace;
  std::map<Tensor, Traffic> compulsory = {};
  std::int64_t ctas = 0;
};

void add_counts(const Plan& step, std::size_t k, std::int64_t times, KernelCounts& sum) {
  const Launch& launch = step.launches.at(k);
  const Trace counted = count(step, launch);
  sum.trace.add(counted, times);
  for (const auto& [tensor, least] : compulsory_of(step, launch, counted))
    sum.compulsory[tensor] += {least.read * times, least.written * times};
  const std::int64_t ctas = make_grid(step.problem.shape, launch.grid).ctas();
  sum.ctas = checked_add(sum.ctas, checked_multiply(ctas, times));
}

void set_counts(KernelCounts& sum, const DeviceSpec& gpu, Trace& trace, KernelMeters& kernel) {
  trace = sum.trace.take();
  kernel.totals = {};
  add_to(kernel.totals, trace);
  kernel.compulsory_by_tensor = std::move(sum.compulsory);
  kernel.compulsory = {};
  for (const auto& [tensor, least] : kernel.compulsory_by_tensor) kernel.compulsory += least;
  kernel.ctas = sum.ctas;
  kernel.waves =
      static_cast<double>(kernel.ctas) / static_cast<double>(checked_multiply(gpu.sm_count, kernel.ctas_per_sm));
}

/// Replaces the counts of the kernels by their sums over all steps.
void sum_counts(const Plan& plan, std::vector<Trace>& traces, std::vector<KernelMeters>& kernels) {
  std::vector<KernelCounts> sums;
  for (const Trace& trace : traces) sums.push_back({SummedTrace(trace)});
  each_step(plan, [&](const Plan& step, std::int64_t times) {
    check_interrupt();
    for (std::size_t k = 0; k < sums.size(); ++k) add_counts(step, k, times, sums[k]);
  });
  for (std::size_t k = 0; k < sums.size(); ++k) set_counts(sums[k], *plan.scenario.gpu, traces[k], kernels[k]);
}

/// Sums that are linear between the lengths that were measured, of one kernel.
struct KernelSums {
  double microseconds = 0;
  Budget budget;
  std::vector<double> resources;
  std::map<Tensor, std::pair<double, double>> hbm;  ///< read, written
  std::array<double, Reuse::ends.size()> reuse{};

  void add(const KernelMeters& kernel, double times) {
    const auto bytes = [times](Bytes n) { return times * static_cast<double>(n.count()); };
    microseconds += times * kernel.time.microseconds;
    budget.add(kernel.time.budget, times);
    resources.resize(kernel.time.resources.size());
    for (std::size_t n = 0; n < resources.size(); ++n) resources[n] += times * kernel.time.resources[n].second;
    for (const auto& [tensor, moved] : kernel.hbm) {
      hbm[tensor].first += bytes(moved.read);
      hbm[tensor].second += bytes(moved.written);
    }
    for (std::size_t n = 0; n < reuse.size(); ++n) reuse[n] += bytes(kernel.reuse.bytes[n]);
  }
};

/// The nearest number of bytes that is allowed.
Bytes within(double bytes, Bytes least, Bytes most) {
  return std::clamp(Bytes(std::llround(bytes)), least, std::max(least, most));
}

void set_sums(const KernelSums& sums, KernelMeters& kernel) {
  kernel.time.microseconds = kernel.least_microseconds = kernel.most_microseconds = sums.microseconds;
  kernel.time.budget = sums.budget;
  for (std::size_t n = 0; n < sums.resources.size(); ++n) kernel.time.resources[n].second = sums.resources[n];
  for (const auto& [tensor, bytes] : sums.hbm) {
    const Traffic tile = kernel.totals.tensor(tensor), least = kernel.compulsory_by_tensor[tensor];
    kernel.hbm[tensor] = {within(bytes.first, least.read, tile.read),
                          within(bytes.second, least.written, tile.written)};
  }
  for (std::size_t n = 0; n < sums.reuse.size(); ++n) kernel.reuse.bytes[n] = Bytes(std::llround(sums.reuse[n]));
}

/// A step that is timed, and the weight of its numbers in the sum over all steps, which are linear in between.
struct TimedStep {
  std::int64_t step = 0;  ///< from 1
  double weight = 0;
};

std::vector<TimedStep> timed_steps(std::int64_t count) {
  std::vector<TimedStep> timed = {{1, 1}};
  const std::int64_t most = std::min(count, most_timed_steps);
  for (std::int64_t n = 1; n < most; ++n) {
    const std::int64_t step = 1 + n * (count - 1) / (most - 1);
    const auto between = static_cast<double>(step - timed.back().step);
    timed.back().weight += (between - 1) / 2;
    timed.push_back({step, (between + 1) / 2});
  }
  return timed;
}

/// Adds the meters of the kernels of a step to the sums, and returns those of the step.
StepMeters add_step(const Plan& step, double weight, std::vector<KernelSums>& sums) {
  check_interrupt();
  StepMeters all;
  all.keys = step.scenario.shape.seqlen_k;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const Launch& launch = step.launches.at(k);
    const KernelMeters kernel = measure(step, launch, count(step, launch));
    sums[k].add(kernel, weight);
    all.microseconds += kernel.time.microseconds;
    all.tile += kernel.totals.total.total();
    all.hbm += kernel.hbm_total();
  }
  return all;
}

}  // namespace

Steps sum_over_steps(const Plan& plan, std::vector<Trace>& traces, std::vector<KernelMeters>& kernels) {
  Steps steps;
  steps.count = plan.scenario.steps;
  sum_counts(plan, traces, kernels);
  std::vector<KernelSums> sums(kernels.size());
  for (const TimedStep& timed : timed_steps(steps.count)) {
    steps.last = add_step(with_keys(plan, plan.scenario.cached_keys() + timed.step), timed.weight, sums);
    if (timed.step == 1) steps.first = steps.last;
  }
  for (std::size_t k = 0; k < kernels.size(); ++k) set_sums(sums[k], kernels[k]);
  return steps;
}

void sum_up(const std::vector<Summand>& summands, const DeviceSpec& gpu, std::vector<Trace>& traces,
            std::vector<KernelMeters>& kernels) {
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    KernelCounts counts{SummedTrace(traces[k])};
    KernelSums sums;
    Flops folded;
    for (const Summand& one : summands) {
      const KernelMeters& kernel = one.kernels.at(k);
      counts.trace.add(one.traces.at(k), one.times);
      for (const auto& [tensor, least] : kernel.compulsory_by_tensor)
        counts.compulsory[tensor] += {least.read * one.times, least.written * one.times};
      counts.ctas = checked_add(counts.ctas, checked_multiply(kernel.ctas, one.times));
      folded += kernel.folded_flops * one.times;
      sums.add(kernel, static_cast<double>(one.times));
    }
    set_counts(counts, gpu, traces[k], kernels[k]);
    set_sums(sums, kernels[k]);
    kernels[k].folded_flops = folded;
  }
}

}  // namespace sim
