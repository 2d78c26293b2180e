#include "viz/terminal/sweep/result.h"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "sim/model/busy_sms.h"
#include "sim/report/numbers.h"
#include "sim/report/quantities.h"
#include "sim/report/run_json.h"
#include "viz/terminal/command.h"
#include "viz/terminal/document.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/sweep/chart.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

using Rows = std::vector<Json>;

// Rows of a sweep as tables: for a terminal and Markdown, and for LaTeX.

/// A column of the table, and its text for a row that ran.
struct TableColumn {
  std::string title;
  std::function<std::string(const Json& row)> shown;
};

std::string error_of_time(const Json& percent) {
  return accuracy_cell(
      {!percent.is_null(), percent.is_null() ? std::nullopt : std::optional(percent.get<double>()), ""});
}

/// A number of a row; for a sum, the total of both directions.
double number_of(const Json& row, const std::string& path) {
  if (row.contains(path)) return row.at(path).get<double>();
  return row.at(path + ".read_bytes").get<double>() + row.at(path + ".write_bytes").get<double>();
}

TableColumn number_column(const results::TableNumber& number) {
  return {std::string(sim::trimmed(number.brief)), [number](const Json& row) {
            const std::string path = row.contains(number.path) ? number.path : number.path + ".read_bytes";
            if (row.at(path).is_null()) return std::string("-");
            return report::text_in(number.unit(), number_of(row, number.path));
          }};
}

/// Busy SMs from a row with the default columns.
sim::BusySms busy_sms_of(const Json& row) {
  return {row.at("time.sms_busy").get<std::int64_t>(), row.at("time.sms").get<std::int64_t>()};
}

std::vector<TableColumn> usual_columns() {
  std::vector<TableColumn> columns = {{"tiles", [](const Json& row) {
                                         return report::csv_cell(row.at("br")) + " x " + report::csv_cell(row.at("bc"));
                                       }}};
  for (const char* name : {"tile-traffic", "hbm-traffic", "peak-memory", "matrix-flops", "time"})
    columns.push_back(number_column(results::chosen_numbers(name).front()));
  columns.push_back({"error of time", [](const Json& row) {
                       const bool timed = !row.at("time.microseconds").is_null();
                       return timed ? error_of_time(row.at("time.error_percent")) : "-";
                     }});
  columns.push_back({"bound by", [](const Json& row) {
                       return row.at("bound_by").is_null() ? "-" : report::csv_cell(row.at("bound_by"));
                     }});
  columns.push_back({"SMs busy", [](const Json& row) {
                       return row.at("time.sms_busy").is_null() ? "-" : sms_text(busy_sms_of(row));
                     }});
  return columns;
}

std::vector<TableColumn> columns_of(const results::Sweep& sweep) {
  std::vector<TableColumn> columns;
  if (sweep.has_chosen()) {
    for (const results::TableNumber& number : sweep.numbers()) columns.push_back(number_column(number));
  } else {
    columns = usual_columns();
  }
  if (!sweep.formula()) return columns;
  for (const char* name : {"formula", "ratio"})
    columns.push_back({name, [name](const Json& row) { return fmt::format("{:.4g}", row.at(name).get<double>()); }});
  return columns;
}

/// Puts each word of a header on its own line, so that columns are as narrow as their numbers.
std::string stacked(const std::string& title, const std::string& unit) {
  std::string lines;
  for (const std::string_view word : sim::split(title, " ")) {
    if (!word.empty()) lines += (lines.empty() ? "" : "\\\\") + latex(std::string(word));
  }
  return "\\shortstack[r]{" + lines + (unit.empty() ? "" : "\\\\" + unit) + "}";
}

/// The unit of a column, chosen from the numbers of all rows.
report::CommonUnit unit_of(const results::TableNumber& number, const Rows& rows) {
  std::vector<double> values;
  for (const Json& row : rows) {
    if (row.at(number.path).is_number()) values.push_back(row.at(number.path).get<double>());
  }
  return report::common_unit(number.unit(), values);
}

/// A row for each point: its values on the axes, its numbers with their units, its error. `rows`: by column name.
report::Table sweep_table(const results::Sweep& sweep, const Rows& rows) {
  const std::vector<TableColumn> columns = columns_of(sweep);
  std::vector<std::string> header;
  for (const results::Axis& axis : sweep.axes()) header.push_back(axis.name);
  for (const TableColumn& column : columns) header.push_back(column.title);
  header.emplace_back("error");
  report::Table table(header);
  for (const Json& row : rows) {
    const Json& error = row.at("error");
    std::vector<std::string> cells;
    for (const results::Axis& axis : sweep.axes()) cells.push_back(report::csv_cell(row.at(axis.name)));
    for (const TableColumn& column : columns) cells.push_back(error.is_null() ? column.shown(row) : "");
    cells.push_back(error.is_null() ? "" : error.get<std::string>());
    table.row(std::move(cells));
  }
  return table;
}

