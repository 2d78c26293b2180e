// Number formats of a file. Nsight Compute follows the locale: 1,234.5 in English, 1.234,5 in German, 1 234,5 in
// French, 1'234.5 in Swiss German, 1234.5 with LC_ALL=C. "117.344" is two numbers, a factor of a thousand apart: the
// other numbers of its file tell which.
#pragma once
#include <string>
#include <string_view>

namespace profile {

/// A number as text for strtod, and its number of decimals.
struct Spelled {
  std::string digits;
  int decimals = 0;
};

/// Locales that the numbers of a file allow.
class NumberStyle {
 public:
  /// Keeps the styles in which this cell is a number; a `whole` one has no decimals if a style reads it so. Returns
  /// false, and changes nothing, if no style is left. A cell that is not a number in any style has no effect.
  bool learn(std::string_view cell, bool whole);

  /// Reads a number in all remaining styles; if they differ, takes the one with decimals if counts show that thousands
  /// are not grouped. Throws sim::Error if it is not a number, or if it stays ambiguous.
  Spelled read(std::string_view cell) const;

 private:
  unsigned left_ = 0b1111;      ///< one bit per style, see number.cpp
  bool parts_nothing_ = false;  ///< a count of four digits or more had no separator
};

/// The number in a cell, without the mark "(!)" of doubtful values and the instances of a metric in brackets after it;
/// "" for n/a and for a quotient by 0.
std::string_view number_text(std::string_view cell);

}  // namespace profile
