// Values of a run: computed from Python arrays or drawn inputs, and returned.
#pragma once
#include "python/binding/convert.h"

namespace binding {

/// Adds simulate_values() and the class Tensor to the module.
void add_values(py::module_& module);

}  // namespace binding
