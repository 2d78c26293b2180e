// One unit for several numbers, so that a table names it once, in its header.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace report {

struct CommonUnit {
  std::string name;  ///< "GB"; "" if the numbers have no unit
  double size = 1;   ///< size of the unit, in the unit of the values: 1e9 for GB of bytes

  /// Returns the value in this unit with three significant digits, "0.541", "11.9", "1,024".
  std::string text(double value) const;
};

/// Returns the unit in which the largest of the values is written. `unit`: as returned by written_unit().
CommonUnit common_unit(std::string_view unit, const std::vector<double>& values);

}  // namespace report
