// A chart: lines and marks over two axes, linear or logarithmic, with names that avoid them and each other; and bars of
// parts. The charts of `compare`, `sweep` and `validate` are drawn here, and those of the window.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/report/label_places.h"
#include "viz/draw/paper.h"

namespace draw {

/// Values from `low` to `high` over the pixels from `begin` to `end`.
struct Axis {
  double low = 0, high = 1;
  bool log = false;
  float begin = 0, end = 1;
  float place(double value) const;
  bool holds(double value) const { return value >= low && value <= high; }
};

/// An axis for values from `least` to `most`, with some space at the ends; a linear one starts at 0, or at a negative
/// `least`. A single value is in the middle of a logarithmic axis. Logarithmic only if all values are positive.
Axis make_axis(double least, double most, bool log, float begin, float end);

/// Smallest step of at least `least` that is 1, 2 or 5 times a power of ten.
double round_step(double least);

/// Round numbers on an axis, ascending, about `wanted` of them: 1, 2 or 5 times a power of ten; on long logarithmic
/// axes, powers of ten.
std::vector<double> ticks(const Axis& axis, int wanted);

/// A round number as text: "0.01", "50", "10,000".
std::string tick_text(double value);

/// Powers of `base` on an axis.
std::vector<double> powers(const Axis& axis, int base);

/// Moves labels of equal height apart, as little as needed within `top` .. `bottom`; their order is kept. `centers`
/// must be ascending.
void spread(std::vector<float>& centers, float height, float top, float bottom);

struct Tick {
  double at;
  std::string text;
  bool first = false;  ///< its text is placed before those of the others
};

struct Knot {
  double x, y;           ///< y not a number: the line has a gap here
  std::string tip = {};  ///< of its mark
};

/// A line through points: of a run, or of a bound.
struct Series {
  std::vector<Knot> knots;
  Stroke stroke;
  Shape shape = Shape::none;  ///< at every knot
  float radius = 3;
  /// Right of the chart, next to the line's end; where it ends before others, or with `named_at`, close to the line.
  std::string name = {};
  float named_at = -1;  ///< share of the line's first piece at which its name is
};

/// A point, with the first of its names for which there is space near it, or, if it may be far, at the end of a leader.
struct Mark {
  double x, y;
  Shape shape = Shape::disc;
  float radius = 4;
  Tone tone = {};
  std::vector<std::string> names = {};
  bool may_be_far = true;
  std::string tip = {};
};

struct Chart {
  Rect place;
  Axis x, y;
  std::vector<Tick> x_ticks, y_ticks;
  std::string x_title, y_title;  ///< with units; below the right end and above the left end
  std::vector<Series> series;    ///< the first one is on top
  std::vector<Mark> marks;       ///< the last one is on top, and named first
  Letters names = Letters::caption;
  bool x_grid = true;
  float gutter = 60;         ///< CSS pixels left of the chart, for numbers and the title
  float numbers_below = 14;  ///< CSS pixels from the chart to the middle of the numbers below it
  float names_above = 0;     ///< CSS pixels above the chart where names may be
  float names_right = 0;     ///< where names right of the chart end
  Point at(double vx, double vy) const { return {x.place(vx), y.place(vy)}; }
};

void draw_chart(Paper& paper, const Chart& chart);

/// Width of the names of lines right of a chart, with a piece of each line; 0 if there are none.
float names_width(const Paper& paper, std::span<const Series> series, Letters letters = Letters::caption);

/// The mark nearest to a point of the paper, if it is less than `within` pixels away.
std::optional<std::size_t> nearest_mark(const Chart& chart, Point to, float within);

/// Shape of the n-th of many lines, and its dashes: 30 lines differ in one of them.
Shape shape_of(std::size_t n);
Dash dash_of(std::size_t n);

/// Names what a mark or a line means.
struct KeyEntry {
  std::string name;
  Shape shape = Shape::none;
  Tone tone = {};
  float radius = 4;
  Stroke line = {};  ///< if there is no shape
};
/// Entries from `at`, the middle of the first line's left end, to `right`, then on further lines.
void draw_key(Paper& paper, Point at, float right, std::span<const KeyEntry> entries);

/// A part of a bar. Its name is written on it if it fits.
struct BarPart {
  std::string name;
  Tone tone;
  double amount = 0;
  std::string tip = {};
};
struct Bar {
  std::string name, total, note;  ///< left of it, right of it, and below
  std::vector<BarPart> parts;
};
/// Bars on one scale, one below the other; returns the y below them.
float draw_bars(Paper& paper, Rect place, std::span<const Bar> bars);

/// Places names in a chart clear of lines, marks and each other.
class Names {
 public:
  Names(Paper& paper, Rect plot);
  void avoid(Point point, float radius);
  void avoid(Point from, Point to);
  /// Draws the first text for which there is space. False if there is none.
  bool put(Point at, std::span<const std::string> texts, Letters letters, Tone tone, bool may_be_far);

 private:
  bool put(Point at, const std::string& text, Letters letters, Tone tone, bool may_be_far);
  double css(float pixels) const { return static_cast<double>(pixels / paper_.scale()); }
  Paper& paper_;
  report::LabelPlaces places_;
};

}  // namespace draw
