#include "sim/report/run_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/csv.h"
#include "sim/base/printable.h"

namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// Converts a value to JSON; null if there is none or a number is not finite.
struct AsJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(double number) const { return std::isfinite(number) ? Json(number) : Json(nullptr); }
  template <class Value>
  Json operator()(const Value& value) const {
    return value;
  }
};

/// Returns the JSON element at a path, creating it if absent: a number in the path is an index of a list.
Json& place_in(Json& root, std::string_view path) {
  Json* place = &root;
  while (!path.empty()) {
    const std::string part(path.substr(0, path.find('.')));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    const bool in_list = part.find_first_not_of("0123456789") == std::string::npos;
    if (place->is_null())
      *place = in_list ? Json::array() : Json::object();  // assigned whole: an index would leave it partly made
    place = in_list ? &(*place)[std::stoul(part)] : &(*place)[part];
  }
  return *place;
}

}  // namespace

Json value_json(const sim::OptionValue& value) { return std::visit(AsJson{}, value); }

Json value_at(const std::vector<sim::PathValue>& values, std::string_view path) {
  for (const sim::PathValue& value : values) {
    if (value.path == path) return std::visit(AsJson{}, value.value);
  }
  return nullptr;
}

Json scenario_json(const sim::Plan& plan) {
  Json json = Json::object();
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (is_reported(option, plan.scenario)) json[std::string(option.name)] = value_json(option.resolved(plan));
  }
  return json;
}

Json to_json(const sim::Simulation& s) {
  Json json = Json::object();
  for (const sim::PathValue& value : sim::values_of(s)) place_in(json, value.path) = std::visit(AsJson{}, value.value);
  return json;
}

namespace {

/// True if a spreadsheet would take text for a formula, and run it; an apostrophe before it prevents that.
bool looks_like_formula(const std::string& text) {
  return !text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos;
}

/// Returns text as one CSV field.
std::string field(const std::string& text) {
  return sim::csv_field((looks_like_formula(text) ? "'" : "") + sim::printable(text));
}

void add_leaves(const Json& json, const std::string& path, std::string& out) {
  if (json.is_structured()) {
    for (const auto& [key, value] : json.items()) add_leaves(value, path.empty() ? key : path + "." + key, out);
    return;
  }
  out += field(path) + "," + csv_cell(json) + "\n";
}

}  // namespace

std::string csv_cell(const Json& value) {
  return value.is_string() ? field(value.get<std::string>()) : value.is_null() ? "" : sim::csv_field(value.dump());
}

std::string to_csv(const Json& json) {
  std::string out = "quantity,value\n";
  add_leaves(json, "", out);
  return out;
}

std::string to_line(const Json& json) {
  return sim::printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string to_text(const Json& json) {
  return sim::printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace report
