// Converts values of the simulator to Python objects, and Python's options to those of the simulator.
#pragma once
#include <pybind11/pybind11.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/catalogue/options.h"
#include "viz/results/axes.h"

namespace binding {

namespace py = pybind11;

/// Converts JSON to dictionaries, lists, numbers, strings and None.
py::object to_python(const nlohmann::ordered_json& json);

/// Converts option texts by name to typed values; abbreviated or inexact names ("A100") become exact, and `notes` gets
/// a sentence for each name replaced.
/// A model's config.json is replaced by its options, but for those that are axes of a sweep.
sim::OptionValues options_from(const py::dict& options, std::vector<std::string>& notes,
                               const results::TypedAxes& axes = {});

}  // namespace binding
