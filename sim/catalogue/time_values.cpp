// Values of the predicted time.
#include <algorithm>

#include "sim/catalogue/run_values.h"
#include "sim/machine/device_fields.h"
#include "sim/model/busy_sms.h"

namespace sim {
namespace {

using Kernels = std::vector<const KernelMeters*>;

/// Explains a kernel's time by cause, and the time that each resource would need alone.
void explain_kernel(const KernelMeters& kernel, std::vector<Sentence>& lines) {
  lines.emplace_back(/*say*/ "{}: {} us, of which", kernel.name, kernel.time.microseconds);
  for (const Cause cause : all_causes) {
    const double time = kernel.time.budget[cause];
    if (time > 0) lines.emplace_back("  {} {} us: {}", name_of(cause), time, meaning_of(cause));
  }
  std::vector<Sentence> bounds;
  for (const auto& [resource, time] : kernel.time.resources) bounds.emplace_back("{} {} us", resource, time);
  lines.emplace_back("  {}",
                     Sentence(/*say*/ "lower bound, each resource alone at its full rate: {}", Sentence::list(bounds)));
}

/// Adds the part of the HBM's bandwidth that unfused kernels are taken to reach.
void explain_framework(const Simulation& s, std::vector<Sentence>& lines) {
  const auto& launches = s.plan.launches;
  if (std::none_of(launches.begin(), launches.end(), [](const Launch& launch) { return launch.unfused; })) return;
  const DeviceSpec& gpu = *s.plan.scenario.gpu;
  const double part = framework_efficiency(s.plan.scenario);
  if (gpu.framework_hbm_percent > 0)
    lines.emplace_back(
        /*say*/ "unfused kernels reach {} of the HBM's bandwidth: framework_hbm_percent of the device {}", part,
        gpu.name);
  else
    lines.emplace_back(
        /*say*/
        "unfused kernels reach {} of the HBM's bandwidth: framework_efficiency, fitted on {}; of {} it is unknown",
        part, fitted_on, gpu.name);
}

Explanation explain_time(const Simulation& s, const Kernels& kernels) {
  Explanation e{{/*say*/ "predicted: the schedule of one SM, and the grid over all of them"}};
  for (const KernelMeters* kernel : kernels) explain_kernel(*kernel, e.formula);
  explain_framework(s, e.formula);
  if (s.gpus && kernels.size() == s.kernels.size())
    e.formula.emplace_back(/*say*/
                           "of several GPUs the slowest of each step; with them merging O and L takes {} us, and "
                           "transfers that nothing hides {} us",
                           s.gpus->merge_microseconds, s.gpus->exposed_microseconds);
  return e;
}

Explanation explain_cycles(const Simulation& s, const Kernels& kernels) {
  Explanation e = explain_time(s, kernels);
  const double clock = static_cast<double>(s.longest_kernel().time.clock_hz);
  e.formula.insert(e.formula.begin(), {/*say*/ "time.microseconds x clock of {} MHz", clock * 1e-6});
  return e;
}

/// Explains the source of a kernel's clock.
Explanation explain_clock(const Simulation& s, const KernelMeters& kernel) {
  const DeviceSpec& gpu = *s.plan.scenario.gpu;
  const char* field = kernel.time.clock_hz == gpu.clock_hz ? "clock_hz" : "wgmma_clock_hz";
  if (s.plan.scenario.clock) return {{{/*say*/ "the option {}", "clock"}}};
  return {{{/*say*/ "{} of the device {}", field, gpu.name}}};
}

/// Explains one cause of a budget, summed over `kernels`.
Explanation explain_cause(Cause cause, const Kernels& kernels) {
  Explanation e{{{"{}: {}", name_of(cause), meaning_of(cause)}}};
  if (cause == Cause::link) return e;  // of no kernel
  for (const KernelMeters* kernel : kernels) {
    const double all = kernel->time.microseconds, part = kernel->time.budget[cause];
    e.formula.emplace_back(/*say*/ "{}: {} us of {} us", kernel->name, part, all);
  }
  return e;
}

/// Adds microseconds for every cause; they add up to the time. Kernels of one GPU wait for no link.
void add_budget(RunValues& values, const std::string& path, const Budget& budget, const Kernels& kernels,
                bool linked = false) {
  for (const Cause cause : all_causes) {
    if (cause == Cause::link && !linked) continue;
    values.number(path + ".budget." + key_of(cause), budget[cause], [=] { return explain_cause(cause, kernels); });
  }
}

/// Explains the busy SMs of one kernel; `whose` names it.
Explanation explain_busy_sms(const Simulation& s, const KernelMeters& kernel, const Sentence& whose) {
  const BusySms sms = busy_sms(s, kernel);
  if (!sms.few()) return {{{/*say*/ "{}: SMs that get a CTA, min(CTAs, SMs) of {} SMs", whose, sms.all}}};
  return {{{/*say*/ "{}: SMs that get a CTA, min(CTAs, SMs) of {} SMs; the rest is idle, more batch entries or heads "
                    "would fill it",
            whose, sms.all}}};
}

Explanation explain_waves(const Simulation& s, const KernelMeters& kernel) {
  return {{{/*say*/ "CTAs / (SMs x CTAs per SM) = {} / ({} x {})", kernel.ctas, s.plan.scenario.gpu->sm_count,
            kernel.ctas_per_sm}}};
}

void add_accuracy(const Simulation& s, RunValues& values) {
  const Accuracy& accuracy = s.accuracy;
  if (accuracy.error_percent) {
    values.number("time.error_percent", *accuracy.error_percent, [&accuracy] {
      return Explanation{{/*say*/ "mean of |predicted / published - 1| over neighbouring scenarios", accuracy.where}};
    });
  } else {
    values.text("time.error_percent", {});
  }
  values.text("time.validated", accuracy.validated);
  values.text("time.validated_on", accuracy.validated ? RunValue(accuracy.where) : RunValue());
}

void add_kernel(const Simulation& s, RunValues& values, std::size_t k) {
  const KernelMeters& kernel = s.kernels[k];
  const std::string path = text("time.kernels.", k);
  values.text(path + ".name", kernel.name);
  values.number(path + ".microseconds", kernel.time.microseconds, [&s, &kernel] { return explain_time(s, {&kernel}); });
  values.number(path + ".clock_hz", kernel.time.clock_hz, [&s, &kernel] { return explain_clock(s, kernel); });
  values.number(path + ".waves", kernel.waves, [&s, &kernel] { return explain_waves(s, kernel); });
  values.text(path + ".bound_by", kernel.time.bound_by);
  values.number(path + ".sms_busy", kernel.time.sms_busy,
                [&s, &kernel] { return explain_busy_sms(s, kernel, kernel.name); });
  add_budget(values, path, kernel.time.budget, {&kernel});
}

}  // namespace

void add_time(const Simulation& s, RunValues& values) {
  Kernels all;
  for (const KernelMeters& kernel : s.kernels) all.push_back(&kernel);
  const DeviceSpec& gpu = *s.plan.scenario.gpu;
  if (!has_time(gpu)) values.text("time.missing", missing_fields(gpu));
  values.number("time.microseconds", s.microseconds, [&s, all] { return explain_time(s, all); });
  if (s.range) {
    const auto why = [] {
      return Explanation{{{/*say*/ "predicted with {} or {} of HBM traffic", "hbm_traffic.low", "hbm_traffic.high"}}};
    };
    values.number("time.low", s.range->least_microseconds, why);
    values.number("time.high", s.range->most_microseconds, why);
  }
  const KernelMeters& longest = s.longest_kernel();
  values.number("time.cycles", s.microseconds * 1e-6 * static_cast<double>(longest.time.clock_hz),
                [&s, all] { return explain_cycles(s, all); });
  values.number("time.clock_hz", longest.time.clock_hz, [&s, &longest] { return explain_clock(s, longest); });
  values.text("time.bound_by", s.bound_by);
  values.number("time.sms_busy", busy_sms(s).busy, [&s, &longest] {
    return explain_busy_sms(s, longest, {/*say*/ "{}, the kernel that takes longest", longest.name});
  });
  values.number("time.sms", busy_sms(s).all, [&gpu] {
    return Explanation{{{/*say*/ "{} of the device {}", "sm_count", gpu.name}}};
  });
  add_accuracy(s, values);
  add_budget(values, "time", s.budget, all, s.gpus.has_value());
  for (std::size_t k = 0; k < s.kernels.size(); ++k) add_kernel(s, values, k);
}

}  // namespace sim
