// Traces of a run, as files have them.
#pragma once
#include "python/binding/convert.h"

namespace binding {

/// Adds trace() to the module.
void add_trace(py::module_& module);

}  // namespace binding
