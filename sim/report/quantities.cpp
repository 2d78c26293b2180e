#include "sim/report/quantities.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/catalogue/quantities.h"

namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// The child of that name, or of that number in a list; null for none.
const Json* child(const Json& json, std::string_view name) {
  if (json.is_object()) {
    const auto found = json.find(std::string(name));
    return found == json.end() ? nullptr : &*found;
  }
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  const bool in_list = json.is_array() && error == std::errc{} && end == name.data() + name.size();
  return in_list && index < json.size() ? &json[index] : nullptr;
}

const Json* find(const Json& json, std::string_view path) {
  const Json* place = &json;
  for (std::size_t end = 0; place != nullptr && end != std::string_view::npos;) {
    end = path.find('.');
    place = child(*place, path.substr(0, end));
    if (end != std::string_view::npos) path.remove_prefix(end + 1);
  }
  return place;
}

/// Among the paths that number_at takes.
std::string nearest_number(const Json& json, const std::string& path) {
  std::vector<std::string> names;
  const Json flat = json.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (!value.is_number()) continue;
    names.push_back(pointer.substr(1));
    std::replace(names.back().begin(), names.back().end(), '/', '.');
    constexpr std::string_view part = ".read_bytes";
    if (names.back().ends_with(part)) names.push_back(names.back().substr(0, names.back().size() - part.size()));
  }
  return sim::nearest_name(path, names);
}

}  // namespace

const std::vector<std::string>& exact_quantities() {
  static const std::vector<std::string> paths = [] {
    std::vector<std::string> columns;
    for (const sim::RunQuantity& quantity : sim::quantities()) {
      if (quantity.column) columns.emplace_back(quantity.path);
    }
    return columns;
  }();
  return paths;
}

Json quantity_at(const Json& json, std::string_view path) {
  const Json* place = find(json, path);
  return place == nullptr ? Json(nullptr) : *place;
}

double number_at(const Json& json, const std::string& path) {
  const Json place = quantity_at(json, path);
  if (place.is_number()) return place.get<double>();
  if (place.contains("read_bytes") && place.contains("write_bytes"))
    return place["read_bytes"].get<double>() + place["write_bytes"].get<double>();
  throw sim::Error(sim::text("unknown quantity \"", path.substr(0, 100), "\": did you mean \"",
                             nearest_number(json, path), "\"? see flashscope simulate --format json"));
}

}  // namespace report
