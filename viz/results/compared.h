// Several algorithms on one scenario: what `compare` computes.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/model/simulation.h"

namespace results {

/// "standard,fa1" -> names, each known; `notes` says which were taken for which. Throws sim::Error.
std::vector<std::string> algorithm_list(const std::string& text, std::vector<std::string>& notes);

/// The scenario with each of the algorithms; Error for an option that none of them has.
std::vector<sim::Scenario> scenarios_of(const sim::Scenario& scenario, const std::vector<std::string>& algorithms);
std::vector<sim::Simulation> simulate_each(const sim::Scenario& scenario, const std::vector<std::string>& algorithms);

/// The roofline of a run, an entry per kernel and one for all of them; the roofs of its device.
nlohmann::ordered_json roofline_json(const sim::Simulation& run);
nlohmann::ordered_json roofs_json(const sim::Simulation& run);

/// The runs with their rooflines: `compare --format json`.
nlohmann::ordered_json comparison_json(const std::vector<sim::Simulation>& runs);

}  // namespace results
