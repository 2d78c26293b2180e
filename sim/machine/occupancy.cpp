#include "sim/machine/occupancy.h"

namespace sim {
namespace {

OccupancyLimit smallest_limit(const DeviceSpec& device, const CtaNeeds& needs) {
  const auto limits = occupancy_limits(device, needs);
  return *std::min_element(limits.begin(), limits.end(),
                           [](const OccupancyLimit& a, const OccupancyLimit& b) { return a.ctas() < b.ctas(); });
}

}  // namespace

std::array<OccupancyLimit, 4> occupancy_limits(const DeviceSpec& device, const CtaNeeds& needs) {
  return {{{"smem", "SMEM", device.smem_bytes_per_sm, needs.smem.count()},
           {"registers", "registers", device.register_bytes_per_sm, needs.registers.count()},
           {"threads", "threads", device.threads_per_sm, needs.threads},
           {"cta_slots", "CTA slots", device.ctas_per_sm, 1}}};
}

std::int64_t ctas_per_sm(const DeviceSpec& device, const CtaNeeds& needs) {
  return std::max<std::int64_t>(1, smallest_limit(device, needs).ctas());
}

std::string_view occupancy_limit(const DeviceSpec& device, const CtaNeeds& needs) {
  return smallest_limit(device, needs).what;
}

}  // namespace sim
