// Drawing a plot: axes, lines and their names, and the value under the pointer.
#pragma once
#include "viz/model/plot.h"
#include "viz/panels/roofline/chart.h"
#include "viz/panels/view.h"

namespace explorer {

struct PlotPicture {
  const Plot& plot;
  std::size_t quantity;
  std::string_view path;  ///< determines the format of numbers, see number_text
  ui::Rect area;          ///< inside the axes
  float right = 0;        ///< right end of the names of the lines
  Scale x, y;
  bool empty = true;  ///< there is no point to draw

  float x_of(std::int64_t value) const { return x.place(static_cast<double>(value)); }
  /// Position of a point; empty if the point is impossible or not simulated yet.
  std::optional<ui::Point> place(const PlotLine& line, std::size_t n) const;
};

/// Computes the axes and scales. O(points).
PlotPicture make_plot_picture(const View& view, const Plot& plot, std::size_t quantity, std::string_view path,
                              ui::Rect body);

void draw_axes(View& view, const PlotPicture& picture);
void draw_lines(View& view, const PlotPicture& picture);
/// Draws a vertical line at the n-th value, and a ring on every line.
void draw_crosshair(View& view, const PlotPicture& picture, std::size_t n);

/// A value of the axis as text: "4,096"; SRAM in "64 KiB".
std::string plot_value_text(const PlotAxis& axis, std::int64_t value);

}  // namespace explorer
