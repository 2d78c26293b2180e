// One quantity of a sweep as a chart: over the first axis, with a line for each point of the others.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "viz/results/sweep.h"

namespace terminal {

inline constexpr std::size_t most_lines = 24;  ///< more cannot be told apart

/// A stand-alone SVG that follows the reader's light or dark theme. An axis of numbers that multiply is logarithmic,
/// and with it the quantity. Beside predicted times stand the published ones of the same scenarios, as rings. `rows`:
/// by names of columns, with one chosen number. Error for more than most_lines lines, and where no row has a number.
std::string sweep_svg(const results::Sweep& sweep, const std::vector<nlohmann::ordered_json>& rows);

}  // namespace terminal
