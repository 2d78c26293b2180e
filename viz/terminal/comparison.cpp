#include "viz/terminal/comparison.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/catalogue/run_values.h"
#include "sim/catalogue/typed_values.h"
#include "sim/machine/device_fields.h"
#include "sim/report/numbers.h"
#include "sim/report/quantities.h"
#include "viz/results/table_numbers.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/request.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

using S = const sim::Simulation&;
using RunsValues = std::vector<std::vector<sim::PathValue>>;

/// A row of text, or of numbers that are not in the JSON.
struct WordRow {
  const char *name, *title;
  std::string (*text)(S);
};
constexpr WordRow word_rows[] = {
    {"tiles", "tiles", [](S s) { return tile_text(s.plan); }},
    {"kernels", "kernels", [](S s) { return std::to_string(s.traces.size()); }},
    {"bound-by", "bound by", [](S s) { return s.bound_by.empty() ? "-" : s.bound_by; }},
    {"error-of-time", "error of time",
     [](S s) { return std::isnan(s.microseconds) ? "-" : accuracy_cell(s.accuracy); }},
    {"sms-busy", "SMs busy", [](S s) { return sms_text(sim::busy_sms(s)); }},
    {"error", "largest error", [](S s) { return s.check ? report::error(s.check->worst().max_abs_error) : "-"; }},
};

std::vector<std::string> word_names() {
  std::vector<std::string> names;
  for (const WordRow& row : word_rows) names.emplace_back(row.name);
  return names;
}

/// Names of the default rows; omits those without meaning for these runs.
std::string usual_columns(const std::vector<sim::Simulation>& runs) {
  std::string list = "tiles,kernels";
  const bool has_cache = runs.front().plan.scenario.layers.has_value();
  for (const results::TableNumber& number : results::table_numbers()) {
    if (has_cache || number.name != "kv-cache") list += "," + number.name;
  }
  list += ",bound-by,error-of-time";
  if (std::any_of(runs.begin(), runs.end(), [](S s) { return sim::busy_sms(s).few(); })) list += ",sms-busy";
  return list + (runs.front().check ? ",error" : "");
}

ComparisonRow word_row(const std::string& name, const std::vector<sim::Simulation>& runs) {
  const auto* const found =
      std::find_if(std::begin(word_rows), std::end(word_rows), [&](const WordRow& row) { return row.name == name; });
  ComparisonRow row{found->title};
  const auto& check = runs.front().check;
  if (name == "error" && check && check->by_tensor.size() == 1) row.title = "error of O";
  for (const sim::Simulation& s : runs) row.values.push_back(found->text(s));
  row.ratios.resize(runs.size());
  return row;
}

/// False for shares and the like, which are ratios themselves.
bool has_ratio(const std::string& unit) { return unit != "share" && unit != "%" && unit != "ratio"; }

/// Row of a number. Sums have bytes as their unit; for counts the title names it.
ComparisonRow number_row(const results::TableNumber& number, const RunsValues& runs) {
  ComparisonRow row{number.title};
  row.brief = number.brief;
  row.unit = number.unit();
  for (const auto& run : runs) {
    const nlohmann::ordered_json cell = results::number_in(run, number.path);
    row.numbers.push_back(cell.is_number() ? std::optional(cell.get<double>()) : std::nullopt);
    const auto value = row.numbers.back(), first = row.numbers.front();
    const bool compared = row.numbers.size() > 1 && value && first && *first > 0 && has_ratio(row.unit);
    row.values.push_back(!value                       ? "-"
                         : row.unit == "exponentials" ? report::count(static_cast<std::int64_t>(*value))
                                                      : report::text_in(row.unit, *value));
    row.ratios.push_back(compared ? report::ratio(*value / *first) : std::string());
  }
  return row;
}

}  // namespace

std::string time_note(const std::vector<sim::Simulation>& runs) {
  const sim::DeviceSpec& gpu = *runs.front().plan.scenario.gpu;
  const std::string no_traffic = counts_hbm_traffic(gpu) ? "" : sim::why_no_hbm_traffic(gpu) + "; ";
  if (std::string words = no_traffic + (has_time(gpu) ? "" : sim::why_no_time(gpu)); !words.empty()) {
    words[0] = 'N';  // capital N of "no"
    return words;
  }
  return "Times are predicted; their error is the mean against published times of the kind";
}

std::vector<std::string> comparison_words() { return word_names(); }

Comparison compare_runs(const std::vector<sim::Simulation>& runs, const std::string& columns) {
  const sim::Simulation& first = runs.front();
  Comparison result;
  result.title = sim::text(sim::name_of(first.plan.scenario.pass), ": ", shape_text(first.plan.scenario), "; ",
                           first.plan.scenario.gpu->title);
  RunsValues values;
  for (const sim::Simulation& s : runs) {
    result.algorithms.push_back(s.plan.scenario.algorithm);
    values.push_back(sim::values_of(s));
  }
  const std::vector<results::TableNumber> chosen =
      results::chosen_numbers(columns.empty() ? usual_columns(runs) : columns, word_names());
  results::require_numbers(chosen, values);
  for (const results::TableNumber& number : chosen)
    result.rows.push_back(number.path.empty() ? word_row(number.name, runs) : number_row(number, values));
  result.roofs = roofs_text(first);
  if (columns.empty()) result.roofline = roofline_rows(runs);
  return result;
}

std::string roofline_table(const std::vector<sim::Simulation>& runs) {
  const Comparison comparison = compare_runs(runs);
  std::vector<std::string> header = {"roofline"};
  header.insert(header.end(), comparison.algorithms.begin(), comparison.algorithms.end());
  report::Table table(header);
  for (const ComparisonRow& row : comparison.roofline) {
    std::vector<std::string> cells = {row.title};
    cells.insert(cells.end(), row.values.begin(), row.values.end());
    table.row(cells);
  }
  return sim::text(table.text(), "\n", comparison.roofs,
                   "\nOf peak: of what the pipes can do of the same mix of products and other FLOPs.\n");
}

std::string comparison_table(const std::vector<sim::Simulation>& runs, bool sizes_from_files,
                             const std::string& columns) {
  const Comparison comparison = compare_runs(runs, columns);
  std::vector<std::string> header = {""};
  for (const std::string& name : comparison.algorithms) {
    header.push_back(name);
    if (header.size() > 2) header.emplace_back();  // column of the ratio to the first
  }
  report::Table table(header);
  for (const ComparisonRow& row : comparison.rows) {
    std::vector<std::string> cells = {row.title};
    for (std::size_t n = 0; n < row.values.size(); ++n) {
      cells.push_back(row.values[n]);
      if (n > 0) cells.push_back(row.ratios[n]);
    }
    table.row(cells);
  }
  return sim::text(comparison.title, "\n\n", table.text(), "\n\"x\": ratio to ", comparison.algorithms.front(), ". ",
                   time_note(runs), ".\n", time_legend(runs), few_sms_line(runs, sizes_from_files));
}

}  // namespace terminal
