// The numbers of a device as a table: name, unit and what is plausible. The parser, its tests and messages read it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/device_spec.h"

namespace sim {

/// A number of DeviceSpec: `min` to `max` of `unit` are plausible. max < 1000 min: where the right value passes, one in
/// the wrong unit (GB/s for B/s, MHz for Hz) never does.
///
/// A number that only the timing model needs may be absent: it is 0 in the DeviceSpec then, and no time is predicted.
/// Bytes, memory, FLOPs, occupancy and the roofs of HBM and of the pipes need none of these.
struct DeviceField {
  const char* name;
  std::int64_t DeviceSpec::*member;
  const char* unit;
  std::int64_t min, max;
  const char* otherwise = "";  ///< the field whose number a file without this one has; "": each file has it
  const char* in_time = "";    ///< what of the predicted time needs it, where nothing else does; "": each file has it
  std::int64_t stand_in = 0;   ///< where it is absent: it orders the events of a replay, and no output shows it
};

/// The field of a name, or null.
const DeviceField* find_device_field(std::string_view name);

/// Every number of a device, in the order of the files.
const std::vector<DeviceField>& device_fields();

/// Text in the place of `l2_bytes` and `l2_effective_bytes`, for a GPU whose caches the model of L2 does not describe.
inline constexpr std::string_view unmodelled_caches_field = "unmodelled_caches";

/// Names the caches of such a GPU: "an L2 of 4 MiB for each of 8 chiplets, ..."; "" for all others. HBM traffic and
/// time are not predicted where it is not empty.
std::string unmodelled_caches(const DeviceSpec& device);

/// Fields that a device has no number for, in the order of device_fields(): its time is not predicted where there is
/// one. Empty for most.
std::vector<std::string> missing_fields(const DeviceSpec& device);

/// True if the HBM traffic of runs on a device is counted: its caches are those of the model.
bool counts_hbm_traffic(const DeviceSpec& device);

/// True if a device has every number that its predicted time needs.
bool has_time(const DeviceSpec& device);

/// "1830 MHz"
std::string megahertz(std::int64_t hz);

/// A number of a device; not a number where it is absent.
double known_number(const DeviceSpec& device, std::int64_t DeviceSpec::*member);

/// A number of a device, or what stands in for it in a replay.
double replay_number(const DeviceSpec& device, std::int64_t DeviceSpec::*member);

/// "no time is predicted: my-gpu has no mma_latency_cycles; give it ...": of a device that lacks a field; "" of others.
std::string why_no_time(const DeviceSpec& device);

/// "no HBM traffic is counted: ...", of a device with unmodelled caches.
std::string why_no_hbm_traffic(const DeviceSpec& device);

/// Throws Error unless the fields fit together: what is part of a whole is not larger than it, what is nearer is not
/// slower, and the balance of the rates is that of a GPU. `origin` (a file name) stands in the message, with the
/// fields, their values and the allowed range.
void check_together(const DeviceSpec& device, const std::string& origin);

}  // namespace sim
