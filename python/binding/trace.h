// Traces of a run, in the format of files.
#pragma once
#include "python/binding/convert.h"

namespace binding {

/// Adds trace() to the module.
void add_trace(py::module_& module);

}  // namespace binding
