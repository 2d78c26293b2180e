#include "python/binding/convert.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"
#include "sim/machine/device_spec.h"

namespace binding {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  sim::require(file.good(), "gpu: cannot read ", sim::quoted(path, 200));
  constexpr std::streamsize most = 1 << 20;
  std::string text(most, '\0');
  file.read(text.data(), most);
  sim::require(file.eof(), "gpu: ", sim::quoted(path, 200), " is larger than 1 MiB");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace

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

sim::OptionValues options_from(const py::dict& options, std::vector<std::string>& notes) {
  sim::OptionValues values;
  for (const auto& [name, value] : options) values.emplace(name.cast<std::string>(), value.cast<std::string>());
  for (std::string& note : sim::make_exact(values)) notes.push_back(std::move(note));
  return values;
}

std::shared_ptr<const sim::DeviceSpec> find_gpu(const std::string& name) {
  if (!sim::in_lower_case(name).ends_with(".toml")) return sim::built_in_gpu(name);
  return std::make_shared<sim::DeviceSpec>(sim::parse_device(text_of_file(name), name));
}

}  // namespace binding
