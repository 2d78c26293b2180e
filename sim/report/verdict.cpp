#include "sim/report/verdict.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// True for counts: everything except errors and times, which are fractions.
bool is_count(std::string_view quantity) { return !quantity.starts_with("error.") && quantity != "time"; }

Json number_json(const VerdictRow& row, double value) {
  if (!std::isfinite(value)) return nullptr;
  return is_count(row.quantity) ? Json(std::llround(value)) : Json(value);
}

std::string difference_cell(const VerdictRow& row) {
  if (row.missing || !std::isfinite(row.difference())) return "-";
  return (row.difference() > 0 ? "+" : "") + verdict_number(row.quantity, row.difference());
}

std::string result_cell(const VerdictRow& row) {
  if (row.missing) return "not measured";
  return !row.ok ? "FAILS" : row.is_outside() ? "outside" : "ok";
}

struct Column {
  const char* title;
  std::string (*cell)(const VerdictRow& row);
};
constexpr Column columns[] = {
    {"quantity", [](const VerdictRow& row) { return row.quantity; }},
    {"simulated", [](const VerdictRow& row) { return verdict_number(row.quantity, row.simulated); }},
    {"measured", [](const VerdictRow& row) { return row.missing ? "-" : verdict_number(row.quantity, row.measured); }},
    {"difference", difference_cell},
    {"tolerance", [](const VerdictRow& row) { return verdict_number(row.quantity, row.tolerance); }},
    {"unit", [](const VerdictRow& row) { return row.unit; }},
    {"result", result_cell},
    {"cause", [](const VerdictRow& row) { return row.cause; }},
};

}  // namespace

std::string verdict_number(std::string_view quantity, double value) {
  if (quantity == "time") return fmt::format("{:.1f}", value);
  if (!is_count(quantity)) return value == 0 ? "0" : error(value);
  return thousands(std::llround(value));
}

Table verdict_table(const std::vector<VerdictRow>& rows) {
  const bool causes = std::any_of(rows.begin(), rows.end(), [](const VerdictRow& row) { return !row.cause.empty(); });
  const std::size_t shown = std::size(columns) - (causes ? 0 : 1);
  std::vector<std::string> cells(shown);
  for (std::size_t n = 0; n < shown; ++n) cells[n] = columns[n].title;
  Table table(cells);
  for (const VerdictRow& row : rows) {
    for (std::size_t n = 0; n < shown; ++n) cells[n] = columns[n].cell(row);
    table.row(cells);
  }
  return table;
}

Json verdict_json(const Verdict& verdict) {
  Json rows = Json::array();
  for (const VerdictRow& row : verdict.rows) {
    rows.push_back({{"quantity", row.quantity},
                    {"unit", row.unit},
                    {"simulated", number_json(row, row.simulated)},
                    {"measured", row.missing ? Json() : number_json(row, row.measured)},
                    {"difference", row.missing ? Json() : number_json(row, row.difference())},
                    {"tolerance", number_json(row, row.tolerance)},
                    {"ok", row.ok},
                    {"cause", row.cause}});
  }
  return {{"device", verdict.device}, {"ok", verdict.ok()}, {"rows", rows}};
}

std::vector<VerdictRow> verdict_rows(const Json& rows) {
  std::vector<VerdictRow> all;
  for (const Json& json : rows) {
    const auto number = [&](const char* key) {
      return json.at(key).is_null() ? std::numeric_limits<double>::infinity() : json.at(key).get<double>();
    };
    VerdictRow row{json.at("quantity"), json.at("unit"), number("simulated"), number("measured"), number("tolerance")};
    row.ok = json.at("ok");
    row.cause = json.at("cause");
    row.missing = row.ok && json.at("measured").is_null();
    all.push_back(std::move(row));
  }
  return all;
}

}  // namespace report
