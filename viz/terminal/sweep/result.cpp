#include "viz/terminal/sweep/result.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "viz/terminal/command.h"
#include "viz/terminal/report.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

/// A column of the table for people.
struct TableColumn {
  const char* title;
  const char* column;
  std::string (*shown)(const Json& cell);
};

std::string as_bytes(const Json& cell) { return bytes(cell.get<std::int64_t>()); }
std::string as_text(const Json& cell) { return csv_cell(cell); }
std::string as_digits(const Json& cell) { return fmt::format("{:.4g}", cell.get<double>()); }

constexpr TableColumn table_columns[] = {
    {"br", "br", as_text},
    {"bc", "bc", as_text},
    {"tile read", "tile_traffic.total.read_bytes", as_bytes},
    {"tile written", "tile_traffic.total.write_bytes", as_bytes},
    {"HBM read", "hbm_traffic.read_bytes", as_bytes},
    {"HBM written", "hbm_traffic.write_bytes", as_bytes},
    {"peak memory", "memory.peak_hbm_bytes", as_bytes},
    {"matrix FLOPs", "work.matmul_flops", [](const Json& cell) { return flops(cell.get<std::int64_t>()); }},
    {"time at least", "time.microseconds", [](const Json& cell) { return microseconds(cell.get<double>()); }},
    {"bound by", "bound_by", as_text},
    {"formula", "formula", as_digits},
    {"ratio", "ratio", as_digits},
    {"error", "error", as_text},
};

/// The title of a column, "" when the table leaves it out.
const TableColumn* shown_as(const Sweep& sweep, std::size_t column) {
  static constexpr TableColumn axis = {"", "", as_text};
  if (column < sweep.axes().size()) return &axis;
  for (const TableColumn& each : table_columns) {
    if (each.column == sweep.columns()[column]) return &each;
  }
  return nullptr;
}

std::vector<std::string> table_header(const Sweep& sweep) {
  std::vector<std::string> header;
  for (std::size_t c = 0; c < sweep.columns().size(); ++c) {
    const TableColumn* shown = shown_as(sweep, c);
    if (shown != nullptr) header.push_back(c < sweep.axes().size() ? sweep.columns()[c] : shown->title);
  }
  return header;
}

}  // namespace

SweepResult::SweepResult(const Sweep& sweep, std::string format, std::optional<OutputFile> file)
    : sweep_(sweep), format_(std::move(format)), file_(std::move(file)), table_(table_header(sweep)), verdict_(sweep) {
  if (format_ == "json") text_ = "{\n  \"schema\": 1,\n  \"sweep\": " + sweep.identity().dump() + ",\n  \"rows\": [";
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
  if (format_ == "table") add_table(cells);
  if (!cells.back().is_null()) ++failed_;
  if (sweep_.formula()) {
    const Json& ratio = cells[cells.size() - 2];
    verdict_.add(ratio.is_number() ? ratio.get<double>() : std::numeric_limits<double>::quiet_NaN());
  }
  ++rows_;
}

void SweepResult::add_csv(const Json& cells) {
  std::string line;
  for (const Json& cell : cells) line += (&cell == &cells.front() ? "" : ",") + csv_cell(cell);
  put(line + "\n");
}

void SweepResult::add_json(const Json& cells) {
  Json object = Json::object();
  for (std::size_t c = 0; c < cells.size(); ++c) object[sweep_.columns()[c]] = cells[c];
  put((rows_ == 0 ? "\n    " : ",\n    ") + object.dump());
}

void SweepResult::add_table(const Json& cells) {
  std::vector<std::string> shown;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (const TableColumn* column = shown_as(sweep_, c))
      shown.push_back(cells[c].is_null() ? "" : column->shown(cells[c]));
  }
  table_.row(std::move(shown));
}

std::string SweepResult::verdict() const { return sweep_.formula() ? verdict_.text() : ""; }

void SweepResult::finish() {
  if (format_ == "table") put(table_.text());
  if (format_ == "json") {
    const Json verdict = sweep_.formula() ? Json(verdict_.text()) : Json(nullptr);
    put(fmt::format("\n  ],\n  \"failed\": {},\n  \"verdict\": {}\n}}\n", failed_, verdict.dump()));
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
