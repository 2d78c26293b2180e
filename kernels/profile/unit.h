// Numbers of a profile with their units: "1,234.5" "Kbyte" -> bytes. Nsight Compute writes decimal prefixes (K = 1000),
// rounds scaled numbers to a few decimals, and calls one unit of time "us" or "usecond", depending on its version.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "kernels/profile/number.h"

namespace profile {

/// Unit of a metric, and of its reading here.
enum class Unit { byte, sector, instruction, operation, cycle, percent, microsecond, hertz, byte_per_second };

/// A number in its Unit. `rounding`: maximum rounding error of the printed number; 0 for whole counts.
struct Reading {
  double value = 0, rounding = 0;
};

/// Parses the reading of a cell; empty if the cell is empty, "n/a", "nan" or "inf". Throws sim::Error that names the
/// cell and what is allowed: not a number in the style of the file, negative, another unit, 2^62 or more.
std::optional<Reading> parse_reading(std::string_view cell, std::string_view unit_text, Unit unit,
                                     const NumberStyle& style);

/// True for a number that cannot have a fraction: a sum, maximum or minimum of events, or a property of a launch, in a
/// unit without a prefix.
bool is_count(std::string_view metric, std::string_view unit_text);

}  // namespace profile
