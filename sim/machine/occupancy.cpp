#include "sim/machine/occupancy.h"

#include <algorithm>
#include <array>

namespace sim {
namespace {

struct Limit {
  std::string_view what;
  std::int64_t ctas;
};

std::array<Limit, 4> limits_of(const DeviceSpec& device, const CtaNeeds& needs) {
  const auto share = [](std::int64_t all, std::int64_t one) { return all / std::max<std::int64_t>(one, 1); };
  return {{{"SMEM", share(device.smem_bytes_per_sm, needs.smem.count())},
           {"registers", share(device.register_bytes_per_sm, needs.registers.count())},
           {"threads", share(device.threads_per_sm, needs.threads)},
           {"CTA slots", device.ctas_per_sm}}};
}

Limit smallest_of(const std::array<Limit, 4>& limits) {
  return *std::min_element(limits.begin(), limits.end(), [](Limit a, Limit b) { return a.ctas < b.ctas; });
}

}  // namespace

std::int64_t ctas_per_sm(const DeviceSpec& device, const CtaNeeds& needs) {
  return std::max<std::int64_t>(1, smallest_of(limits_of(device, needs)).ctas);
}

std::string_view occupancy_limit(const DeviceSpec& device, const CtaNeeds& needs) {
  return smallest_of(limits_of(device, needs)).what;
}

}  // namespace sim
