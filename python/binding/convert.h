// Values of the simulator as Python objects, and Python's options as those of the simulator.
#pragma once
#include <pybind11/pybind11.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/catalogue/options.h"

namespace binding {

namespace py = pybind11;

/// JSON as dictionaries, lists, numbers, strings and None.
py::object to_python(const nlohmann::ordered_json& json);

/// Option texts by name -> what the simulator reads; names as people type them ("A100") become exact, and `notes` gets
/// a sentence for each that was taken for another.
sim::OptionValues options_from(const py::dict& options, std::vector<std::string>& notes);

}  // namespace binding
