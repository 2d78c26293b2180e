#include "sim/machine/device_spec.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>

#include "sim/base/check.h"
#include "sim/base/embedded.h"
#include "sim/base/nearest.h"

namespace sim {

std::int64_t DeviceSpec::matmul_flops_per_clock(Dtype dtype) const {
  return dtype == Dtype::fp32 ? fp32_flops_per_clock : tensor_flops_per_clock_fp16;
}

std::vector<std::string> device_names() {
  return {"toy",      "t4",        "rtx-3090",      "a10",           "rtx-4090",       "l4",
          "l40s",     "rtx-5090",  "a100-sxm-40gb", "a100-sxm-80gb", "a100-pcie-40gb", "a100-pcie-80gb",
          "h100-sxm", "h100-pcie", "h100-nvl",      "h200",          "h200-nvl",       "b200"};
}

const DeviceSpec& device(std::string_view name) {
  static std::mutex one_at_a_time;
  const std::lock_guard guard(one_at_a_time);
  static std::map<std::string, DeviceSpec, std::less<>> parsed;  // only what was asked for: start-up stays fast
  if (const auto known = parsed.find(name); known != parsed.end()) return known->second;

  const std::vector<std::string> names = device_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw Error(unknown_name_message("GPU", name, names));
  }
  const std::string path = text("machine/devices/", name, ".toml");
  DeviceSpec& entry = parsed.emplace(std::string(name), parse_device(embedded_text(path), path)).first->second;
  entry.built_in = true;
  return entry;
}

}  // namespace sim
