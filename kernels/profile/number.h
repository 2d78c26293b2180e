// How a file spells numbers. Nsight Compute writes them as the locale asks: 1,234.5 in English, 1.234,5 in German,
// 1 234,5 in French, 1'234.5 in Swiss German, 1234.5 with LC_ALL=C. "117.344" is two numbers, a thousand times apart:
// the other numbers of its file tell which.
#pragma once
#include <string>
#include <string_view>

namespace profile {

/// A number as strtod reads it, and how many decimals it has.
struct Spelled {
  std::string digits;
  int decimals = 0;
};

/// The marks of a locale that the numbers of a file allow.
class NumberStyle {
 public:
  /// Keeps the styles in which this cell is a number; a `whole` one has no decimals where a style reads it so. Returns
  /// false, and changes nothing, if no style is left. A cell that is a number in no style teaches nothing.
  bool learn(std::string_view cell, bool whole);

  /// The number that all styles left read; if they differ, the one with decimals where counts show that no thousands
  /// are parted. Throws sim::Error if it is not a number, or if nothing tells which.
  Spelled read(std::string_view cell) const;

 private:
  unsigned left_ = 0b1111;      ///< a bit for each style, see number.cpp
  bool parts_nothing_ = false;  ///< a count of four digits or more had no mark
};

/// The number in a cell, without the mark "(!)" of what the profiler doubts and the instances of a metric in brackets
/// behind it; "" for n/a and for a quotient by 0.
std::string_view number_text(std::string_view cell);

}  // namespace profile
