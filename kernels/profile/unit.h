// Numbers of a profile with their units: "1,234.5" "Kbyte" -> bytes. Nsight Compute writes decimal prefixes (K = 1000),
// rounds scaled numbers to a few decimals, and calls the same unit of time "us" or "usecond", depending on its version.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace profile {

/// What a metric counts, which is also the unit of its reading here.
enum class Unit { byte, sector, instruction, operation, cycle, percent, microsecond };

/// A number in its Unit. `rounding`: how far the number printed may be from the one measured; 0 for whole counts.
struct Reading {
  double value = 0, rounding = 0;
};

/// The reading of a cell; nothing where the cell is empty or "n/a". Throws sim::Error that names the cell and what is
/// allowed: not a number, negative, infinite, commas that do not part thousands, another unit, 2^62 or more.
std::optional<Reading> parse_reading(std::string_view cell, std::string_view unit_text, Unit unit);

}  // namespace profile
