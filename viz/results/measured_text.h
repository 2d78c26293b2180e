// The option --measured: a time that somebody measured, beside the run that it is a time of.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/measured.h"

namespace results {

/// "2.6ms,-,4.1ms" as microseconds, none for "-". Throws sim::Error unless there is one for each of `count` runs.
std::vector<std::optional<double>> measured_times(const std::string& text, std::size_t count);

/// Meaning of the time in sentences: shares of each bound, what is excluded, which kernels reach it, what to measure
/// next.
std::string measured_text(const sim::Simulation& simulation, double microseconds);

/// Object `measured` of the JSON, with the same content.
nlohmann::ordered_json measured_json(const sim::Simulation& simulation, double microseconds);

}  // namespace results
