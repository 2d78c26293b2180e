#include "sim/model/links.h"

#include "sim/model/roofline.h"

namespace sim {
namespace {

LinkUses links_at(const Simulation& s, const RooflinePoint& point) {
  const DeviceSpec& gpu = *s.plan.scenario.gpu;
  return {{{"l2", point.tile, gpu.l2_bytes_per_second, point.microseconds},
           {"hbm", point.hbm, gpu.hbm_bytes_per_second, point.microseconds}}};
}

}  // namespace

double LinkUse::percent_of_peak() const {
  return 100 * static_cast<double>(bytes.count()) / (static_cast<double>(bytes_per_second) * microseconds * 1e-6);
}

LinkUses links_of(const Simulation& simulation) { return links_at(simulation, roofline(simulation).back()); }

LinkUses links_of(const Simulation& simulation, std::size_t k) {
  return links_at(simulation, roofline_point(simulation.kernels[k]));
}

}  // namespace sim
