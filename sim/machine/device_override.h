// A known GPU with some fields replaced: `h100-sxm:sm_count=114:hbm_bytes_per_second=2.0T`.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/device_fields.h"

namespace sim {

/// The text of `--gpu`, in parts: the known device, and `field=value` for each replaced field.
struct DeviceText {
  std::string name;                 ///< name in the table, or FILE.toml; as typed
  std::vector<std::string> fields;  ///< "sm_count=114"
};

/// Splits at the first ':' that `field=` follows, so that a file name may contain others.
DeviceText split_device(std::string_view text);

/// Returns the field of a name. Throws Error with the nearest name, or all of them.
const DeviceField& field_called(std::string_view name);

/// Parses a whole number in a field's unit: "26214400", "25M", "25MiB", "2.0T", as sim/base/amount.h reads it. Throws
/// Error for anything else, for a fraction of a unit, and for a value outside the field's plausible range.
std::int64_t parse_field(const DeviceField& field, std::string_view text);

/// Returns the device with these fields replaced. Measured or estimated fields scale with those that they derive from,
/// unless they are given explicitly: the measured rate of HBM with its peak, `l2_effective_bytes` with `l2_bytes`, the
/// rate of L2 with SMs x clock, the rate of mma.sync with that of the tensor cores. `wgmma_clock_hz`, which power
/// limits, is dropped with other SMs or another rate of tensor cores, unless it is given. The rest is unchanged. The
/// name becomes the canonical text, with fields in the order of device_fields(), without those that keep their value;
/// if none is left, the result is `base` itself. Throws Error for an unknown field, one that is given twice, and fields
/// that contradict each other.
/// Inaccuracies: latencies in cycles are unchanged if the clock changes; published values of a die are unchanged with
/// fewer SMs.
std::shared_ptr<const DeviceSpec> with_fields(std::shared_ptr<const DeviceSpec> base,
                                              const std::vector<std::string>& fields);

/// Returns the device with its SMs locked at a clock, also under wgmma: L2 and HBM keep their rates per second, unlike
/// with the field clock_hz, so that cycles of copies change. The name is unchanged; the title includes the clock.
/// Throws Error if the clock contradicts another field.
std::shared_ptr<const DeviceSpec> at_clock(const DeviceSpec& base, std::int64_t hz);

/// Origin of a field of such a device: its table or file, given by the user, or scaled with a given field.
enum class Differs { no, given, scaled };
Differs difference_of(const DeviceSpec& device, std::string_view field);

/// Returns sentences on the fields that scaled: "hbm_measured_bytes_per_second is 1.8e12 B/s, scaled with ..."; none
/// for a device of a table or a file.
std::vector<std::string> scaled_fields(const DeviceSpec& device);

}  // namespace sim
