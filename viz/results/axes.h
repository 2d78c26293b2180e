// Axes of a sweep: `--over seqlen=1024:65536:x2` as a scenario option and its values.
#pragma once
#include <cstdint>
#include <map>
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
  /// The axis model: options in the config.json of each value that names one, and what was and was not taken of it.
  std::map<std::string, sim::OptionValues> models = {};
  std::vector<std::string> notes = {};
};

/// An axis before it is read: its name, and values and ranges.
struct TypedAxis {
  std::string name;
  std::vector<std::string> values;

  TypedAxis(std::string called, std::vector<std::string> all) : name(std::move(called)), values(std::move(all)) {}
  /// NAME=VALUES with commas between values. Numbers after a pattern belong to it: pattern=causal,local-global:1,2 are
  /// two values. Throws sim::Error without "=".
  TypedAxis(const std::string& text);  // NOLINT(google-explicit-constructor): a text is an axis
  TypedAxis(const char* text) : TypedAxis(std::string(text)) {}  // NOLINT(google-explicit-constructor)
};
using TypedAxes = std::vector<TypedAxis>;

/// Most points of a sweep.
inline constexpr std::int64_t most_points = 1'000'000;

/// Reads values and ranges; a range is FIRST:LAST:STEP, where STEP k or +k adds and xk multiplies, and includes LAST if
/// a step reaches it. gpu.FIELD takes what `--gpu NAME:FIELD=` takes, including suffixes. Throws sim::Error with the
/// axis, the value and what is allowed: an unknown option, no value, an invalid or repeated value, more values than
/// most_points.
Axis parse_axis(const TypedAxis& typed, const OptionFiles& files);

/// Reads the axes in order; the first varies slowest. Throws sim::Error for an option that is also in `fixed` or
/// repeated among the axes, a field that a --gpu or a value of the axis gpu also sets, and for more points than
/// most_points, with their number.
std::vector<Axis> parse_axes(const TypedAxes& typed, const sim::OptionValues& fixed, const OptionFiles& files);

/// Replaces the file of a model among fixed options by its options, as OptionFiles::model does, except those that are
/// axes.
void expand_model_beside(const TypedAxes& axes, sim::OptionValues& fixed, std::vector<std::string>& notes,
                         const OptionFiles& files);

/// Sets the option or field of an axis to a value, or the options of a model's file that are not set. A field is
/// appended to the GPU in the options, so the axis gpu must be set first.
void set_value(const Axis& axis, const std::string& value, sim::OptionValues& options);

/// Product of the axes' lengths.
std::int64_t point_count(const std::vector<Axis>& axes);

}  // namespace results
