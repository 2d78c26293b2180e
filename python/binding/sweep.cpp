// A sweep for Python: rows on all cores, in order.
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
  int jobs;  ///< 0: all cores
};

/// An axis: NAME=VALUES as on the command line, or a name and its values.
using Axis = std::variant<std::string, std::pair<std::string, std::vector<std::string>>>;

results::TypedAxis typed(const Axis& axis) {
  if (const auto* text = std::get_if<std::string>(&axis)) return *text;
  const auto& [name, values] = std::get<1>(axis);
  return {name, values};
}

results::Sweep make_sweep(const py::dict& options, const results::TypedAxes& axes, const Choice& choice,
                          std::vector<std::string>& notes) {
  std::vector<results::TableNumber> numbers;
  if (!choice.columns.empty()) numbers = results::chosen_numbers(choice.columns);
  results::Sweep sweep(options_from(options, notes, axes), axes, {},
                       results::formula_check(choice.formula, choice.against), std::move(numbers),
                       results::plain_files());
  for (const results::Axis& axis : sweep.axes()) notes.insert(notes.end(), axis.notes.begin(), axis.notes.end());
  return sweep;
}

/// Verdict of the formula check; "" if there is none.
std::string verdict_of(const results::Sweep& sweep, const std::vector<std::string>& rows) {
  if (!sweep.formula()) return "";
  results::FormulaVerdict verdict(sweep);
  for (const std::string& row : rows) {
    const Json cells = sweep.named(Json::parse(row));
    const auto number = [&](const char* name) {
      return cells[name].is_number() ? cells[name].get<double>() : std::numeric_limits<double>::quiet_NaN();
    };
    verdict.add(number("ratio"), number("formula"));
  }
  return verdict.text();
}

py::tuple sweep(const py::dict& options, const std::vector<Axis>& axes, const Choice& choice,
                const py::object& progress) {
  results::TypedAxes typed_axes;
  for (const Axis& axis : axes) typed_axes.push_back(typed(axis));
  std::vector<std::string> notes;
  const results::Sweep sweep = make_sweep(options, typed_axes, choice, notes);
  std::vector<std::string> rows;
  std::string verdict;
  run_long(progress, [&](Watch& watch) {
    rows = results::all_rows(
        sweep, choice.jobs, [&](std::int64_t done) { watch.show(done, sweep.rows()); },
        [&] { return watch.stopped(); });
    verdict = verdict_of(sweep, rows);
  });
  py::list cells;
  for (const std::string& row : rows) cells.append(to_python(Json::parse(row)));
  return py::make_tuple(sweep.columns(), cells, verdict, sweep.doubts(), notes);
}

}  // namespace

void add_sweep(py::module_& module) {
  module.def(
      "sweep",
      [](const py::dict& options, const std::vector<Axis>& axes, const std::string& columns,
         const std::optional<std::string>& formula, const std::optional<std::string>& against, int jobs,
         const py::object& progress) {
        return sweep(options, axes, {columns, formula, against, jobs}, progress);
      },
      py::arg("options"), py::arg("axes"), py::arg("columns"), py::arg("formula"), py::arg("against"), py::arg("jobs"),
      py::arg("progress"),
      "Every point of a grid of options: column names, rows, the verdict of the formula check, warnings and notes.");
}

}  // namespace binding
