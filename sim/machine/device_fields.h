// The numbers of a device as a table: name, unit and plausible range. Read by the parser, its tests and messages.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/device_spec.h"

namespace sim {

/// A number of DeviceSpec, with its plausible range `min` to `max` in `unit`. max < 1000 min: if the right value is in
/// the range, a value in the wrong unit (GB/s for B/s, MHz for Hz) never is.
///
/// A number that only the timing model needs may be absent: it is then 0 in the DeviceSpec, and no time is predicted.
/// Bytes, memory, FLOPs, occupancy and the roofs of HBM and of the pipes do not need it.
struct DeviceField {
  const char* name;
  std::int64_t DeviceSpec::*member;
  const char* unit;
  std::int64_t min, max;
  const char* otherwise =
      "";                     ///< field that supplies the number if a file omits it; itself: it stays 0; "": no default
  const char* in_time = "";   ///< part of the time that needs it, if nothing else does; "": required in each file
  std::int64_t stand_in = 0;  ///< value if absent: orders the events of a replay, never shown in output
  /// True if a device has the number, or may lack it without losing its time.
  bool holds_in(const DeviceSpec& device) const { return device.*member != 0 || otherwise == std::string_view(name); }
};

/// Returns the field of a name, or null.
const DeviceField* find_device_field(std::string_view name);

/// Returns every number of a device, in the order of the files.
const std::vector<DeviceField>& device_fields();

/// Field that replaces `l2_bytes` and `l2_effective_bytes`, as text, for a GPU whose caches the L2 model does not
/// describe.
inline constexpr std::string_view unmodelled_caches_field = "unmodelled_caches";

/// Returns the description of such caches: "an L2 of 4 MiB for each of 8 chiplets, ..."; "" for all other GPUs. If it
/// is not empty, HBM traffic and time are not predicted.
std::string unmodelled_caches(const DeviceSpec& device);

/// Returns the fields for which a device has no number, in the order of device_fields(); its time is predicted only if
/// there are none. Empty for most devices.
std::vector<std::string> missing_fields(const DeviceSpec& device);

/// True if the HBM traffic of runs on a device is counted: its caches fit the model.
bool counts_hbm_traffic(const DeviceSpec& device);

/// True if a device has every number that its predicted time needs.
bool has_time(const DeviceSpec& device);

/// Returns "1830 MHz".
std::string megahertz(std::int64_t hz);

/// Returns a number of a device; NaN if absent.
double known_number(const DeviceSpec& device, std::int64_t DeviceSpec::*member);

/// Returns a number of a device, or its stand-in for a replay if absent.
double replay_number(const DeviceSpec& device, std::int64_t DeviceSpec::*member);

/// Returns "no time is predicted: my-gpu has no mma_latency_cycles; give it ...", for a device that lacks a field; ""
/// for others.
std::string why_no_time(const DeviceSpec& device);

/// Returns "no HBM traffic is counted: ...", for a device with unmodelled caches.
std::string why_no_hbm_traffic(const DeviceSpec& device);

/// Throws Error unless the fields are consistent: a part is not larger than the whole, a nearer memory is not slower,
/// and the balance of the rates is that of a GPU. The message has `origin` (a file name), the fields, their values and
/// the allowed range.
void check_together(const DeviceSpec& device, const std::string& origin);

}  // namespace sim
