// The axes of a sweep: `--over seqlen=1024:65536:x2` as a scenario option and the values that it takes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/catalogue/options.h"
#include "sim/machine/device_fields.h"
#include "viz/results/input_file.h"

namespace results {

/// A scenario option, or a field of the device, gpu.l2_bytes, and its values.
struct Axis {
  std::string name;
  sim::OptionKind kind;
  std::vector<std::string> values;          ///< as on the command line; of a field, whole numbers of its unit
  const sim::DeviceField* field = nullptr;  ///< null for an option
};

/// A sweep has at most so many points.
inline constexpr std::int64_t most_points = 1'000'000;

/// Reads NAME=VALUES. VALUES: values and ranges with commas between; a range is FIRST:LAST:STEP, where STEP k or +k
/// adds and xk multiplies, and LAST belongs to it when it is hit. The numbers of a pattern stay with it:
/// pattern=causal,local-global:1,2 are two values. gpu.FIELD takes what `--gpu NAME:FIELD=` takes,
/// suffixes too. Throws sim::Error with the axis, the value and what
/// is allowed: an unknown option, no value, a value that the option does not take or twice, more values than
/// most_points.
Axis parse_axis(const std::string& text, const OptionFiles& files);

/// The axes in order, the first varies slowest. Throws sim::Error for an option that is also in `fixed` or twice among
/// the axes, a field that a --gpu or a value of the axis gpu has as well, and for more points than most_points, with
/// their number.
std::vector<Axis> parse_axes(const std::vector<std::string>& texts, const sim::OptionValues& fixed,
                             const OptionFiles& files);

/// Gives the option or field of an axis that value. A field stands behind the GPU that the options name, so that the
/// axis gpu goes first.
void set_value(const Axis& axis, const std::string& value, sim::OptionValues& options);

/// The product of the lengths.
std::int64_t point_count(const std::vector<Axis>& axes);

}  // namespace results
