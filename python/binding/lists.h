// Lists of the options of a scenario and the quantities of a run, from their tables.
#pragma once
#include "python/binding/convert.h"

namespace binding {

/// Adds options(), quantities() and text_in() to the module.
void add_lists(py::module_& module);

}  // namespace binding
