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

/// One row of the comparison: a value per run, and its ratio to the first run where that means something.
struct ComparisonRow {
  std::string title;
  std::vector<std::string> values, ratios;  ///< one per run, with units; ratios "0.32 x" or empty
};

/// What every table of a comparison shows.
struct Comparison {
  std::string title;  ///< the scenario in words
  std::vector<std::string> algorithms;
  std::vector<ComparisonRow> rows;
};
Comparison compare_runs(const std::vector<sim::Simulation>& runs);

/// What a time is, for the line under a comparison.
inline std::string time_note() { return "Times are predicted, not validated"; }

/// The comparison for a terminal: one column per run, beside it the ratios to the first.
std::string comparison_table(const std::vector<sim::Simulation>& runs);

/// The same as a table of GitHub's Markdown.
std::string comparison_markdown(const std::vector<sim::Simulation>& runs);

/// The same as a LaTeX tabular; it needs \usepackage{booktabs}. `command`: what made it, for the comment on top.
std::string comparison_latex(const std::vector<sim::Simulation>& runs, const std::string& command);

/// What a chart of a comparison shows.
enum class Chart { tile_traffic, hbm_traffic, memory, time };
const std::vector<std::string>& chart_names();  ///< "tile-traffic", ... in the order of Chart

/// One bar per run, stacked by tensor (time: by kernel), as a stand-alone SVG that follows the reader's light or dark
/// theme.
std::string comparison_svg(const std::vector<sim::Simulation>& runs, Chart chart = Chart::tile_traffic);

}  // namespace terminal
