#include "sim/machine/device_spec.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "sim/base/check.h"
#include "sim/base/embedded.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace sim {

std::int64_t DeviceSpec::matmul_flops_per_clock(Dtype dtype) const {
  if (dtype == Dtype::fp32) return fp32_flops_per_clock;
  return dtype == Dtype::e4m3 ? 2 * tensor_flops_per_clock_fp16 : tensor_flops_per_clock_fp16;
}

namespace {

constexpr std::string_view device_folder = "machine/devices/", device_ending = ".toml";

/// Cards without a file here. A name of another card may be one letter away and several times as fast.
constexpr std::string_view other_cards[] = {
    "a2",      "a16",     "a30",      "a40",      "a10g",     "a1000",    "a2000",    "a4000",   "a4500",
    "a5500",   "rtxa400", "rtxa1000", "rtxa2000", "rtxa4000", "rtxa4500", "rtxa5500", "rtx4000", "rtx5000",
    "rtx6000", "rtx8000", "rtxpro",   "l2",       "l40",      "b100",     "b300",     "gb200",   "gb300",
    "gh100",   "h200a",   "p4",       "p40",      "p100",     "m40",      "m60",      "k80",     "t4g",
    "t1000",   "titan",   "gtx",      "rtx2060",  "rtx2070",  "rtx3050",  "rtx3060",  "rtx3070", "rtx3080",
    "rtx4050", "rtx4060", "rtx4070",  "rtx5050",  "rtx5060",  "rtx5070",  "rtx5080",  "mi50",    "mi60",
    "mi100",   "mi210",   "mi250",    "mi300a",   "mi325",    "mi350",    "mi355",    "orin",    "thor"};

/// True if a name is that of a card without a file, with or without its vendor and series, and what follows its number.
bool is_other_card(std::string_view name) {
  std::string typed = in_lower_case(name.substr(0, 100));
  std::erase_if(typed, [](char c) { return c == '-' || c == '_' || c == ' '; });
  for (const std::string_view word : {"nvidia", "geforce", "tesla", "quadro", "amd", "instinct", "jetson"}) {
    if (typed.starts_with(word)) typed.erase(0, word.size());
  }
  return std::any_of(std::begin(other_cards), std::end(other_cards), [&](std::string_view card) {
    const bool longer_number = typed.size() > card.size() && '0' <= typed[card.size()] && typed[card.size()] <= '9';
    return typed.starts_with(card) && (!longer_number || card.back() > '9');
  });
}

Sentence unknown_gpu(std::string_view name, const std::vector<std::string>& known) {
  if (!is_other_card(name)) return unknown_name_message("GPU", name, known);
  return Sentence::of("unknown GPU ", quoted(name, 100), ": there is no table of it. known: ", joined(known));
}

}  // namespace

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (std::string_view path : embedded_paths()) {
    if (!path.starts_with(device_folder)) continue;
    path.remove_prefix(device_folder.size());
    path.remove_suffix(device_ending.size());
    names.emplace_back(path);
  }
  return names;
}

const DeviceSpec& device(std::string_view name) {
  static const std::vector<std::string> names = device_names();
  // Only requested devices are parsed, so that start-up stays fast. The list is never destroyed, because objects that
  // outlive main refer to its devices.
  static auto& parsed = *new std::vector<std::atomic<const DeviceSpec*>>(names.size());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw Error(unknown_gpu(name, names));
  std::atomic<const DeviceSpec*>& entry = parsed[static_cast<std::size_t>(found - names.begin())];
  if (const DeviceSpec* known = entry.load()) return *known;

  const std::string path = text(device_folder, name, device_ending);
  auto device = std::make_unique<DeviceSpec>(parse_device(embedded_text(path), path));
  device->built_in = true;
  const DeviceSpec* first = nullptr;  // of several threads that parse it, the first to store wins
  return entry.compare_exchange_strong(first, device.get()) ? *device.release() : *first;
}

}  // namespace sim
