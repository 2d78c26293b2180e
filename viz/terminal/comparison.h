// Algorithms side by side: the quantities compared, as a table and as a bar chart.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/simulation.h"

namespace terminal {

/// One row of the comparison: a value per run, and its ratio to the first run where that means something.
struct ComparisonRow {
  std::string title;
  std::vector<std::string> values = {}, ratios = {};  ///< one per run, with units; ratios "0.32 x" or empty
  std::string unit = {};                              ///< of the numbers, as report::text_in takes it
  std::vector<std::optional<double>> numbers = {};    ///< one per run, of a row of numbers; none where a run has none
  std::string brief = title;                          ///< where room is short
};

/// What every table of a comparison shows.
struct Comparison {
  std::string title;  ///< the scenario in words
  std::vector<std::string> algorithms;
  std::vector<ComparisonRow> rows;
  std::string roofs;                    ///< the device's roofs in words
  std::vector<ComparisonRow> roofline;  ///< where the runs stand below them
};

/// `columns`: the rows, as --columns names them, and no roofline; "": all that say something here.
Comparison compare_runs(const std::vector<sim::Simulation>& runs, const std::string& columns = "");

/// Names of rows of words, which --columns takes beside numbers.
std::vector<std::string> comparison_words();

/// Says what a time is, and what its error is, for the line under a comparison; or why the device has none.
std::string time_note(const std::vector<sim::Simulation>& runs);

/// The comparison for a terminal: one column per run, beside it the ratios to the first, and what its words mean.
/// `sizes_from_files`: batch and heads are those of files.
std::string comparison_table(const std::vector<sim::Simulation>& runs, bool sizes_from_files = false,
                             const std::string& columns = "");

/// Its second section: intensities, attainable and achieved FLOP/s of each run as a whole and of its longest kernel.
std::string roofline_table(const std::vector<sim::Simulation>& runs);
std::vector<ComparisonRow> roofline_rows(const std::vector<sim::Simulation>& runs);

/// "peak 989.4 TFLOP/s in fp16; ridge at 180 FLOP/B of tile traffic (L2 5.50 TB/s) and ..."
std::string roofs_text(const sim::Simulation& run);

/// The same as a table of GitHub's Markdown.
std::string comparison_markdown(const std::vector<sim::Simulation>& runs, const std::string& columns);

/// Writes the comparison as a LaTeX tabular; it needs \usepackage{booktabs}. Units stand in the heads of rows, ratios
/// in rows of their own. Without `columns` it has few rows, which fit into one column of a two-column article.
/// `command`: what made it, for the comment on top.
std::string comparison_latex(const std::vector<sim::Simulation>& runs, const std::string& command,
                             const std::string& columns);

/// What a chart of a comparison shows.
enum class Chart { tile_traffic, hbm_traffic, memory, time, roofline };
const std::vector<std::string>& chart_names();  ///< "tile-traffic", ... in the order of Chart

/// One bar per run, stacked by tensor (time: by kernel), as a stand-alone SVG that follows the reader's light or dark
/// theme.
std::string comparison_svg(const std::vector<sim::Simulation>& runs, Chart chart = Chart::tile_traffic);

/// The device's roofs over arithmetic intensity, both axes logarithmic, and on them each run as a whole: a dot at its
/// intensity in HBM traffic, a ring at that in tile traffic.
std::string roofline_svg(const std::vector<sim::Simulation>& runs);

}  // namespace terminal
