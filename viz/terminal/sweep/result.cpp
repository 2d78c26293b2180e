#include "viz/terminal/sweep/result.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "sim/base/units.h"
#include "sim/report/run_json.h"
#include "viz/terminal/command.h"
#include "viz/terminal/document.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

/// A row by column name.
Json named(const Sweep& sweep, const Json& cells) {
  Json row = Json::object();
  for (std::size_t c = 0; c < cells.size(); ++c) row[sweep.columns()[c]] = cells[c];
  return row;
}

/// A column of the table for people; `formula`: there only with a formula check.
struct TableColumn {
  const char* title;
  std::string (*shown)(const Json& row);
  bool formula = false;
};

std::string bytes_of(const Json& row, const std::string& traffic) {
  return report::bytes(sim::checked_add(row.at(traffic + ".read_bytes").get<std::int64_t>(),
                                        row.at(traffic + ".write_bytes").get<std::int64_t>()));
}

std::string digits(const Json& cell) { return fmt::format("{:.4g}", cell.get<double>()); }

std::string error_of_time(const Json& percent) {
  return accuracy_cell(
      {!percent.is_null(), percent.is_null() ? std::nullopt : std::optional(percent.get<double>()), ""});
}

sim::BusySms busy_sms(const Json& row) {
  return {row.at("time.sms_busy").get<std::int64_t>(), row.at("time.sms").get<std::int64_t>()};
}

constexpr TableColumn table_columns[] = {
    {"tiles", [](const Json& row) { return report::csv_cell(row.at("br")) + " x " + report::csv_cell(row.at("bc")); }},
    {"tile traffic", [](const Json& row) { return bytes_of(row, "tile_traffic.total"); }},
    {"HBM traffic", [](const Json& row) { return bytes_of(row, "hbm_traffic"); }},
    {"peak memory", [](const Json& row) { return report::bytes(row.at("memory.peak_hbm_bytes").get<std::int64_t>()); }},
    {"matrix FLOPs", [](const Json& row) { return report::flops(row.at("work.matmul_flops").get<std::int64_t>()); }},
    {"predicted time", [](const Json& row) { return report::microseconds(row.at("time.microseconds").get<double>()); }},
    {"error of time", [](const Json& row) { return error_of_time(row.at("time.error_percent")); }},
    {"bound by", [](const Json& row) { return report::csv_cell(row.at("bound_by")); }},
    {"SMs busy", [](const Json& row) { return sms_text(busy_sms(row)); }},
    {"formula", [](const Json& row) { return digits(row.at("formula")); }, true},
    {"ratio", [](const Json& row) { return digits(row.at("ratio")); }, true},
};

std::vector<std::string> table_header(const Sweep& sweep) {
  std::vector<std::string> header;
  for (const Axis& axis : sweep.axes()) header.push_back(axis.name);
  for (const TableColumn& column : table_columns) {
    if (!column.formula || sweep.formula()) header.emplace_back(column.title);
  }
  header.emplace_back("error");
  return header;
}

}  // namespace

SweepResult::SweepResult(const Sweep& sweep, std::string format, std::optional<files::OutputFile> file)
    : sweep_(sweep), format_(std::move(format)), file_(std::move(file)), table_(table_header(sweep)), verdict_(sweep) {
  if (format_ == "json")
    text_ = "{\n  \"schema\": 1,\n  \"sweep\": " + report::to_line(sweep.identity()) + ",\n  \"rows\": [";
  if (format_ != "csv") return;
  for (const std::string& column : sweep.columns()) text_ += (text_.empty() ? "" : ",") + column;
  text_ += "\n";
}

void SweepResult::add(const std::string& row) {
  const Json cells = Json::parse(row);
  sim::require(cells.is_array() && cells.size() == sweep_.columns().size(), "sweep: row ", rows_, " has ", cells.size(),
               " cells, not ", sweep_.columns().size());
  if (format_ == "json") add_json(cells);
  if (format_ == "csv") add_csv(cells);
  if (is_table()) add_table(cells);
  if (!cells.back().is_null())
    ++failed_;
  else
    note_time(named(sweep_, cells));
  if (sweep_.formula()) {
    const Json &formula = cells[cells.size() - 3], &ratio = cells[cells.size() - 2];
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    verdict_.add(ratio.is_number() ? ratio.get<double>() : none, formula.is_number() ? formula.get<double>() : none);
  }
  ++rows_;
}

void SweepResult::add_csv(const Json& cells) {
  std::string line;
  for (const Json& cell : cells) line += (&cell == &cells.front() ? "" : ",") + report::csv_cell(cell);
  put(line + "\n");
}

void SweepResult::add_json(const Json& cells) {
  put((rows_ == 0 ? "\n    " : ",\n    ") + report::to_line(named(sweep_, cells)));
}

void SweepResult::add_table(const Json& cells) {
  std::vector<std::string> shown;
  for (std::size_t a = 0; a < sweep_.axes().size(); ++a) shown.push_back(report::csv_cell(cells[a]));
  const Json row = named(sweep_, cells);
  const Json& error = cells.back();
  for (const TableColumn& column : table_columns) {
    if (!column.formula || sweep_.formula()) shown.push_back(error.is_null() ? column.shown(row) : "");
  }
  shown.push_back(error.is_null() ? "" : error.get<std::string>());
  table_.row(std::move(shown));
}

void SweepResult::note_time(const Json& row) {
  if (busy_sms(row).few()) ++idle_;
  unknown_ = unknown_ || row.at("time.error_percent").is_null();
  bounds_.insert(row.at("bound_by").get<std::string>());
}

std::string SweepResult::legend() const {
  std::string words = bound_legend({bounds_.begin(), bounds_.end()}) + (unknown_ ? unknown_error_line() : "");
  if (idle_ > 0) {
    words +=
        sim::text("At ", report::thousands(idle_), " of ", report::thousands(rows_),
                  " points fewer than half of the SMs get work: ", "more --batch or --heads would fill the card.\n");
  }
  return words;
}

std::string SweepResult::verdict() const { return sweep_.formula() ? verdict_.text() : ""; }

void SweepResult::finish() {
  if (is_table()) {
    Document document = {{"", table_}};
    if (const std::string words = legend(); !words.empty()) document.push_back({words});
    put(format_ == "table" ? document_text(document) : document_markdown(document));
  }
  if (format_ == "json") {
    const Json verdict = sweep_.formula() ? Json(verdict_.text()) : Json(nullptr);
    put(fmt::format("\n  ],\n  \"failed\": {},\n  \"verdict\": {}\n}}\n", failed_, report::to_line(verdict)));
  }
  write_out();
  if (file_) file_->commit();
}

void SweepResult::put(const std::string& text) {
  constexpr std::size_t piece = 1 << 16;
  text_ += text;
  if (text_.size() >= piece) write_out();
}

void SweepResult::write_out() {
  if (file_) {
    file_->write(text_);
  } else {
    print(text_);
  }
  text_.clear();
}

}  // namespace terminal
