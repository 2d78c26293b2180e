#include "kernels/profile/simulated.h"

#include <algorithm>
#include <cmath>

#include "kernels/profile/metric.h"

namespace profile {
namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

/// Sums `read` over the kernels.
template <class Read>
double sum(const Kernels& kernels, const Read& read) {
  double total = 0;
  for (std::size_t k = kernels.first; k < kernels.last; ++k) total += read(kernels.program.kernels[k]);
  return total;
}

double peak_shared_memory(const Kernels& kernels) {
  std::int64_t peak = 0;
  for (std::size_t k = kernels.first; k < kernels.last; ++k)
    peak = std::max(peak, kernels.program.traces[k].peak_smem.count());
  return number(peak);
}

std::optional<double> if_any(double value) { return value > 0 ? std::optional(value) : std::nullopt; }

std::optional<double> l2_hit_rate(const Moved& moved) {
  if (moved.reductions > 0 || moved.reads <= 0) return std::nullopt;
  return 1 - moved.hbm_reads / moved.reads;
}

}  // namespace

Moved moved_by(const Kernels& kernels) {
  Moved moved;
  for (std::size_t k = kernels.first; k < kernels.last; ++k) {
    const sim::KernelMeters& kernel = kernels.program.kernels[k];
    const double reductions = number(kernel.totals.atomic.count());
    moved.reads += number(kernel.totals.total.read.count()) - reductions;
    moved.writes += number(kernel.totals.total.written.count());
    moved.reductions += reductions;
    moved.input_bytes += number(kernel.compulsory.read.count());
    for (const auto& [tensor, traffic] : kernel.hbm) {
      moved.hbm_reads += number(traffic.read.count());
      moved.hbm_writes += number(traffic.written.count());
    }
  }
  return moved;
}

std::optional<double> simulated_value(std::string_view path, const Kernels& kernels) {
  const Moved moved = moved_by(kernels);
  const bool of_hbm = path.starts_with("hbm_traffic");
  if (of_hbm && !kernels.program.kernels.front().hbm_counted) return std::nullopt;
  if (path == path::tile_reads) return moved.reads;
  if (path == path::tile_writes) return moved.writes;
  if (path == path::hbm_reads) return moved.hbm_reads;
  if (path == path::hbm_writes) return moved.hbm_writes;
  if (path == path::l2_hits) return l2_hit_rate(moved);
  if (path == path::shared_memory) return peak_shared_memory(kernels);
  const double microseconds = sum(kernels, [](const sim::KernelMeters& k) { return k.time.microseconds; });
  const sim::DeviceSpec& gpu = *kernels.program.plan.scenario.gpu;
  const double hbm = moved.hbm_reads + moved.hbm_writes, rate = microseconds > 0 ? hbm / microseconds * 1e6 : 0;
  if (path == path::hbm_bytes) return hbm;
  if (path == path::hbm_rate) return if_any(rate);
  if (path == path::hbm_share) return if_any(rate / number(gpu.hbm_bytes_per_second));
  if (path == path::clock) return number(gpu.clock_hz) * 1e-6;
  if (path == path::time) return std::isnan(microseconds) ? std::nullopt : std::optional(microseconds);
  if (path == path::exponentials)
    return if_any(sum(kernels, [](const sim::KernelMeters& k) { return number(k.totals.exps.count()); }));
  if (path == path::matmul && kernels.program.plan.scenario.dtype != sim::Dtype::fp32)
    return if_any(sum(kernels, [](const sim::KernelMeters& k) { return number(k.totals.matmul_flops.count()); }));
  return std::nullopt;
}

}  // namespace profile
