// Chart of a sweep: one quantity over the first axis, with a line for each point of the other axes.
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

}  // namespace terminal
