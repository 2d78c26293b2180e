// The axes of a plot: where a value stands, which values get a tick, and lines with dashes.
#pragma once
#include <span>
#include <vector>

#include "viz/ui/canvas.h"

namespace explorer {

/// One axis: values from `low` to `high` over the pixels from `begin` to `end`.
struct Scale {
  double low = 0, high = 1;
  bool log = false;
  float begin = 0, end = 1;
  float place(double value) const;
};

/// A scale for values from `least` to `most`, with a little room at the ends; linear ones begin at 0. One value alone
/// stands in the middle of a logarithmic scale.
Scale make_scale(double least, double most, bool log, float begin, float end);

/// Round numbers on a scale, ascending, about `wanted` of them: 1, 2 or 5 times a power of ten, on long logarithmic
/// scales powers of ten.
std::vector<double> ticks(const Scale& scale, int wanted);

/// Lengths in CSS pixels, drawn and left out in turn; none: a solid line.
using Dashes = std::span<const float>;

/// The dashes go on around the corners.
void dashed_line(ui::Canvas& canvas, std::span<const ui::Point> points, ui::Color color, float width, Dashes dashes);

/// Moves labels of one height apart, as little as needed, inside of `top` .. `bottom`; they keep their order. `centers`
/// must be ascending.
void spread(std::vector<float>& centers, float height, float top, float bottom);

}  // namespace explorer
