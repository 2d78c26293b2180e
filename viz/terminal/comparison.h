// Comparison of algorithms as a table and as a bar chart.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/simulation.h"

namespace terminal {

/// One row of the comparison: a value per run, and its ratio to the first run if that is meaningful.
struct ComparisonRow {
  std::string title;
  std::vector<std::string> values = {}, ratios = {};  ///< one per run, with units; ratios "0.32 x" or empty
  std::string unit = {};                              ///< unit of the numbers, as report::text_in takes it
  std::vector<std::optional<double>> numbers = {};    ///< one per run in a row of numbers; empty if the run has none
  std::string brief = title;                          ///< short title
};

/// Contents shared by all tables of a comparison.
struct Comparison {
  std::string title;  ///< the scenario as text
  std::vector<std::string> algorithms;
  std::vector<ComparisonRow> rows;
  std::string roofs;                    ///< the device's roofs as text
  std::vector<ComparisonRow> roofline;  ///< position of the runs below the roofs
};

/// Compares runs. `columns`: the rows, as --columns names them, without roofline; "": all that are meaningful here.
Comparison compare_runs(const std::vector<sim::Simulation>& runs, const std::string& columns = "");

/// Names of text rows, which --columns takes along with numbers.
std::vector<std::string> comparison_words();

/// Explains the predicted times and their error, for the line under a comparison; or why the device has no times.
std::string time_note(const std::vector<sim::Simulation>& runs);

/// The comparison for a terminal: one column per run, each followed by the ratio to the first, and a legend.
/// `sizes_from_files`: batch and heads are those of files.
std::string comparison_table(const std::vector<sim::Simulation>& runs, bool sizes_from_files = false,
                             const std::string& columns = "");

/// Second section: intensities, attainable and achieved FLOP/s of each run as a whole and of its longest kernel.
std::string roofline_table(const std::vector<sim::Simulation>& runs);
std::vector<ComparisonRow> roofline_rows(const std::vector<sim::Simulation>& runs);

/// The roofs as text: "peak 989.4 TFLOP/s in fp16; ridge at 180 FLOP/B of tile traffic (L2 5.50 TB/s) and ..."
std::string roofs_text(const sim::Simulation& run);

/// The comparison as a GitHub Markdown table.
std::string comparison_markdown(const std::vector<sim::Simulation>& runs, const std::string& columns);

/// The comparison as a LaTeX tabular, which needs \usepackage{booktabs}. Units are in the row titles, ratios in
/// separate rows. Without `columns` it has few rows, to fit into one column of a two-column article. `command`: the
/// command line, for the comment at the top.
std::string comparison_latex(const std::vector<sim::Simulation>& runs, const std::string& command,
                             const std::string& columns);

/// Quantity shown by a chart of a comparison.
enum class Chart { tile_traffic, hbm_traffic, memory, time, roofline };
const std::vector<std::string>& chart_names();  ///< "tile-traffic", ... in the order of Chart

/// One bar per run, stacked by tensor (time: by kernel), as a stand-alone SVG that follows the reader's light or dark
/// theme.
std::string comparison_svg(const std::vector<sim::Simulation>& runs, Chart chart = Chart::tile_traffic);

/// Draws the device's roofs over arithmetic intensity on logarithmic axes, and each run as a whole: a dot at its
/// intensity in HBM traffic, a ring at that in tile traffic.
std::string roofline_svg(const std::vector<sim::Simulation>& runs);

}  // namespace terminal
