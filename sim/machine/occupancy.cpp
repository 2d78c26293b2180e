#include "sim/machine/occupancy.h"

#include <algorithm>

namespace sim {

std::int64_t ctas_per_sm(const DeviceSpec& device, const CtaNeeds& needs) {
  const auto share = [](std::int64_t all, std::int64_t one) { return all / std::max<std::int64_t>(one, 1); };
  return std::max<std::int64_t>(1, std::min({share(device.smem_bytes_per_sm, needs.smem.count()),
                                             share(device.register_bytes_per_sm, needs.registers.count()),
                                             share(device.threads_per_sm, needs.threads), device.ctas_per_sm}));
}

}  // namespace sim
