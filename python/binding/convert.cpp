#include "python/binding/convert.h"

#include <nlohmann/json.hpp>

#include "sim/catalogue/typed_values.h"
#include "viz/results/input_file.h"

namespace binding {

using Json = nlohmann::ordered_json;

py::object to_python(const Json& json) {
  switch (json.type()) {
    case Json::value_t::object: {
      py::dict result;
      for (const auto& [key, value] : json.items()) result[py::str(key)] = to_python(value);
      return result;
    }
    case Json::value_t::array: {
      py::list result(json.size());
      for (std::size_t n = 0; n < json.size(); ++n) result[n] = to_python(json[n]);
      return result;
    }
    case Json::value_t::string:
      return py::str(json.get_ref<const std::string&>());
    case Json::value_t::boolean:
      return py::bool_(json.get<bool>());
    case Json::value_t::number_integer:
      return py::int_(json.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case Json::value_t::number_float:
      return py::float_(json.get<double>());
    default:
      return py::none();
  }
}

sim::OptionValues options_from(const py::dict& options, std::vector<std::string>& notes,
                               const results::TypedAxes& axes) {
  sim::OptionValues values;
  for (const auto& [name, value] : options) values.emplace(name.cast<std::string>(), value.cast<std::string>());
  results::expand_model_beside(axes, values, notes, results::plain_files());
  for (std::string& note : sim::make_exact(values)) notes.push_back(std::move(note));
  results::check_pattern_file(values);
  for (std::string& note : sim::make_lengths_exact(values)) notes.push_back(std::move(note));
  return values;
}

}  // namespace binding
