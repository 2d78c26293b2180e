// A sweep for Python: rows on all cores, in order; or every n-th point, for a process elsewhere that computes a part.
#include "viz/results/sweep.h"

#include <pybind11/stl.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <variant>

#include "python/binding/long_work.h"
#include "python/binding/several.h"
#include "viz/results/verdict.h"

namespace binding {
namespace {

using Json = nlohmann::ordered_json;

/// Settings of a sweep other than its options and axes.
struct Choice {
  std::string columns;  ///< "" for the default ones
  std::optional<std::string> formula, against;
  int jobs = 0;  ///< 0: all cores
  results::Shard shard = {};
};

/// An axis: NAME=VALUES as on the command line, or a name and its values.
using Axis = std::variant<std::string, std::pair<std::string, std::vector<std::string>>>;

results::TypedAxis typed(const Axis& axis) {
  if (const auto* text = std::get_if<std::string>(&axis)) return *text;
  const auto& [name, values] = std::get<1>(axis);
  return {name, values};
}

results::Sweep make_sweep(const py::dict& options, const std::vector<Axis>& given, const Choice& choice,
                          std::vector<std::string>& notes) {
  results::TypedAxes axes;
  for (const Axis& axis : given) axes.push_back(typed(axis));
  std::vector<results::TableNumber> numbers;
  if (!choice.columns.empty()) numbers = results::chosen_numbers(choice.columns);
  results::Sweep sweep(options_from(options, notes, axes), axes, choice.shard,
                       results::formula_check(choice.formula, choice.against), std::move(numbers),
                       results::plain_files());
  for (const results::Axis& axis : sweep.axes()) notes.insert(notes.end(), axis.notes.begin(), axis.notes.end());
  return sweep;
}

/// Verdict of the formula check; "" if there is none. `ratios`, `formulas`: of every row; empty where it could not run.
std::string verdict_of(const py::dict& options, const std::vector<Axis>& axes, const Choice& choice,
                       const std::vector<std::optional<double>>& ratios,
                       const std::vector<std::optional<double>>& formulas) {
  std::vector<std::string> notes;
  const results::Sweep sweep = make_sweep(options, axes, choice, notes);
  if (!sweep.formula()) return "";
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  results::FormulaVerdict verdict(sweep);
  for (std::size_t row = 0; row < ratios.size(); ++row)
    verdict.add(ratios[row].value_or(none), formulas.at(row).value_or(none));
  return verdict.text();
}

py::tuple sweep(const py::dict& options, const std::vector<Axis>& axes, const Choice& choice,
                const py::object& progress) {
  std::vector<std::string> notes;
  const results::Sweep sweep = make_sweep(options, axes, choice, notes);
  std::vector<std::string> rows;
  run_long(progress, [&](Watch& watch) {
    rows = results::all_rows(
        sweep, choice.jobs, [&](std::int64_t done) { watch.show(done, sweep.rows()); },
        [&] { return watch.stopped(); });
  });
  py::list cells;
  for (const std::string& row : rows) cells.append(to_python(Json::parse(row)));
  return py::make_tuple(sweep.columns(), cells, sweep.doubts(), notes);
}

}  // namespace

void add_sweep(py::module_& module) {
  module.def(
      "sweep",
      [](const py::dict& options, const std::vector<Axis>& axes, const std::string& columns,
         const std::optional<std::string>& formula, const std::optional<std::string>& against, int jobs,
         const py::object& progress, std::int64_t which, std::int64_t of) {
        return sweep(options, axes, {columns, formula, against, jobs, {which, of}}, progress);
      },
      py::arg("options"), py::arg("axes"), py::arg("columns"), py::arg("formula"), py::arg("against"), py::arg("jobs"),
      py::arg("progress"), py::arg("which") = 0, py::arg("of") = 1,
      "The points which, which + of, ... of a grid of options: column names, rows, warnings and notes.");
  module.def(
      "sweep_points",
      [](const py::dict& options, const std::vector<Axis>& axes, const std::string& columns,
         const std::optional<std::string>& formula, const std::optional<std::string>& against) {
        std::vector<std::string> notes;
        return make_sweep(options, axes, {columns, formula, against}, notes).points();
      },
      "Number of points of a grid of options. Throws for what no point can read.");
  module.def(
      "sweep_verdict",
      [](const py::dict& options, const std::vector<Axis>& axes, const std::string& columns,
         const std::optional<std::string>& formula, const std::optional<std::string>& against,
         const std::vector<std::optional<double>>& ratios, const std::vector<std::optional<double>>& formulas) {
        return verdict_of(options, axes, {columns, formula, against}, ratios, formulas);
      },
      "The verdict of the formula check on all rows of a sweep.");
}

}  // namespace binding
