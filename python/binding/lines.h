// Lines of a listing, each with its work in a run.
#pragma once
#include "python/binding/convert.h"

namespace binding {

/// Adds lines() to the module.
void add_lines(py::module_& module);

}  // namespace binding
