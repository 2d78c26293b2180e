// One simulation as JSON and CSV. JSON is the contract; CSV is its leaves.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"
#include "sim/catalogue/run_values.h"
#include "sim/model/simulation.h"

namespace report {

/// Every number under its path. `time.budget` and `time.kernels[].budget` hold microseconds by cause (see `flashscope
/// counters`) and add up to the `microseconds` beside them.
nlohmann::ordered_json to_json(const sim::Simulation& simulation);

/// Every option of a scenario, resolved, under its command-line name.
nlohmann::ordered_json scenario_json(const sim::Plan& plan);

/// A value of an option: a flag is true or false, null for none.
nlohmann::ordered_json value_json(const sim::OptionValue& value);

/// The value of a run at a path, null for none.
nlohmann::ordered_json value_at(const std::vector<sim::PathValue>& values, std::string_view path);

/// `quantity,value` rows, quantity = JSON path.
std::string to_csv(const nlohmann::ordered_json& json);

/// JSON on one line, printable: what is not UTF-8 is replaced, so that it reads back as it was written.
std::string to_line(const nlohmann::ordered_json& json);

/// One cell of a CSV: printable text, quoted where needed, that no spreadsheet takes for a formula; nothing for null.
std::string csv_cell(const nlohmann::ordered_json& value);

/// Printable JSON with the shortest exact numbers, two spaces of indentation, one newline at the end.
std::string to_text(const nlohmann::ordered_json& json);

}  // namespace report
