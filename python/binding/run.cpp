#include "python/binding/run.h"

#include <pybind11/stl.h>

#include <map>
#include <nlohmann/json.hpp>

#include "sim/catalogue/derivation.h"
#include "sim/report/catalogue_json.h"
#include "sim/report/run_json.h"
#include "viz/results/input_file.h"
#include "viz/results/measured_text.h"
#include "viz/results/model_config.h"
#include "viz/results/scenario_words.h"

namespace binding {
namespace {

using Json = nlohmann::ordered_json;

Run simulate(const py::dict& options) {
  Run run;
  const sim::OptionValues values = options_from(options, run.notes);
  const py::gil_scoped_release release;
  run.simulation =
      std::make_shared<const sim::Simulation>(sim::simulate(sim::scenario_from(values, results::find_gpu)));
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
    const py::gil_scoped_release release;
    const double us = sim::parse_time("measured", measured);
    text = results::measured_text(*run.simulation, us);
    json = results::measured_json(*run.simulation, us);
  }
  return py::make_tuple(text, to_python(json));
}

/// Texts of options, with the name of a config.json replaced by its options.
sim::OptionValues written_out(sim::OptionValues options) {
  std::vector<std::string> notes;
  results::expand_model_file(options, notes);
  return options;
}

}  // namespace

py::object values_of(const Run& run) {
  Json json;
  {
    const py::gil_scoped_release release;
    json = report::to_json(*run.simulation);
  }
  return to_python(json);
}

py::object why(const Run& run, const std::string& path) {
  Json json;
  {
    const py::gil_scoped_release release;
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
      .def_readonly("notes", &Run::notes);
  add_words(type);
  module.def("simulate", &simulate, py::arg("options"), "Counts and times the scenario of these option texts.");
  module.def(
      "written_out",
      [](const std::map<std::string, std::string>& options) {
        const sim::OptionValues all = written_out({options.begin(), options.end()});
        return std::map<std::string, std::string>(all.begin(), all.end());
      },
      py::arg("options"), "Option texts with those of a model's config.json instead of its name.");
}

}  // namespace binding
