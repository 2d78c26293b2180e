#include "sim/machine/device_spec.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "sim/base/check.h"
#include "sim/base/embedded.h"
#include "sim/base/nearest.h"

namespace sim {

std::int64_t DeviceSpec::matmul_flops_per_clock(Dtype dtype) const {
  return dtype == Dtype::fp32 ? fp32_flops_per_clock : tensor_flops_per_clock_fp16;
}

std::vector<std::string> device_names() {
  return {"toy",
          "t4",
          "rtx-3090",
          "a10",
          "rtx-4090",
          "l4",
          "l40s",
          "rtx-5090",
          "a100-sxm-40gb",
          "a100-sxm-80gb",
          "a100-pcie-40gb",
          "a100-pcie-80gb",
          "h100-sxm",
          "h100-pcie",
          "h100-nvl",
          "h200",
          "h200-nvl",
          "b200",
          "v100-sxm2-16gb",
          "v100-sxm2-32gb",
          "rtx-2080-ti",
          "rtx-a6000",
          "gh200-96gb",
          "mi300x"};
}

const DeviceSpec& device(std::string_view name) {
  static const std::vector<std::string> names = device_names();
  // Only requested devices are parsed, so that start-up stays fast. The list is never destroyed, because objects that
  // outlive main refer to its devices.
  static auto& parsed = *new std::vector<std::atomic<const DeviceSpec*>>(names.size());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw Error(unknown_name_message("GPU", name, names));
  std::atomic<const DeviceSpec*>& entry = parsed[static_cast<std::size_t>(found - names.begin())];
  if (const DeviceSpec* known = entry.load()) return *known;

  const std::string path = text("machine/devices/", name, ".toml");
  auto device = std::make_unique<DeviceSpec>(parse_device(embedded_text(path), path));
  device->built_in = true;
  const DeviceSpec* first = nullptr;  // of several threads that parse it, the first to store wins
  return entry.compare_exchange_strong(first, device.get()) ? *device.release() : *first;
}

}  // namespace sim
