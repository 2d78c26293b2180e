#include "sim/model/kernel_meters.h"

#include <algorithm>

#include "sim/machine/l2.h"
#include "sim/machine/occupancy.h"

namespace sim {
namespace {

Traffic compulsory_traffic(const Plan& plan, const Launch& launch) {
  Traffic traffic;
  for (const Tensor name : launch.inputs) traffic.read += plan.problem.hbm[name].total_bytes(plan.problem.shape);
  for (const Tensor name : launch.outputs) traffic.written += plan.problem.hbm[name].total_bytes(plan.problem.shape);
  return traffic;
}

/// The heads whose CTAs run at the same time.
struct InFlight {
  std::int64_t ctas_of_head, ctas;  ///< CTAs per head of the grid; CTAs that the chip holds
  std::int64_t query_heads, kv_heads;
};

InFlight in_flight(const Plan& plan, const Launch& launch, const KernelMeters& kernel) {
  const Shape& shape = plan.problem.shape;
  const std::int64_t heads = launch.grid.repeats(shape), group = shape.heads / shape.kv_heads;
  const std::int64_t ctas = checked_multiply(plan.scenario.gpu->sm_count, kernel.ctas_per_sm);
  const std::int64_t per_head = kernel.ctas / heads;
  const std::int64_t running = std::min(heads, ceil_div(ctas, per_head));
  if (launch.grid.by_kv_head()) return {per_head, ctas, checked_multiply(running, group), running};
  return {per_head, ctas, running, ceil_div(running, group)};
}

std::map<Tensor, Traffic> hbm_traffic(const Plan& plan, const Launch& launch, const KernelMeters& kernel) {
  const Shape& shape = plan.problem.shape;
  const InFlight flight = in_flight(plan, launch, kernel);
  std::map<Tensor, TensorReuse> reuse;
  Bytes footprint;
  for (const auto& [name, moved] : kernel.totals.by_tensor) {
    const HbmTensor& tensor = plan.problem.hbm[name];
    const Bytes all = tensor.total_bytes(shape);
    const TensorReuse entry{moved.read, moved.written, launch.reads(name) ? all : Bytes{},
                            launch.writes(name) ? all : Bytes{}, std::min(flight.ctas_of_head, flight.ctas)};
    const Bytes of_one_head(product(tensor.rows, tensor.cols, size_of(tensor.dtype)));
    if (entry.reused()) footprint += of_one_head * (tensor.per_kv_head ? flight.kv_heads : flight.query_heads);
    reuse[name] = entry;
  }
  const bool resident = footprint.count() <= plan.scenario.gpu->l2_effective_bytes;
  std::map<Tensor, Traffic> result;
  for (const auto& [name, entry] : reuse) {
    const HbmBytes bytes = hbm_bytes(entry, resident);
    result[name] = {bytes.read, bytes.written};
  }
  return result;
}

/// Microseconds of each resource on its own at its full rate; SMs without a CTA are idle.
std::vector<std::pair<std::string, double>> roofline(const Plan& plan, const KernelMeters& kernel) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const Totals& totals = kernel.totals;
  const double busy_sms = static_cast<double>(std::min(kernel.ctas, gpu.sm_count));
  const double per_microsecond = static_cast<double>(gpu.clock_hz) * 1e-6 * busy_sms;
  const auto at = [](std::int64_t amount, double rate) { return static_cast<double>(amount) / rate; };
  const double matrix = at(totals.matmul_flops.count(),
                           static_cast<double>(gpu.matmul_flops_per_clock(plan.problem.dtype)) * per_microsecond);
  const double other =
      at(totals.other_flops.count(), static_cast<double>(gpu.fp32_flops_per_clock) / 2 * per_microsecond);
  const bool one_pipe = plan.problem.dtype == Dtype::fp32;  // tensor cores take no fp32
  return {{"hbm", at(kernel.hbm_total().count(), static_cast<double>(gpu.hbm_bytes_per_second) * 1e-6)},
          {"l2", at(totals.total.total().count(), static_cast<double>(gpu.l2_bytes_per_second) * 1e-6)},
          {"tensor", one_pipe ? 0 : matrix},
          {"fp32", one_pipe ? matrix + other : other},
          {"exp", at(totals.exps.count(), static_cast<double>(gpu.exps_per_clock) * per_microsecond)}};
}

}  // namespace

Bytes KernelMeters::hbm_total() const {
  Bytes total;
  for (const auto& [tensor, moved] : hbm) total += moved.total();
  return total;
}

KernelMeters measure(const Plan& plan, const Launch& launch, const Trace& trace) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  KernelMeters kernel;
  kernel.name = launch.name;
  add_to(kernel.totals, trace);
  kernel.compulsory = compulsory_traffic(plan, launch);
  kernel.ctas = make_grid(plan.problem.shape, launch.grid).ctas();
  kernel.ctas_per_sm = ctas_per_sm(gpu, {trace.peak_smem, trace.peak_registers, launch.threads});
  kernel.waves =
      static_cast<double>(kernel.ctas) / static_cast<double>(checked_multiply(gpu.sm_count, kernel.ctas_per_sm));
  kernel.hbm = hbm_traffic(plan, launch, kernel);
  kernel.time = predict(plan, launch, kernel.demand());
  kernel.time.resources = roofline(plan, kernel);
  return kernel;
}

}  // namespace sim
