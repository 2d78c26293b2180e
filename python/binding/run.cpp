#include "python/binding/run.h"

#include <pybind11/stl.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "python/binding/long_work.h"
#include "sim/catalogue/derivation.h"
#include "sim/report/catalogue_json.h"
#include "sim/report/run_json.h"
#include "viz/results/input_file.h"
#include "viz/results/measured_text.h"
#include "viz/results/scenario_words.h"

namespace binding {
namespace {

using Json = nlohmann::ordered_json;

Run simulate(const py::dict& options) {
  Run run;
  const sim::OptionValues values = options_from(options, run.notes);
  const WithoutGil without_gil;
  sim::Simulation s = sim::simulate(sim::scenario_from(values, results::find_gpu));
  add_range(s);
  run.simulation = std::make_shared<const sim::Simulation>(std::move(s));
  return run;
}

/// Results that computing values added to a run: the errors of each output, absolute, relative and not finite, and
/// warnings.
struct Added {
  using Errors = std::vector<std::tuple<int, double, double, std::int64_t>>;
  std::optional<Errors> errors;
  std::vector<std::string> warnings;
};

std::tuple<std::optional<Added::Errors>, std::vector<std::string>> added(const Run& run) {
  const sim::Simulation& s = *run.simulation;
  if (!s.check) return {std::nullopt, s.warnings};
  Added::Errors errors;
  for (const auto& [tensor, check] : s.check->by_tensor)
    errors.emplace_back(static_cast<int>(tensor), check.max_abs_error, check.max_rel_error, check.nonfinite);
  return {errors, s.warnings};
}

/// Makes a run again from all its options, and what its values added.
Run made_again(const py::dict& options, const Added& added, std::vector<std::string> notes) {
  Run run;
  const sim::OptionValues values = options_from(options, run.notes);
  run.notes = std::move(notes);
  const WithoutGil without_gil;
  auto s = std::make_shared<sim::Simulation>(sim::simulate(sim::scenario_from(values, results::find_gpu)));
  s->warnings = added.warnings;
  if (added.errors) {
    s->check.emplace();
    for (const auto& [tensor, absolute, relative, nonfinite] : *added.errors)
      s->check->by_tensor.emplace_back(static_cast<sim::Tensor>(tensor),
                                       sim::ValueCheck{absolute, relative, nonfinite});
  }
  run.simulation = std::move(s);
  return run;
}

/// Adds the run as text, as in the header of a table of the command line.
void add_words(py::class_<Run>& type) {
  type.def_property_readonly("title", [](const Run& self) {
    const sim::Plan& plan = self.simulation->plan;
    return sim::text(plan.program->title, ", ", sim::name_of(plan.scenario.pass));
  });
  type.def_property_readonly("shape", [](const Run& self) {
    const sim::Scenario& scenario = self.simulation->plan.scenario;
    return sim::text(results::shape_text(scenario), "; ", scenario.gpu->title);
  });
  type.def_property_readonly("tiles", [](const Run& self) { return results::tile_text(self.simulation->plan); });
}

/// Explains a measured time: the text of the command line, and the object `measured` of its JSON.
py::tuple explain(const Run& run, const std::string& measured) {
  std::string text;
  Json json;
  {
    const WithoutGil without_gil;
    const double us = sim::parse_time("measured", measured);
    text = results::measured_text(*run.simulation, us);
    json = results::measured_json(*run.simulation, us);
  }
  return py::make_tuple(text, to_python(json));
}

/// All options of a run as texts, from which simulate() makes the same run again.
std::map<std::string, std::string> options_of(const Run& run) {
  const sim::Scenario& scenario = run.simulation->plan.scenario;
  sim::OptionValues values;
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (!option.asked || option.is_alias() || !sim::applies_to(option, scenario)) continue;
    std::string text = sim::text_of(option.asked(scenario));
    if (!text.empty()) values.emplace(option.name, std::move(text));
  }
  values = sim::without_others(std::move(values));
  return {values.begin(), values.end()};
}

}  // namespace

py::object values_of(const Run& run) {
  Json json;
  {
    const WithoutGil without_gil;
    json = report::to_json(*run.simulation);
  }
  return to_python(json);
}

py::object why(const Run& run, const std::string& path) {
  Json json;
  {
    const WithoutGil without_gil;
    json = report::derivation_json(sim::derive(*run.simulation, path));
  }
  return to_python(json);
}

void add_run(py::module_& module) {
  py::class_<Run> type(module, "Run", "A simulated scenario, inside the simulator.");
  type.def("values", &values_of, "Every value, as `simulate --format json` has it.")
      .def("why", &why, py::arg("path"), "The derivation of one number, named by its JSON path.")
      .def(
          "paths", [](const Run& run) { return sim::derivation_paths(*run.simulation); }, "All that why() takes.")
      .def("explain", &explain, py::arg("measured"), "What a measured time of it means, as text and values.")
      .def("options", &options_of, "All options as texts, from which made_again() makes the run.")
      .def("added", &added,
           "What computing values added: the errors of each output, None without values, and warnings.")
      .def_readonly("notes", &Run::notes);
  add_words(type);
  module.def("simulate", &simulate, py::arg("options"), "Counts and times the scenario of these option texts.");
  module.def(
      "made_again",
      [](const py::dict& options, std::optional<Added::Errors> errors, std::vector<std::string> warnings,
         std::vector<std::string> notes) {
        return made_again(options, {std::move(errors), std::move(warnings)}, std::move(notes));
      },
      py::arg("options"), py::arg("errors"), py::arg("warnings"), py::arg("notes"),
      "A run from its options(), what its values added(), and its notes.");
}

}  // namespace binding
