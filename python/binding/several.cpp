#include "python/binding/several.h"

#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "python/binding/long_work.h"
#include "python/binding/run.h"
#include "viz/results/compared.h"
#include "viz/results/input_file.h"
#include "viz/results/tuning.h"
#include "viz/results/validation_json.h"

namespace binding {
namespace {

using Json = nlohmann::ordered_json;
using Runs = std::vector<sim::Simulation>;

sim::Scenario scenario_from(const sim::OptionValues& values) { return sim::scenario_from(values, results::find_gpu); }

/// Runs algorithms on one scenario; returns the runs, and their joint JSON.
py::tuple compare(const std::string& algorithms, const py::dict& options) {
  std::vector<std::string> notes;
  sim::OptionValues values = options_from(options, notes);
  sim::require(values.count("algorithm") == 0, "compare: takes a list of algorithms, not algorithm=");
  if (values.empty()) values = sim::filled_card();
  const std::vector<std::string> names = results::algorithm_list(algorithms, notes);
  std::shared_ptr<const Runs> runs;
  Json json;
  {
    const WithoutGil without_gil;
    runs = std::make_shared<const Runs>(results::simulate_each(scenario_from(values), names));
    json = results::comparison_json(*runs);
  }
  std::vector<Run> each;
  for (const sim::Simulation& one : *runs) each.push_back({{runs, &one}, notes});
  return py::make_tuple(each, to_python(json));
}

py::object tune(const py::dict& options, const std::string& goal, std::size_t top, const py::object& progress) {
  std::vector<std::string> notes;
  const sim::OptionValues values = options_from(options, notes);
  sim::require(goal == "bytes" || goal == "time", "for: \"", goal, "\" is not one of bytes, time");
  Json json;
  run_long(progress, [&](Watch& watch) {
    sim::Scenario scenario = scenario_from(values);
    const results::Tuning tuning = results::tune(scenario, goal == "bytes" ? sim::Goal::bytes : sim::Goal::time,
                                                 [&](std::int64_t done, std::int64_t all) { watch.show(done, all); });
    scenario.br = tuning.ranked.front().br;
    scenario.bc = tuning.ranked.front().bc;
    json = results::tuning_json(tuning, sim::make_plan(scenario), top);
  });
  return to_python(json);
}

py::object validate(const std::optional<std::string>& group, bool points) {
  Json json;
  run_long(py::none(), [&](Watch&) { json = results::validate_all(group, points); });
  return to_python(json);
}

}  // namespace

void add_several(py::module_& module) {
  module.def("compare", &compare, py::arg("algorithms"), py::arg("options"),
             "Several algorithms on one scenario: their runs, and the JSON of `compare`.");
  module.def("tune", &tune, py::arg("options"), py::arg("goal"), py::arg("top"), py::arg("progress"),
             "The best tiles of a scenario: the JSON of `tune`.");
  module.def("validate", &validate, py::arg("group"), py::arg("points"),
             "Predicted against published and recorded times: the JSON of `validate`.");
}

}  // namespace binding
