// Links of the explorer.
#pragma once
#include "python/binding/convert.h"

namespace binding {

/// Adds written_out() and link_errors() to the module.
void add_links(py::module_& module);

}  // namespace binding
