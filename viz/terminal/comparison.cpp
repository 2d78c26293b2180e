#include "viz/terminal/comparison.h"

#include <algorithm>

#include "sim/catalogue/typed_values.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/numbers.h"
#include "viz/terminal/request.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

double as_double(std::int64_t n) { return static_cast<double>(n); }

std::string with_unit(double value, Unit unit) {
  switch (unit) {
    case Unit::bytes:
      return bytes(static_cast<std::int64_t>(value));
    case Unit::flops:
      return flops(static_cast<std::int64_t>(value));
    case Unit::count:
      return count(static_cast<std::int64_t>(value));
    case Unit::microseconds:
      return microseconds(value);
  }
  return "";
}

}  // namespace

const std::vector<ComparedQuantity>& compared_quantities() {
  using S = sim::Simulation;
  static const std::vector<ComparedQuantity> all = {
      {"tile traffic", Unit::bytes, [](const S& s) { return as_double(s.totals.total.total().count()); }},
      {"  read", Unit::bytes, [](const S& s) { return as_double(s.totals.total.read.count()); }},
      {"  written", Unit::bytes, [](const S& s) { return as_double(s.totals.total.written.count()); }},
      {"HBM traffic after L2", Unit::bytes, [](const S& s) { return as_double(s.hbm.total().count()); }},
      {"compulsory traffic", Unit::bytes, [](const S& s) { return as_double(s.compulsory.total().count()); }},
      {"peak HBM memory", Unit::bytes, [](const S& s) { return as_double(s.memory.peak_hbm.count()); }},
      {"  beyond Q, K, V, O", Unit::bytes, [](const S& s) { return as_double(s.memory.extra_hbm.count()); }},
      {"matrix FLOPs", Unit::flops, [](const S& s) { return as_double(s.totals.matmul_flops.count()); }},
      {"other FLOPs", Unit::flops, [](const S& s) { return as_double(s.totals.other_flops.count()); }},
      {"exponentials", Unit::count, [](const S& s) { return as_double(s.totals.exps.count()); }},
      {"predicted time", Unit::microseconds, [](const S& s) { return s.microseconds; }},
  };
  return all;
}

std::vector<std::string> algorithm_list(const std::string& text, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string typed = text.substr(at, end - at), name = sim::exact_value("algorithm", typed);
    names.emplace_back(sim::find_program(name).name);
    if (typed != name) notes.push_back(sim::taken_as("algorithm", typed, name));
    at = end + 1;
  }
  return names;
}

std::vector<sim::Simulation> simulate_each(const sim::Scenario& scenario, const std::vector<std::string>& algorithms) {
  std::vector<sim::Simulation> runs;
  for (const std::string& algorithm : algorithms) {
    sim::Scenario one = scenario;
    one.algorithm = algorithm;
    runs.push_back(sim::simulate(one));
  }
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
  for (const ComparedQuantity& q : compared_quantities()) {
    row(
        std::string(q.title), [&](S s) { return with_unit(q.value(s), q.unit); },
        [&](S s) { return q.value(first) > 0 ? ratio(q.value(s) / q.value(first)) : std::string(); });
  }
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
        [](S s) { return s.check ? scientific(s.check->worst().max_abs_error) : "-"; }, nothing);
  }
  result.roofs = roofs_text(first);
  result.roofline = roofline_rows(runs);
  return result;
}

std::string roofline_table(const std::vector<sim::Simulation>& runs) {
  const Comparison comparison = compare_runs(runs);
  std::vector<std::string> header = {"roofline"};
  header.insert(header.end(), comparison.algorithms.begin(), comparison.algorithms.end());
  Table table(header);
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
  Table table(header);
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
