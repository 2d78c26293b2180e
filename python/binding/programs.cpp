#include "python/binding/long_work.h"
#include "python/binding/module.h"
#include "sim/programs/recorded/recording.h"

namespace binding {

void add_programs(py::module_& module) {
  module.def(
      "load_program",
      [](const std::string& text, const std::string& called) { sim::load_program(sim::parse_program(text, called)); },
      py::arg("text"), py::arg("called"), py::call_guard<WithoutGil>(),
      "Loads the program of an .fscope file: its name is that of an algorithm from now on. `called`: the file in "
      "errors.");
}

}  // namespace binding
