// flashscope._core: the simulator for Python. Options arrive as texts by their command-line names, to which the
// surrounding package converts Python's arguments. C++ code runs without the GIL.
#include "python/binding/module.h"

#include "python/binding/long_work.h"
#include "python/binding/run.h"
#include "python/binding/several.h"
#include "sim/base/check.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The simulator of FlashScope.";
  module.attr("version") = FLASHSCOPE_VERSION;
  pybind11::register_exception<sim::Error>(module, "Error").attr("__module__") = "flashscope";
  binding::wait_for_work_at_exit();
  binding::add_run(module);
  binding::add_links(module);
  binding::add_lists(module);
  binding::add_several(module);
  binding::add_sweep(module);
  binding::add_check(module);
  binding::add_lines(module);
  binding::add_programs(module);
  binding::add_trace(module);
  binding::add_values(module);
}
