#include "sim/model/roofline.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/machine/device_fields.h"

namespace sim {
namespace {

double real(std::int64_t n) { return static_cast<double>(n); }

/// Returns FLOPs per byte. A kernel always writes something; max() still guards against division by 0.
double per_byte(Flops flops, Bytes bytes) {
  return real(flops.count()) / real(std::max<std::int64_t>(1, bytes.count()));
}

}  // namespace

Roofs roofs_of(const DeviceSpec& gpu, Dtype dtype) {
  const double clocks = real(gpu.clock_hz) * real(gpu.sm_count);
  return {real(gpu.matmul_flops_per_clock(dtype)) * clocks, real(gpu.fp32_flops_per_clock) / 2 * clocks,
          dtype == Dtype::fp32, known_number(gpu, &DeviceSpec::l2_bytes_per_second), real(gpu.hbm_bytes_per_second)};
}

Roofs roofs_of(const Plan& plan) { return roofs_of(*plan.scenario.gpu, product_dtype(plan)); }

double RooflinePoint::tile_intensity() const { return per_byte(rated(), tile); }
double RooflinePoint::hbm_intensity() const {
  return hbm_counted ? per_byte(rated(), hbm) : std::numeric_limits<double>::quiet_NaN();
}

double RooflinePoint::peak(const Roofs& roofs) const {
  const double products = real(matrix.count()) / roofs.matrix_peak,
               rest = real((other - folded).count()) / roofs.other_peak;
  const double seconds = roofs.one_pipe ? products + rest : std::max(products, rest);
  return seconds > 0 ? real(rated().count()) / seconds : roofs.matrix_peak;
}

double RooflinePoint::attainable(const Roofs& roofs) const {
  double least = peak(roofs);
  const double of_hbm = per_byte(rated(), hbm_counted ? hbm : compulsory);
  for (const double roof : {tile_intensity() * roofs.l2, of_hbm * roofs.hbm}) {
    if (std::isfinite(roof)) least = std::min(least, roof);
  }
  return least;
}

double RooflinePoint::achieved() const { return microseconds == 0 ? 0 : real(rated().count()) / (microseconds * 1e-6); }

double RooflinePoint::level(const Roofs& roofs) const {
  return std::isnan(achieved()) ? attainable(roofs) : achieved();
}

double RooflinePoint::plotted_hbm() const { return hbm_counted ? hbm_intensity() : tile_intensity(); }

RooflinePoint roofline_point(const KernelMeters& kernel) {
  return {kernel.name,
          kernel.totals.matmul_flops,
          kernel.totals.other_flops,
          kernel.totals.total.total(),
          kernel.hbm_total(),
          kernel.time.microseconds,
          kernel.folded_flops,
          kernel.hbm_counted,
          kernel.compulsory.total()};
}

std::vector<RooflinePoint> roofline(const Simulation& simulation) {
  std::vector<RooflinePoint> points;
  Flops folded;
  for (const KernelMeters& kernel : simulation.kernels) {
    points.push_back(roofline_point(kernel));
    folded += kernel.folded_flops;
  }
  points.push_back({"all kernels", simulation.totals.matmul_flops, simulation.totals.other_flops,
                    simulation.totals.total.total(), simulation.hbm.total(), simulation.microseconds, folded,
                    counts_hbm_traffic(*simulation.plan.scenario.gpu), simulation.compulsory.total()});
  return points;
}

}  // namespace sim
