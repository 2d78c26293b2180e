// One simulated run as Python holds it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "python/binding/convert.h"
#include "sim/model/simulation.h"

namespace binding {

/// A simulation that is shared by Python objects and changes no more.
struct Run {
  std::shared_ptr<const sim::Simulation> simulation;
  std::vector<std::string> notes;  ///< which names were taken for which
};

/// The JSON of `simulate --format json` as Python objects.
py::object values_of(const Run& run);

/// The derivation of one number, as `simulate --why PATH --format json` has it. Throws sim::Error.
py::object why(const Run& run, const std::string& path);

/// Adds the class Run and simulate() to the module.
void add_run(py::module_& module);

}  // namespace binding
