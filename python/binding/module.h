// The parts of the module: each adds its functions and classes.
#pragma once
#include "python/binding/convert.h"

namespace binding {

/// Adds check() to the module.
void add_check(py::module_& module);

/// Adds lines() to the module.
void add_lines(py::module_& module);

/// Adds written_out() and link_errors() to the module.
void add_links(py::module_& module);

/// Adds options(), quantities() and text_in() to the module.
void add_lists(py::module_& module);

/// Adds load_program() to the module.
void add_programs(py::module_& module);

/// Adds trace() to the module.
void add_trace(py::module_& module);

/// Adds simulate_values() and the class Tensor to the module.
void add_values(py::module_& module);

}  // namespace binding
