// One unit for several numbers, so that a table names it once, in its head.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace report {

struct CommonUnit {
  std::string name;  ///< "GB"; "" for a number without one
  double size = 1;   ///< what one of it is, in the unit of the values: 1e9 for GB of bytes

  /// The value in this unit with three significant digits, "0.541", "11.9", "1,024".
  std::string text(double value) const;
};

/// The unit in which the largest of the values is written. `unit`: as of written_unit().
CommonUnit common_unit(std::string_view unit, const std::vector<double>& values);

}  // namespace report
