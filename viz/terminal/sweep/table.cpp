#include "viz/terminal/sweep/table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/report/quantities.h"
#include "sim/report/run_json.h"
#include "viz/terminal/document.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<Json>;

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

}  // namespace

sim::BusySms busy_sms_of(const Json& row) {
  return {row.at("time.sms_busy").get<std::int64_t>(), row.at("time.sms").get<std::int64_t>()};
}

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

}  // namespace terminal
