#include "viz/results/input_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"

namespace results {
namespace {

constexpr std::array<const char*, 4> tensor_names = {"Q", "K", "V", "dO"};

/// True if the dtype holds every value of such a file. The values of f8 beyond fp32 are not used by any run.
bool holds(sim::Dtype dtype, const std::string& stored) {
  return dtype == sim::Dtype::fp32 || stored == (dtype == sim::Dtype::fp16 ? "f2" : "bf16");
}

bool overflows(sim::Dtype dtype, float value) {
  return std::isfinite(value) && !std::isfinite(sim::round_to(dtype, value));
}

/// The index of element n of an array: "[3, 5]".
std::string place_text(const std::vector<std::int64_t>& shape, std::size_t n) {
  std::string place;
  auto rest = static_cast<std::int64_t>(n);
  for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
    place = sim::text(rest % shape[axis], place.empty() ? "" : ", ", place);
  return "[" + place + "]";
}

const char* largest_text(sim::Dtype dtype) {
  return dtype == sim::Dtype::fp16 ? "65,504" : dtype == sim::Dtype::bf16 ? "3.3895e+38" : "3.4028e+38";
}

/// Advice that keeps a number from becoming infinite.
std::string way_out(sim::Dtype dtype, double value) {
  const auto narrow = static_cast<float>(value);
  const bool in_bf16 = dtype == sim::Dtype::fp16 && std::isfinite(sim::round_to(sim::Dtype::bf16, narrow));
  if (in_bf16) return "use --dtype bf16 or --dtype fp32, or scale the values";
  return dtype != sim::Dtype::fp32 && std::isfinite(narrow) ? "use --dtype fp32, or scale the values"
                                                            : "scale the values";
}

/// Text on the finite values of a file that are infinite in the dtype: the first, and their number; "" if none.
std::string beyond_text(const sim::NpyArray& array, sim::Dtype dtype) {
  const auto beyond = [dtype](float value) { return overflows(dtype, value); };
  const auto found = std::find_if(array.values.begin(), array.values.end(), beyond);
  auto first = static_cast<std::size_t>(found - array.values.begin());
  const bool wider = array.beyond_float && array.beyond_float->first < first;  // beyond float: infinite in `values`
  if (!wider && found == array.values.end()) return "";
  const double value = wider ? array.beyond_float->second : static_cast<double>(*found);
  if (wider) first = array.beyond_float->first;
  const auto more = std::count_if(array.values.begin(), array.values.end(), beyond) + array.beyond_float_count - 1;
  std::string text = fmt::format("{:.9g} at {} is beyond {}, whose largest value is {}, and becomes infinite", value,
                                 place_text(array.shape, first), sim::name_of(dtype), largest_text(dtype));
  if (more > 0) text += sim::text(", as do ", report::thousands(more), " more");
  return text + ": " + way_out(dtype, value);
}

/// Number of values that are NaN or infinite in the file itself.
std::int64_t nonfinite_in_file(const sim::NpyArray& array) {
  const auto count = std::count_if(array.values.begin(), array.values.end(), [](float x) { return !std::isfinite(x); });
  return count - array.beyond_float_count;
}

}  // namespace

std::vector<std::string> input_warnings(const ValueRequest& request) {
  if (!request.any_given()) return {};
  const sim::Dtype dtype = request.scenario.dtype;
  std::string drawn, rounded;
  std::vector<std::string> warnings, of_values;
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    if (!is_input(n, request.scenario.pass)) continue;
    const auto& array = request.given[n];
    const std::string name = input_names[n];
    if (!array) drawn += (drawn.empty() ? "" : ", ") + name;
    if (!array) continue;
    if (!holds(dtype, array->dtype)) rounded += sim::text(rounded.empty() ? "" : ", ", name, " (", array->dtype, ")");
    if (const std::string beyond = beyond_text(*array, dtype); !beyond.empty())
      of_values.push_back(sim::text(name, ": ", request.paths[n], request.paths[n].empty() ? "" : ": ", beyond));
    if (const std::int64_t bad = nonfinite_in_file(*array); bad > 0)
      of_values.push_back(
          sim::text("input ", tensor_names[n], ": ", bad, " of ", array->values.size(), " values are NaN or infinite"));
  }
  if (!drawn.empty()) {
    warnings.push_back(
        sim::text(drawn, ": not given, drawn from the normal distribution with seed ", request.scenario.seed));
  }
  if (!rounded.empty()) {
    warnings.push_back(sim::text(rounded, ": rounded to ", sim::name_of(dtype), "; --dtype fp32 keeps more digits"));
  }
  warnings.insert(warnings.end(), of_values.begin(), of_values.end());
  return warnings;
}

}  // namespace results
