// Axes of a sweep: `--over seqlen=1024:65536:x2` as a scenario option and its values.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/catalogue/options.h"
#include "sim/machine/device_fields.h"
#include "viz/results/input_file.h"

namespace results {

/// A scenario option, or a device field such as gpu.l2_bytes, and its values.
struct Axis {
  std::string name;
  sim::OptionKind kind;
  std::vector<std::string> values;          ///< as on the command line; for a field, whole numbers of its unit
  const sim::DeviceField* field = nullptr;  ///< null if an option
};

/// Most points of a sweep.
inline constexpr std::int64_t most_points = 1'000'000;

/// Reads NAME=VALUES. VALUES: values and ranges, separated by commas; a range is FIRST:LAST:STEP, where STEP k or +k
/// adds and xk multiplies, and includes LAST if a step reaches it. Numbers after a pattern belong to it:
/// pattern=causal,local-global:1,2 are two values. gpu.FIELD takes what `--gpu NAME:FIELD=` takes, including suffixes.
/// Throws sim::Error with the axis, the value and what is allowed: an unknown option, no value, an invalid or repeated
/// value, more values than most_points.
Axis parse_axis(const std::string& text, const OptionFiles& files);

/// Reads the axes in order; the first varies slowest. Throws sim::Error for an option that is also in `fixed` or
/// repeated among the axes, a field that a --gpu or a value of the axis gpu also sets, and for more points than
/// most_points, with their number.
std::vector<Axis> parse_axes(const std::vector<std::string>& texts, const sim::OptionValues& fixed,
                             const OptionFiles& files);

/// Sets the option or field of an axis to a value. A field is appended to the GPU in the options, so the axis gpu must
/// be set first.
void set_value(const Axis& axis, const std::string& value, sim::OptionValues& options);

/// Product of the axes' lengths.
std::int64_t point_count(const std::vector<Axis>& axes);

}  // namespace results
