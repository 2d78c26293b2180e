#include "viz/results/axes.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"
#include "sim/machine/device_override.h"
#include "sim/report/numbers.h"

namespace results {
namespace {

using sim::OptionKind;

constexpr std::string_view of_gpu = "gpu.";

std::string shown(std::int64_t points) { return report::thousands(points); }
std::string shown(double points) {
  return points < 1e15 ? report::thousands(static_cast<std::int64_t>(points)) : fmt::format("about {:.1e}", points);
}

template <class Number>
void check_point_count(const std::string& what, Number points) {
  sim::require(points <= static_cast<Number>(most_points), what, ": makes ", shown(points), " points, more than ",
               report::thousands(most_points));
}

const sim::ScenarioOption& option_of(const std::string& name) {
  const sim::ScenarioOption* option = sim::find_option(name);
  const sim::KnownAs known = option == nullptr ? sim::known_as(name) : sim::KnownAs{};
  if (known.value.empty() && !known.option.empty()) option = sim::find_option(known.option);
  const std::string instead = option == nullptr ? sim::why_no_option(name) : "";
  sim::require(instead.empty(), "over: unknown option \"", name.substr(0, 100), "\": ", instead);
  if (option == nullptr) throw sim::Error("over: ", sim::unknown_name_message("option", name, sim::option_names()));
  return *option;
}

/// A value of a field as --gpu takes it; errors name the option `over`.
std::int64_t field_value(const sim::DeviceField& field, const std::string& text) {
  try {
    return sim::parse_field(field, text);
  } catch (const sim::Error& error) {
    throw sim::Error("over: ", error);
  }
}

/// A value as double: exact, since whole numbers are exact up to 2^53 and options end at 2^40.
double to_number(const Axis& axis, const std::string& text) {
  if (axis.field != nullptr) return static_cast<double>(field_value(*axis.field, text));
  if (axis.kind == OptionKind::whole_number) {
    const sim::Measure measure = sim::measure_of(option_of(axis.name).number.unit);
    const auto whole = sim::whole_amount(measure, text);
    return static_cast<double>(sim::parse_whole_number("over: " + axis.name, whole ? std::to_string(*whole) : text, 0,
                                                       sim::largest_option, measure));
  }
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  sim::require(!text.empty() && *end == '\0' && std::isfinite(number), "over: ", axis.name, ": \"", text.substr(0, 100),
               "\" is not a finite number");
  return number;
}

std::string to_text(const Axis& axis, double number) {
  return axis.kind == OptionKind::whole_number ? std::to_string(static_cast<std::int64_t>(number))
                                               : fmt::format("{:.12g}", number);
}

/// The step of a range: the increment or the factor.
double step_of(const Axis& axis, std::string_view text, bool multiplies) {
  if (text.starts_with('+') || multiplies) text.remove_prefix(1);
  const std::string number(text);
  if (axis.field == nullptr) return to_number(axis, number);
  if (multiplies) return static_cast<double>(sim::typed_whole_number("over: " + axis.name, number, 0, 1 << 30));
  const auto step = sim::whole_amount(sim::measure_of(axis.field->unit), number);
  sim::require(step.has_value(), "over: ", axis.name, ": a step of ", number.substr(0, 100),
               " is not a whole number of ", axis.field->unit);
  return static_cast<double>(*step);
}

void add_range(Axis& axis, const std::string& range) {
  const std::vector<std::string_view> parts = sim::split(range, ":");
  sim::require(parts.size() == 3 && !parts[2].empty(), "over: ", axis.name, ": \"", range.substr(0, 100),
               "\" is not FIRST:LAST:STEP with a step of k, +k or xk");
  const double first = to_number(axis, std::string(parts[0])), last = to_number(axis, std::string(parts[1]));
  const bool multiplies = parts[2][0] == 'x';
  const double step = step_of(axis, parts[2], multiplies);
  sim::require(first <= last, "over: ", axis.name, ": ", range, " is empty: ", parts[0], " is beyond ", parts[1]);
  sim::require(!multiplies || (step > 1 && first > 0), "over: ", axis.name, ": ", range,
               " does not grow: a step xk needs k above 1 and a first value above 0");
  sim::require(step > 0, "over: ", axis.name, ": ", range, " does not grow: a step needs to be above 0");
  // Fractions and logarithms are inexact: a tolerance lets 0:0.3:0.1 reach 0.3, 2:8:x2 reach 8. Whole sums are exact.
  const bool whole = axis.kind == OptionKind::whole_number;
  const double steps = multiplies ? std::log(last / first) / std::log(step) : (last - first) / step;
  const double count = std::floor(steps + (whole && !multiplies ? 0 : 1e-9)) + 1;
  check_point_count("over: " + axis.name, count);
  for (double n = 0; n < count; ++n) {
    const double value = multiplies ? first * std::pow(step, n) : first + step * n;
    if (!whole || value <= last) axis.values.push_back(to_text(axis, value));
  }
}

/// Splits at commas. A number alone belongs to the pattern before it, which takes two: local-global:1,2.
std::vector<std::string> values_in(const std::string& list, std::string_view option) {
  std::vector<std::string> values;
  for (const std::string_view part : sim::split(list, ",")) {
    const bool number = !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    if (option == "pattern" && number && !values.empty())
      values.back().append(",").append(part);
    else
      values.emplace_back(part);
  }
  return values;
}

/// Options that a value of an axis sets: itself, or those of the model's file that it names.
sim::OptionValues read_value(Axis& axis, const std::string& value, const OptionFiles& files) {
  sim::OptionValues options = {{axis.name, value}};
  files.check(options);
  if (axis.name != "model") return options;
  files.model(options, axis.notes);
  if (options.count("model") == 0) axis.models[value] = options;
  return options;
}

void check_values(Axis& axis, const OptionFiles& files) {
  check_point_count("over: " + axis.name, static_cast<std::int64_t>(axis.values.size()));
  std::set<std::string> seen;
  for (const std::string& value : axis.values) {
    sim::require(seen.insert(value).second, "over: ", axis.name, ": ", value.substr(0, 100), " occurs twice");
    if (axis.field != nullptr) continue;  // already read as a number
    const sim::OptionValues options = read_value(axis, value, files);
    try {
      sim::check_options(options, files.gpu);
    } catch (const sim::Error& error) {
      throw sim::Error("over: ", error);
    }
  }
}

/// The axis of a name, without values.
Axis axis_called(const std::string& name) {
  if (!name.starts_with(of_gpu)) {
    const sim::ScenarioOption& option = option_of(name);
    return {std::string(option.name), option.kind, {}};
  }
  try {
    const sim::DeviceField& field = sim::field_called(std::string_view(name).substr(of_gpu.size()));
    return {sim::text(of_gpu, field.name), OptionKind::whole_number, {}, &field};
  } catch (const sim::Error& error) {
    throw sim::Error("over: ", error);
  }
}

/// Throws if a GPU of --gpu or of the axis gpu sets a field that is an axis.
void check_field(const Axis& axis, const std::string& gpu) {
  for (const std::string& pair : sim::split_device(gpu).fields) {
    const bool same = std::string_view(pair).substr(0, pair.find('=')) == axis.field->name;
    sim::require(!same, "over: ", axis.name, " is also given in the GPU ", gpu.substr(0, 100));
  }
}

void check_fields(const std::vector<Axis>& axes, const sim::OptionValues& fixed) {
  const auto gpu = fixed.find("gpu");
  for (const Axis& axis : axes) {
    if (axis.field == nullptr) continue;
    if (gpu != fixed.end()) check_field(axis, gpu->second);
    for (const Axis& other : axes) {
      for (const std::string& value : other.values) {
        if (other.name == "gpu") check_field(axis, value);
      }
    }
  }
}

}  // namespace

TypedAxis::TypedAxis(const std::string& text) : name(text.substr(0, text.find('='))) {
  sim::require(name.size() < text.size(), "over: \"", text.substr(0, 100),
               "\" is not NAME=VALUES, such as seqlen=1024:65536:x2 or causal=0,1");
  values = values_in(text.substr(name.size() + 1), name);
}

Axis parse_axis(const TypedAxis& typed, const OptionFiles& files) {
  Axis axis = axis_called(typed.name);
  const bool numbers = axis.kind == OptionKind::whole_number || axis.kind == OptionKind::number;
  sim::require(!typed.values.empty(), "over: ", axis.name, ": has no value");
  for (const std::string& item : typed.values) {
    const std::string shown = sim::text(typed.name, "=", sim::joined(typed.values, ","));
    sim::require(!item.empty(), "over: ", axis.name, ": a value is missing in \"", shown.substr(0, 100), "\"");
    if (numbers && item.find(':') != std::string::npos) {
      add_range(axis, item);
    } else {
      axis.values.push_back(axis.field != nullptr ? std::to_string(field_value(*axis.field, item))
                                                  : sim::exact_value(axis.name, item));
    }
  }
  check_values(axis, files);
  return axis;
}

std::vector<Axis> parse_axes(const TypedAxes& typed, const sim::OptionValues& fixed, const OptionFiles& files) {
  sim::require(!typed.empty(), "sweep: needs an axis: --over NAME=VALUES, such as --over seqlen=1024:65536:x2");
  std::vector<Axis> axes;
  double points = 1;
  for (const TypedAxis& one : typed) {
    Axis axis = parse_axis(one, files);
    sim::require(fixed.count(axis.name) == 0, "over: ", axis.name, " is also given as --", axis.name);
    for (const Axis& other : axes) sim::require(other.name != axis.name, "over: ", axis.name, " is an axis twice");
    points *= static_cast<double>(axis.values.size());
    axes.push_back(std::move(axis));
  }
  check_point_count("over", points);
  check_fields(axes, fixed);
  return axes;
}

void expand_model_beside(const TypedAxes& axes, sim::OptionValues& fixed, std::vector<std::string>& notes,
                         const OptionFiles& files) {
  std::vector<std::string> varied;
  for (const TypedAxis& axis : axes) {
    if (axis.name != "model" && fixed.emplace(axis.name, "").second) varied.push_back(axis.name);
  }
  files.model(fixed, notes);
  for (const std::string& name : varied) fixed.erase(name);
}

void set_value(const Axis& axis, const std::string& value, sim::OptionValues& options) {
  if (const auto model = axis.models.find(value); model != axis.models.end())
    return options.insert(model->second.begin(), model->second.end());
  if (axis.field == nullptr) {
    options[axis.name] = value;
    return;
  }
  const auto gpu = options.emplace("gpu", sim::option_called("gpu").otherwise).first;
  gpu->second += sim::text(":", axis.field->name, "=", value);
}

std::int64_t point_count(const std::vector<Axis>& axes) {
  std::int64_t points = 1;
  for (const Axis& axis : axes) points *= static_cast<std::int64_t>(axis.values.size());
  return points;
}

}  // namespace results
