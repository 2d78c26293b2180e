// One simulation as JSON and CSV. JSON is the contract; CSV lists its leaves.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"
#include "sim/catalogue/run_values.h"
#include "sim/model/simulation.h"

namespace report {

/// Returns every number under its path. `time.budget` and `time.kernels[].budget` hold microseconds by cause (see
/// `flashscope counters`) and add up to the adjacent `microseconds`.
nlohmann::ordered_json to_json(const sim::Simulation& simulation);

/// Returns every option of a scenario, resolved, under its command-line name.
nlohmann::ordered_json scenario_json(const sim::Plan& plan);

/// Returns the value of an option: a flag is true or false; null if there is none.
nlohmann::ordered_json value_json(const sim::OptionValue& value);

/// Returns the value of a run at a path; null if there is none.
nlohmann::ordered_json value_at(const std::vector<sim::PathValue>& values, std::string_view path);

/// Returns `quantity,value` rows, quantity = JSON path.
std::string to_csv(const nlohmann::ordered_json& json);

/// Returns printable JSON on one line; bytes that are not UTF-8 are replaced, so that the line reads back unchanged.
std::string to_line(const nlohmann::ordered_json& json);

/// Returns a CSV cell: printable text, quoted if necessary, that no spreadsheet takes for a formula; empty for null.
std::string csv_cell(const nlohmann::ordered_json& value);

/// Returns printable JSON with the shortest exact numbers, two spaces of indentation, one newline at the end.
std::string to_text(const nlohmann::ordered_json& json);

}  // namespace report
