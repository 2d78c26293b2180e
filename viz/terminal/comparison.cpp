#include "viz/terminal/comparison.h"

#include <algorithm>

#include "sim/base/text.h"
#include "sim/catalogue/quantities.h"
#include "sim/catalogue/run_values.h"
#include "sim/catalogue/typed_values.h"
#include "sim/report/numbers.h"
#include "sim/report/quantities.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/request.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

/// A row for a number of each run, or for the sum of what is read and written at a path.
struct ComparedQuantity {
  const char *title, *path;
};
constexpr ComparedQuantity compared[] = {{"tile traffic", "tile_traffic.total"},
                                         {"  read", "tile_traffic.total.read_bytes"},
                                         {"  written", "tile_traffic.total.write_bytes"},
                                         {"HBM traffic after L2", "hbm_traffic"},
                                         {"compulsory traffic", "hbm_traffic.compulsory_bytes"},
                                         {"peak HBM memory", "memory.peak_hbm_bytes"},
                                         {"  beyond Q, K, V, O", "memory.extra_hbm_bytes"},
                                         {"matrix FLOPs", "work.matmul_flops"},
                                         {"other FLOPs", "work.other_flops"},
                                         {"exponentials", "work.exp_count"},
                                         {"predicted time", "time.microseconds"}};

/// A sum is of bytes; what a count is of, its title says.
std::string with_unit(double value, const char* path) {
  const sim::RunQuantity* row = sim::find_quantity(path);
  const std::string_view unit = row == nullptr ? "bytes" : row->unit;
  return unit == "exponentials" ? report::count(static_cast<std::int64_t>(value)) : report::text_in(unit, value);
}

ComparisonRow quantity_row(const ComparedQuantity& quantity, const std::vector<std::vector<sim::PathValue>>& runs) {
  ComparisonRow row{quantity.title, {}, {}};
  const double first = sim::number_at(runs.front(), quantity.path);
  for (const auto& run : runs) {
    const double value = sim::number_at(run, quantity.path);
    const bool compared_to_first = &run != &runs.front() && first > 0;
    row.values.push_back(with_unit(value, quantity.path));
    row.ratios.push_back(compared_to_first ? report::ratio(value / first) : std::string());
  }
  return row;
}

}  // namespace

std::vector<std::string> algorithm_list(const std::string& text, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (const std::string_view part : sim::split(text, ",")) {
    const std::string typed(part), name = sim::exact_value("algorithm", typed);
    names.emplace_back(sim::find_program(name).name);
    if (typed != name) notes.push_back(sim::taken_as("algorithm", typed, name));
  }
  return names;
}

std::vector<sim::Simulation> simulate_each(const sim::Scenario& scenario, const std::vector<std::string>& algorithms) {
  std::vector<sim::Scenario> each;
  for (const std::string& algorithm : algorithms) each.push_back(with_algorithm(scenario, algorithm));
  for (const auto& [name, value] : scenario.own) {
    const bool meant = std::any_of(each.begin(), each.end(),
                                   [&name = name](const sim::Scenario& one) { return has_own_option(one, name); });
    sim::require(meant, name, ": none of the algorithms that are compared has this option: leave it out");
  }
  share_pattern(each, scenario.pattern);
  std::vector<sim::Simulation> runs;
  for (const sim::Scenario& one : each) runs.push_back(sim::simulate(one));
  return runs;
}

Comparison compare_runs(const std::vector<sim::Simulation>& runs) {
  const sim::Simulation& first = runs.front();
  Comparison result;
  result.title = sim::text(sim::name_of(first.plan.scenario.pass), ": ", shape_text(first.plan.scenario), "; ",
                           first.plan.scenario.gpu->title);
  for (const sim::Simulation& s : runs) result.algorithms.push_back(s.plan.scenario.algorithm);
  const auto row = [&](std::string title, auto value, auto ratio_of) {
    ComparisonRow cells{std::move(title), {}, {}};
    for (const sim::Simulation& s : runs) {
      cells.values.push_back(value(s));
      cells.ratios.push_back(&s == &first ? std::string() : ratio_of(s));
    }
    result.rows.push_back(std::move(cells));
  };
  using S = const sim::Simulation&;
  const auto nothing = [](S) { return std::string(); };
  row(
      "tiles", [](S s) { return tile_text(s.plan); }, nothing);
  row(
      "kernels", [](S s) { return std::to_string(s.traces.size()); }, nothing);
  std::vector<std::vector<sim::PathValue>> values;
  for (const sim::Simulation& s : runs) values.push_back(sim::values_of(s));
  for (const ComparedQuantity& quantity : compared) result.rows.push_back(quantity_row(quantity, values));
  row(
      "bound by", [](S s) { return s.bound_by; }, nothing);
  row(
      "error of time", [](S s) { return accuracy_cell(s.accuracy); }, nothing);
  if (std::any_of(runs.begin(), runs.end(), [](S s) { return sim::busy_sms(s).few(); }))
    row(
        "SMs busy", [](S s) { return sms_text(sim::busy_sms(s)); }, nothing);
  if (first.check) {
    row(
        first.check->by_tensor.size() == 1 ? "error of O" : "largest error",
        [](S s) { return s.check ? report::error(s.check->worst().max_abs_error) : "-"; }, nothing);
  }
  result.roofs = roofs_text(first);
  result.roofline = roofline_rows(runs);
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

std::string comparison_table(const std::vector<sim::Simulation>& runs, bool sizes_from_files) {
  const Comparison comparison = compare_runs(runs);
  std::vector<std::string> header = {""};
  for (const std::string& name : comparison.algorithms) {
    header.push_back(name);
    if (header.size() > 2) header.emplace_back();  // the ratio to the first
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
                   time_note(), ".\n", time_legend(runs), few_sms_line(runs, sizes_from_files));
}

}  // namespace terminal
