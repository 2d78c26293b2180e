#include "sim/model/kernel_meters.h"

#include <algorithm>
#include <limits>

#include "sim/machine/device_fields.h"
#include "sim/model/hbm_traffic.h"
#include "sim/model/loop_nest.h"

namespace sim {
namespace {

Traffic compulsory_traffic(const Plan& plan, const Launch& launch) {
  Traffic traffic;
  for (const Tensor name : launch.inputs) traffic.read += plan.problem.hbm[name].total_bytes(plan.problem.shape);
  for (const Tensor name : launch.outputs) traffic.written += plan.problem.hbm[name].total_bytes(plan.problem.shape);
  return traffic;
}

/// FLOPs that scale S: kernels make them part of the exponential's multiply-add (work_of in sm_work.h).
Flops folded_flops(const Trace& trace) {
  Flops folded;
  for (const Event& event : trace.events) {
    if (event.verb == Verb::scale && event.tensor == Tensor::S)
      folded += Flops(checked_multiply(event.other_flops, event.times));
  }
  return folded;
}

/// Microseconds of each resource on its own at its full rate; SMs without a CTA are idle.
std::vector<std::pair<std::string, double>> roofline(const Plan& plan, const KernelMeters& kernel) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const Totals& totals = kernel.totals;
  const double per_microsecond = static_cast<double>(gpu.clock_hz) * 1e-6 * static_cast<double>(kernel.time.sms_busy);
  const auto at = [](std::int64_t amount, double rate) { return static_cast<double>(amount) / rate; };
  const double matrix = at(totals.matmul_flops.count(),
                           static_cast<double>(gpu.matmul_flops_per_clock(plan.problem.dtype)) * per_microsecond);
  const double other = at((totals.other_flops - kernel.folded_flops).count(),
                          static_cast<double>(gpu.fp32_flops_per_clock) / 2 * per_microsecond);
  const bool one_pipe = plan.problem.dtype == Dtype::fp32;  // tensor cores take no fp32
  const double hbm = at(kernel.hbm_total().count(), static_cast<double>(gpu.hbm_bytes_per_second) * 1e-6);
  return {{/*say*/ "hbm", counts_hbm_traffic(gpu) ? hbm : std::numeric_limits<double>::quiet_NaN()},
          {/*say*/ "l2", at(totals.total.total().count(), known_number(gpu, &DeviceSpec::l2_bytes_per_second) * 1e-6)},
          {"tensor", one_pipe ? 0 : matrix},
          {"fp32", one_pipe ? matrix + other : other},
          {"exp", at(totals.exps.count(), known_number(gpu, &DeviceSpec::exps_per_clock) * per_microsecond)}};
}

/// How often the busiest line of a counted kernel runs in one CTA.
double iterations_per_cta(const Trace& trace, std::int64_t ctas) {
  std::map<std::int32_t, std::int64_t> runs;
  std::int64_t most = 1;
  for (const Event& event : trace.events) {
    std::int64_t& times = runs[event.line];
    times = checked_add(times, event.times);
    most = std::max(most, times);
  }
  return static_cast<double>(most) / static_cast<double>(std::max<std::int64_t>(1, ctas));
}

}  // namespace

Bytes KernelMeters::hbm_total() const {
  Bytes total;
  for (const auto& [tensor, moved] : hbm) total += moved.total();
  return total;
}

KernelMeters measure(const Plan& plan, const Launch& launch, const Trace& trace) {
  check_nest(launch, trace);
  const DeviceSpec& gpu = *plan.scenario.gpu;
  KernelMeters kernel;
  kernel.name = launch.name;
  add_to(kernel.totals, trace);
  kernel.folded_flops = folded_flops(trace);
  kernel.compulsory = compulsory_traffic(plan, launch);
  kernel.ctas = make_grid(plan.problem.shape, launch.grid).ctas();
  kernel.needs = {trace.peak_smem, trace.peak_registers, launch.threads};
  kernel.ctas_per_sm = ctas_per_sm(gpu, kernel.needs);
  kernel.waves =
      static_cast<double>(kernel.ctas) / static_cast<double>(checked_multiply(gpu.sm_count, kernel.ctas_per_sm));
  kernel.hbm_counted = counts_hbm_traffic(gpu);
  if (kernel.hbm_counted)
    kernel.hbm = hbm_traffic(plan.problem, launch, trace, checked_multiply(gpu.sm_count, kernel.ctas_per_sm), plan.l2);
  kernel.iterations = iterations_per_cta(trace, kernel.ctas);
  kernel.time = predict(plan, launch, kernel.demand());
  kernel.time.resources = roofline(plan, kernel);
  return kernel;
}

}  // namespace sim