/// Chosen numbers as a LaTeX tabular, which needs \usepackage{booktabs}; each column has one unit, named in its header.
/// The reasons of points that cannot run are comments. `command`: the command line, for the comment at the top.
std::string sweep_latex(const results::Sweep& sweep, const Rows& rows, const std::string& command) {
  std::string out = latex_comment("made by: " + command) + latex_comment("needs \\usepackage{booktabs}");
  std::string heads, body;
  for (const results::Axis& axis : sweep.axes()) heads += (heads.empty() ? "" : " & ") + latex(axis.name);
  std::vector<report::CommonUnit> units;
  for (const results::TableNumber& number : sweep.numbers()) {
    units.push_back(unit_of(number, rows));
    heads += " & " + stacked(number.brief, latex_unit(units.back()));
  }
  for (const Json& row : rows) {
    for (const results::Axis& axis : sweep.axes())
      body += (&axis == &sweep.axes().front() ? "" : " & ") + latex(report::csv_cell(row.at(axis.name)));
    for (std::size_t n = 0; n < units.size(); ++n) {
      const Json& cell = row.at(sweep.numbers()[n].path);
      body += " & " + (cell.is_number() ? units[n].text(cell.get<double>()) : std::string("--"));
    }
    body += " \\\\\n";
    if (row.at("error").is_string()) body += latex_comment(row.at("error").get<std::string>());
  }
  return out + "\\noindent\\begin{tabular}{@{}" + std::string(sweep.axes().size(), 'l') +
         std::string(units.size(), 'r') + "@{}}\n\\toprule\n" + heads + " \\\\\n\\midrule\n" + body +
         "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

SweepResult::SweepResult(const results::Sweep& sweep, std::string format, std::optional<files::OutputFile> file)
    : sweep_(sweep), format_(std::move(format)), file_(std::move(file)), verdict_(sweep) {
  if (format_ == "json")
    text_ = "{\n  \"schema\": 1,\n  \"sweep\": " + report::to_line(sweep.description()) + ",\n  \"rows\": [";
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
  if (is_kept()) kept_.push_back(sweep_.named(cells));
  if (!cells.back().is_null())
    ++failed_;
  else
    note(sweep_.named(cells));
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
  put((rows_ == 0 ? "\n    " : ",\n    ") + report::to_line(sweep_.named(cells)));
}

void SweepResult::note(const Json& row) {
  if (sweep_.has_chosen()) {
    for (const results::TableNumber& number : sweep_.numbers()) {
      if (!row.at(number.path).is_null()) seen_.insert(number.path);
    }
    return;
  }
  if (row.at("time.microseconds").is_null()) {
    ++without_time_;
    return;
  }
  if (busy_sms_of(row).few()) ++idle_;
  unknown_ = unknown_ || row.at("time.error_percent").is_null();
  clocks_.insert(row.at("time.clock_hz").get<std::int64_t>());
  bounds_.insert(row.at("bound_by").get<std::string>());
}

std::string SweepResult::legend() const {
  std::string words =
      clock_line(clocks_) + bound_legend({bounds_.begin(), bounds_.end()}) + (unknown_ ? unknown_error_line() : "");
  if (without_time_ > 0) {
    words += sim::text("At ", report::thousands(without_time_), " of ", report::thousands(rows_),
                       " points no time is predicted: their GPUs lack fields, which flashscope devices --gpu NAME ",
                       "names.\n");
  }
  if (idle_ > 0) {
    words +=
        sim::text("At ", report::thousands(idle_), " of ", report::thousands(rows_),
                  " points fewer than half of the SMs get work: ", "more --batch or --heads would fill the card.\n");
  }
  return words;
}

std::vector<std::string> SweepResult::empty_columns() const {
  std::vector<std::string> empty;
  for (const results::TableNumber& number : sweep_.numbers()) {
    if (sweep_.has_chosen() && rows_ > failed_ && seen_.count(number.path) == 0) empty.push_back(number.path);
  }
  return empty;
}

std::string SweepResult::verdict() const { return sweep_.formula() ? verdict_.text() : ""; }

void SweepResult::finish() {
  if (format_ == "table" || format_ == "markdown") {
    Document document = {{"", sweep_table(sweep_, kept_)}};
    if (const std::string words = legend(); !words.empty()) document.push_back({words});
    put(format_ == "table" ? document_text(document) : document_markdown(document));
  }
  if (format_ == "latex") put(sweep_latex(sweep_, kept_, command_line()));
  if (format_ == "svg") put(sweep_svg(sweep_, kept_));
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
