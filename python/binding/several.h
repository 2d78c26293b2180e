// Results of several runs: comparisons, sweeps, the best tiles, the error of predicted times.
#pragma once
#include "python/binding/convert.h"

namespace binding {

/// Adds compare(), tune() and validate() to the module.
void add_several(py::module_& module);

/// Adds sweep() to the module.
void add_sweep(py::module_& module);

}  // namespace binding
