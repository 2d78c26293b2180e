// Axes of a plot: scales and ticks.
#pragma once
#include <vector>

#include "viz/ui/hatch.h"

namespace explorer {

/// One axis: values from `low` to `high` over the pixels from `begin` to `end`.
struct Scale {
  double low = 0, high = 1;
  bool log = false;
  float begin = 0, end = 1;
  float place(double value) const;
};

/// Makes a scale for values from `least` to `most`, with some space at the ends; linear scales start at 0. A single
/// value is in the middle of a logarithmic scale.
Scale make_scale(double least, double most, bool log, float begin, float end);

/// Round numbers on a scale, ascending, about `wanted` of them: 1, 2 or 5 times a power of ten; on long logarithmic
/// scales, powers of ten.
std::vector<double> ticks(const Scale& scale, int wanted);

using ui::dashed_line, ui::Dashes;

/// Separates labels of equal height, moving them as little as needed within `top` .. `bottom`; their order is kept.
/// `centers` must be ascending.
void spread(std::vector<float>& centers, float height, float top, float bottom);

}  // namespace explorer
