// Simulated run as a Python object.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "python/binding/convert.h"
#include "sim/model/simulation.h"

namespace binding {

/// An immutable simulation, shared by Python objects.
struct Run {
  std::shared_ptr<const sim::Simulation> simulation;
  std::vector<std::string> notes;  ///< names that were replaced by exact ones
};

/// The JSON of `simulate --format json` as Python objects.
py::object values_of(const Run& run);

/// The derivation of one number, as in `simulate --why PATH --format json`. Throws sim::Error.
py::object why(const Run& run, const std::string& path);

/// Adds the class Run and simulate() to the module.
void add_run(py::module_& module);

}  // namespace binding
