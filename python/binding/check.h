// Checks a program's results on given tensors against attention in double.
#pragma once
#include "python/binding/convert.h"

namespace binding {

/// Adds check() to the module.
void add_check(py::module_& module);

}  // namespace binding
