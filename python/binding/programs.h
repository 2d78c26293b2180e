// Programs recorded in Python.
#pragma once
#include "python/binding/convert.h"

namespace binding {

/// Adds load_program() to the module.
void add_programs(py::module_& module);

}  // namespace binding
