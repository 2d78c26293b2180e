// A GPU like one that is known, but for some fields: `h100-sxm:sm_count=114:hbm_bytes_per_second=2.0T`.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/device_fields.h"

namespace sim {

/// The text of `--gpu`, in parts: the device that is known, and `field=value` for each field that differs.
struct DeviceText {
  std::string name;                 ///< of the table, or FILE.toml; as it was typed
  std::vector<std::string> fields;  ///< "sm_count=114"
};

/// Splits at the first ':' that `field=` follows, so that a file's name may hold others.
DeviceText split_device(std::string_view text);

/// The field of a name. Throws Error with the nearest name, or all of them.
const DeviceField& field_called(std::string_view name);

/// A number of a field's unit, "25Mi", whether plausible and whole or not. Throws Error for anything else.
double parse_amount(const DeviceField& field, std::string_view text);

/// A whole number of a field's unit: "26214400", "25Mi", "2.0T". k, M, G and T are powers of 1,000, Ki, Mi, Gi and Ti
/// of 1,024. Throws Error for anything else, for a part of a unit, and for what is not plausible of the field.
std::int64_t parse_field(const DeviceField& field, std::string_view text);

/// The device with these fields in place of its own. Fields that were measured or estimated scale with what they rest
/// on, unless they are named themselves: the measured rate of HBM with its peak, `l2_effective_bytes` with `l2_bytes`,
/// the rate of L2 with SMs x clock, the rate of mma.sync with that of the tensor cores. The rest stays as it is.
/// The name becomes the canonical text, fields in the order of device_fields(), without those that are what they were;
/// where none is left, the result is `base` itself. Throws Error for an unknown field, one that is named twice, and
/// fields that contradict each other.
/// Inaccuracies: latencies in cycles stay where the clock changes; what is published of a die stays with fewer SMs.
std::shared_ptr<const DeviceSpec> with_fields(std::shared_ptr<const DeviceSpec> base,
                                              const std::vector<std::string>& fields);

/// The device with its SMs locked at a clock, also under wgmma: L2 and HBM keep their rates per second, unlike with the
/// field clock_hz, so that cycles of copies change. The name stays; the title says the clock. Throws Error if the clock
/// contradicts another field.
std::shared_ptr<const DeviceSpec> at_clock(const DeviceSpec& base, std::int64_t hz);

/// Origin of a field of such a device: its table or file, what was typed, or scaled with what was typed.
enum class Differs { no, given, scaled };
Differs difference_of(const DeviceSpec& device, std::string_view field);

/// Sentences on the fields that scaled: "hbm_measured_bytes_per_second is 1.8e12 B/s, scaled with ..."; none for a
/// device of a table or a file.
std::vector<std::string> scaled_fields(const DeviceSpec& device);

}  // namespace sim
