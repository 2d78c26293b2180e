#include "sim/model/meters.h"

#include <algorithm>
#include <set>

#include "sim/machine/l2.h"
#include "sim/machine/occupancy.h"

namespace sim {
namespace {

bool contains(const std::vector<Tensor>& tensors, Tensor tensor) {
  return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
}

std::int64_t occupancy(const Plan& plan, const Launch& launch, const Trace& trace) {
  return ctas_per_sm(*plan.scenario.gpu, {trace.peak_smem, trace.peak_registers, launch.threads});
}

std::int64_t ctas_in_flight(const Plan& plan, const Launch& launch, const Trace& trace) {
  return checked_multiply(plan.scenario.gpu->sm_count, occupancy(plan, launch, trace));
}

Totals totals_of(const Trace& trace) {
  Totals totals;
  add_to(totals, trace);
  return totals;
}

}  // namespace

Traffic compulsory_traffic(const Plan& plan, const Launch& launch) {
  Traffic traffic;
  for (const Tensor name : launch.inputs) traffic.read += plan.problem.hbm[name].total_bytes(plan.problem.shape);
  for (const Tensor name : launch.outputs) traffic.written += plan.problem.hbm[name].total_bytes(plan.problem.shape);
  return traffic;
}

std::map<Tensor, Traffic> hbm_traffic(const Plan& plan, const Launch& launch, const Trace& trace) {
  const Shape& shape = plan.problem.shape;
  const std::int64_t heads = checked_multiply(shape.batch, shape.heads);
  const std::int64_t in_flight = ctas_in_flight(plan, launch, trace);
  const std::int64_t per_head = std::max<std::int64_t>(1, make_grid(shape, launch.grid).ctas() / heads);
  const std::int64_t heads_in_flight = std::min(heads, ceil_div(in_flight, per_head));
  std::map<Tensor, TensorReuse> reuse;
  Bytes footprint;
  for (const auto& [name, moved] : totals_of(trace).by_tensor) {
    const HbmTensor& tensor = plan.problem.hbm[name];
    const Bytes all = tensor.total_bytes(shape);
    const TensorReuse entry{moved.read, moved.written, contains(launch.inputs, name) ? all : Bytes{},
                            contains(launch.outputs, name) ? all : Bytes{}, std::min(per_head, in_flight)};
    const std::int64_t group = tensor.per_kv_head ? shape.heads / shape.kv_heads : 1;
    const Bytes of_one_head(product(tensor.rows, tensor.cols, size_of(tensor.dtype)));
    if (entry.reused()) footprint += of_one_head * ceil_div(heads_in_flight, group);
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

std::vector<LiveTensors> memory_over_time(const Plan& plan) {
  std::vector<LiveTensors> result;
  for (std::size_t now = 0; now < plan.launches.size(); ++now) {
    std::set<Tensor> live = {Tensor::Q, Tensor::K, Tensor::V, Tensor::O};
    for (std::size_t writer = 0; writer <= now; ++writer) {
      for (const Tensor name : plan.launches[writer].outputs) {
        bool needed = writer == now || is_statistic(name);
        for (std::size_t reader = now; reader < plan.launches.size(); ++reader) {
          needed = needed || contains(plan.launches[reader].inputs, name);
        }
        if (needed) live.insert(name);
      }
    }
    LiveTensors entry{plan.launches[now].name, {live.begin(), live.end()}, Bytes{}};
    for (const Tensor name : live) entry.bytes += plan.problem.hbm[name].total_bytes(plan.problem.shape);
    result.push_back(entry);
  }
  return result;
}

MemoryMeter memory_meter(const Plan& plan, const std::vector<Trace>& traces) {
  MemoryMeter meter;
  for (const LiveTensors& entry : memory_over_time(plan)) meter.peak_hbm = std::max(meter.peak_hbm, entry.bytes);
  Bytes owned;
  for (const Tensor name : {Tensor::Q, Tensor::K, Tensor::V, Tensor::O}) {
    owned += plan.problem.hbm[name].total_bytes(plan.problem.shape);
  }
  meter.extra_hbm = meter.peak_hbm - owned;
  for (const Trace& trace : traces) meter.peak_sram = std::max(meter.peak_sram, trace.peak_smem);
  meter.sram_capacity = plan.capacity.smem;
  return meter;
}

KernelTime roofline_time(const Plan& plan, const Launch& launch, const Trace& trace) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const Totals totals = totals_of(trace);
  Bytes hbm;
  for (const auto& [name, moved] : hbm_traffic(plan, launch, trace)) hbm += moved.total();
  const std::int64_t ctas = make_grid(plan.problem.shape, launch.grid).ctas();
  const double busy_sms = static_cast<double>(std::min(ctas, gpu.sm_count));
  const double per_microsecond = static_cast<double>(gpu.clock_hz) * 1e-6 * busy_sms;
  const auto at = [](std::int64_t amount, double rate) { return static_cast<double>(amount) / rate; };
  KernelTime time;
  time.name = launch.name;
  time.ctas_per_sm = occupancy(plan, launch, trace);
  time.waves = at(ctas, static_cast<double>(ctas_in_flight(plan, launch, trace)));
  time.resources = {
      {"hbm", at(hbm.count(), static_cast<double>(gpu.hbm_bytes_per_second) * 1e-6)},
      {"l2", at(totals.total.total().count(), static_cast<double>(gpu.l2_bytes_per_second) * 1e-6)},
      {"tensor", at(totals.matmul_flops.count(),
                    static_cast<double>(gpu.matmul_flops_per_clock(plan.problem.dtype)) * per_microsecond)},
      {"fp32", at(totals.other_flops.count(), static_cast<double>(gpu.fp32_flops_per_clock) / 2 * per_microsecond)},
      {"exp", at(totals.exps.count(), static_cast<double>(gpu.exps_per_clock) * per_microsecond)}};
  const auto slowest = *std::max_element(time.resources.begin(), time.resources.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
  const double launch_time = static_cast<double>(gpu.launch_nanoseconds) * 1e-3;
  time.resources.emplace_back("launch", launch_time);
  time.bound_by = slowest.second >= launch_time ? slowest.first : "launch";
  time.microseconds = slowest.second + launch_time;
  return time;
}

}  // namespace sim
