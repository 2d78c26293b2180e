// Charts of lines and of points: one quantity of a sweep over the first axis, with a line for each point of the other
// axes; and pairs of numbers that should be equal.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "viz/results/sweep.h"

namespace terminal {

inline constexpr std::size_t most_lines = 24;  ///< more are indistinguishable

/// A stand-alone SVG that follows the reader's light or dark theme. An axis of numbers in geometric progression is
/// logarithmic, and so is then the quantity. Published times of the same scenarios appear as rings next to predicted
/// ones. `rows`: by column name, with one chosen number. Throws Error for more than most_lines lines, and if no row has
/// a number.
std::string sweep_svg(const results::Sweep& sweep, const std::vector<nlohmann::ordered_json>& rows);

struct ScatterPoint {
  double x, y;
  std::string title;  ///< shown when the pointer is on the mark
};

/// Points with one look of marks; the name is for the legend, which leaves out a kind without points.
struct ScatterKind {
  std::string name;
  std::vector<ScatterPoint> points;
};

struct Scatter {
  std::string title, subtitle, x_title, y_title, unit;  ///< unit: of all values, as of a quantity: "microseconds"
  std::vector<ScatterKind> kinds;                       ///< at most 4; the last one is drawn over the others
};

/// A stand-alone SVG of positive numbers on two equal logarithmic axes, with the diagonal and lines 10 % above and
/// below it. Throws Error if there are no points.
std::string scatter_svg(const Scatter& scatter);

}  // namespace terminal
