// Algorithms side by side: the quantities compared, as a table and as a bar chart.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/simulation.h"

namespace terminal {

enum class Unit { bytes, flops, count, microseconds };

/// One row of a comparison.
struct ComparedQuantity {
  std::string_view title;
  Unit unit;
  double (*value)(const sim::Simulation&);
};
const std::vector<ComparedQuantity>& compared_quantities();

/// "standard,flash1" -> names, each known. Throws sim::Error.
std::vector<std::string> algorithm_list(const std::string& text);

std::vector<sim::Simulation> simulate_each(const sim::Scenario& scenario, const std::vector<std::string>& algorithms);

/// One column per run; below the first, ratios to it.
std::string comparison_table(const std::vector<sim::Simulation>& runs);

/// Tile traffic by tensor as stacked bars, one bar per run, as a stand-alone SVG that follows the reader's light or
/// dark theme.
std::string comparison_svg(const std::vector<sim::Simulation>& runs);

}  // namespace terminal
