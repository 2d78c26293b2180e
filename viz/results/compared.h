// Several algorithms on one scenario: results of `compare`.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/model/simulation.h"

namespace results {

/// Reads "standard,fa1" into names of known algorithms; `notes` gets the aliases resolved. Throws sim::Error.
std::vector<std::string> algorithm_list(const std::string& text, std::vector<std::string>& notes);

/// The scenario with each of the algorithms. Throws Error for an option that none of them has.
std::vector<sim::Scenario> scenarios_of(const sim::Scenario& scenario, const std::vector<std::string>& algorithms);
std::vector<sim::Simulation> simulate_each(const sim::Scenario& scenario, const std::vector<std::string>& algorithms);

/// The roofline of a run, with an entry per kernel and one for the total; and the roofs of its device.
nlohmann::ordered_json roofline_json(const sim::Simulation& run);
nlohmann::ordered_json roofs_json(const sim::Simulation& run);

/// The runs with their rooflines: `compare --format json`.
nlohmann::ordered_json comparison_json(const std::vector<sim::Simulation>& runs);

}  // namespace results
