// Tracks: pictures over one axis of time with a common playhead. Lanes of cells, bars, gaps, names, brackets, ends,
// ticks, words in free space, the pointer. Times are numbers in any unit; their meaning is the caller's.
#pragma once
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "viz/ui/hatch.h"
#include "viz/ui/hit.h"

namespace ui {

/// Colours of what is over and of what is still to come. A hatch is drawn in `past` on `ahead` at all times.
struct Paint {
  Color past, ahead;
  Hatch hatch = Hatch::none;
};

/// An interval of time with its name.
struct NamedTime {
  double begin = 0, end = 0;
  std::string name;
};

/// Words for a free space: a line, and a smaller one below it if that fits too.
struct Phrase {
  Style style;
  Color color;
  std::string text, below;
};

/// Corners of a span, and the frame of one that is under way, from a height on; in CSS pixels.
struct SpanLook {
  float radius = 3, frame = 1.5f, framed_from = 8;
  bool apart = true;  ///< leaves a gap before the next one
};

/// Result of the pointer on a picture.
struct Touch {
  bool hovered = false, held = false;
  bool clicked = false;  ///< pressed and released without moving
  bool dragged = false;  ///< held, and moved since it was pressed
  double time = 0;       ///< under the pointer, clamped to the axis
  float height = 0;      ///< of the pointer in the picture: 0 at the top, 1 at the bottom
  /// The row under the pointer, of so many.
  std::int64_t row(std::int64_t rows) const {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(height * static_cast<float>(rows)), 0, rows - 1);
  }
};

struct Tracks {
  Ui& ui;
  double from = 0, to = 1;                               ///< at the left and the right end of the axis
  Rect axis;                                             ///< only its x and width matter
  double now = std::numeric_limits<double>::infinity();  ///< of the playhead; infinity: there is none, all is over

  float x(double time) const;
  double at(float x) const;  ///< clamped to the axis
  /// x of the playhead in whole pixels; without one, the right end of the axis.
  float head() const;

  /// Fills a rectangle, cut at the playhead.
  void fill(Rect place, const Paint& paint) const;
  /// Draws merged cells {left, right, top, bottom, step}: columns in pixels, bands of the place, and the index of their
  /// paint.
  template <class Cell>
  void cells(Rect place, std::size_t bands, std::span<const Cell> cells, std::span<const Paint> paints) const {
    const float pitch = place.height / static_cast<float>(bands);
    for (const Cell& c : cells) {
      const float left = static_cast<float>(c.left), top = std::round(pitch * static_cast<float>(c.top));
      const float bottom = std::round(pitch * static_cast<float>(c.bottom));
      fill({place.x + left, place.y + top, static_cast<float>(c.right) - left, bottom - top}, paints[c.step]);
    }
  }
  /// The part of an interval that is on the axis, in a row.
  Rect part(Rect row, double begin, double end) const;
  /// Draws a span in a row, framed if `current`, and returns its box: at least a pixel wide. Empty if it is not drawn,
  /// since spans before it cover its pixel: up to `drawn_to`, which is updated.
  Rect span(Rect row, double begin, double end, Color fill, bool current, float& drawn_to, SpanLook look = {}) const;
  /// Draws a bar for each column of pixels, from the lower edge. `full`: the value that is as high as the place.
  void bars(Rect place, std::span<const float> values, float full, const Paint& paint) const;
  /// Fills an interval, at least two pixels of it.
  void gap(Rect place, double begin, double end, Color color) const;
  /// Draws names above their intervals where they fit and are clear of `taken`, the current one in `paint.past`; a
  /// single one begins with its interval, however short that is.
  void names(Rect row, std::span<const NamedTime> names, Rect taken, const Paint& paint) const;
  /// Draws a bracket over an interval, with its name next to it.
  void bracket(Rect row, double begin, double end, std::string_view name) const;
  /// Draws the end of a lane: a line from the row through the lane, dashed unless `solid`; unless `words` is empty,
  /// with a flag and these in the row. Returns the part of the row that is taken.
  Rect finish(Rect row, Rect lane, double time, bool solid, std::string_view words = {}) const;
  /// Draws the first phrase that fits, in the middle of a lane: right of the playhead, or between `after` and it.
  void say_beside(Rect lane, double after, std::span<const Phrase> phrases) const;

  /// Draws round numbers in a row, at least `apart` CSS pixels from each other, and lines through a place; numbers are
  /// clear of the playhead, or of its pill `taken`. They count units of time of this length.
  void ticks(Rect row, Rect through, float apart, const std::function<std::string(double time, double step)>& text,
             Rect taken = {}, double unit = 1) const;
  /// Draws the playhead through a place, inside of its right edge.
  void playhead(Rect place) const;
  /// Draws the playhead from a row through the place below it, with a triangle in the row or, if there are words, a
  /// pill.
  void playhead(Rect row, Rect place, std::string_view words = {}) const;
  /// The pill of these words in a row, inside of its ends.
  Rect pill(Rect row, std::string_view words) const;

  Touch touch(std::string_view id, Rect place) const;
};

/// Draws a line with an arrow's head at its last point.
void arrow(Canvas& canvas, std::span<const Point> line, Color color, float width, Dashes dashes = {});

/// An entry of a legend: a small square and its name.
struct Swatch {
  std::string name;
  Paint paint;
};

/// Draws the entries that fit into a row, then `more` of the number that do not: "and 3 more".
void legend(Canvas& canvas, Rect row, std::span<const Swatch> swatches,
            const std::function<std::string(std::size_t)>& more);

}  // namespace ui
