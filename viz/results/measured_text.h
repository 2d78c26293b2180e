// The option --measured: a user's measured time, compared with the simulated run.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/measured.h"

namespace results {

/// Reads "2.6ms,-,4.1ms" as microseconds, empty for "-". Throws sim::Error unless there are `count` of them.
std::vector<std::optional<double>> measured_times(const std::string& text, std::size_t count);

/// Interpretation of the measured time as text: shares of bounds, excluded causes, kernels that reach it, next step.
std::string measured_text(const sim::Simulation& simulation, double microseconds);

/// The interpretation as object `measured` of the JSON.
nlohmann::ordered_json measured_json(const sim::Simulation& simulation, double microseconds);

}  // namespace results
