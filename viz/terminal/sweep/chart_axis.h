// Axes of a sweep's chart: linear, logarithmic, or categorical, with their ticks.
#pragma once
#include <string>
#include <vector>

#include "viz/results/axes.h"

namespace terminal {

/// A mark on an axis.
struct ChartTick {
  double value, pixel;
  std::string text;  ///< label of a value of the first axis
};

class ChartAxis {
 public:
  enum class Kind { linear, logarithmic, words };
  ChartAxis(Kind kind, double low, double high, double begin, double end)
      : kind_(kind), low_(low), high_(high), begin_(begin), end_(end) {}

  bool is_logarithmic() const { return kind_ == Kind::logarithmic; }
  double end() const { return end_; }
  /// Pixel of a number; on a categorical axis, of the index of a value.
  double pixel(double value) const;
  /// Pixel of the axis's own value with an index.
  double at(std::size_t which) const { return pixel(values_[which]); }
  const std::vector<ChartTick>& ticks() const { return ticks_; }

  void take_values(const std::vector<double>& values, const std::vector<std::string>& texts);
  void take_ticks(const std::vector<double>& values);

 private:
  Kind kind_;
  double low_, high_, begin_, end_;
  std::vector<double> values_;
  std::vector<ChartTick> ticks_;
};

/// The first axis: its values in order; numbers at their positions.
ChartAxis axis_of_values(const results::Axis& axis, double begin, double end);

/// An axis that covers some numbers; a linear one begins at 0. Its ticks are round in units of size `unit`.
ChartAxis axis_of_numbers(const std::vector<double>& values, bool prefers_logarithmic, double unit, double begin,
                          double end);

}  // namespace terminal
