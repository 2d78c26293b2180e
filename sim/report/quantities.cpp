#include "sim/report/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/amount.h"
#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/catalogue/quantities.h"
#include "sim/report/numbers.h"

namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the child of that name, or of that number in a list; null if there is none.
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

/// Returns the nearest of the paths that number_at accepts.
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

struct Writing {
  std::string_view unit;
  std::string (*text)(double);
};

template <std::string (*text)(std::int64_t)>
std::string whole(double value) {
  return text(std::llround(value));
}

constexpr Writing writings[] = {
    {"bytes", whole<bytes>},
    {"KiB", whole<kibibytes>},
    {"FLOP", whole<flops>},
    {"microseconds", microseconds},
    {"cycles", [](double n) { return whole<count>(n) + "cycles"; }},
    {"Hz", [](double n) { return sim::text(n * 1e-6, " MHz"); }},
    {"exponentials", [](double n) { return whole<count>(n) + "exp"; }},
    {"%", [](double n) { return percent(n / 100); }},
    {"share", percent},
    {"FLOP/B", intensity},
    {"ratio", ratio},
    {"waves", [](double n) { return fmt::format("{:.2f}", n); }},
    {"error", scientific},
};

}  // namespace

std::string_view written_unit(std::string_view path) {
  const sim::RunQuantity* row = sim::find_quantity(path);
  if (row == nullptr) return {};
  return row->written.empty() ? row->unit : row->written;
}

std::string text_in(std::string_view unit, double value) {
  if (std::isnan(value) && unit != "error") return "-";  // a number that is unknown for the device
  for (const Writing& writing : writings) {
    if (writing.unit == unit) return writing.text(value);
  }
  const std::int64_t digits = std::llround(value);
  return static_cast<double>(digits) == value ? thousands(digits) : sim::text(value);
}

std::string amount_in(std::string_view unit, std::int64_t amount) {
  switch (sim::measure_of(unit)) {
    case sim::Measure::bytes:
      return capacity(amount);
    case sim::Measure::byte_rate:
      return byte_rate(static_cast<double>(amount));
    case sim::Measure::clock:
      return text_in("Hz", static_cast<double>(amount));
    default:
      return sim::text(thousands(amount), " ", unit);
  }
}

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
  const std::string nearest = nearest_number(json, path);
  throw sim::Error("unknown quantity ", sim::quoted(path, 100), ": ",
                   nearest.empty() ? "" : sim::text("did you mean ", sim::quoted(nearest), "? "),
                   "see flashscope simulate --format json");
}

}  // namespace report
