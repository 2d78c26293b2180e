// Predicted against published times as CSV.
#include <nlohmann/json.hpp>

#include "sim/report/run_json.h"
#include "viz/results/validation_json.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

/// Adds the fields of an object as cells; nested objects are flattened in order.
void add_cells(const Json& json, const std::string& prefix, std::string& names, std::string& cells) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_object()) {
      add_cells(value, prefix + name + ".", names, cells);
      continue;
    }
    names += (names.empty() ? "" : ",") + prefix + name;
    cells += (names == prefix + name ? "" : ",") + report::csv_cell(value);
  }
}

}  // namespace

std::string validation_csv(const sim::Validation& validation, bool points) {
  Json rows = results::validation_json(validation, std::nullopt, points)[points ? "points" : "groups"];
  std::string out;
  for (Json& row : rows) {
    row.erase("worst");
    std::string names, cells;
    add_cells(row, "", names, cells);
    if (out.empty()) out = names + "\n";
    out += cells + "\n";
  }
  return out;
}

}  // namespace terminal
