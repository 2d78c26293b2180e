// Layout of parts in a row or a column, with a gap between neighbours. Panels say what sizes their parts have; only
// this file cuts rectangles. All lengths are device pixels.
#pragma once
#include <array>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "viz/ui/canvas.h"

namespace ui {

struct Ui;

inline constexpr float any_size = std::numeric_limits<float>::infinity();

/// A part of a row or column. Without a weight it is as large as its size, and a part of size 0 takes no gap. With a
/// weight it has that share of what the others leave, within [size, most].
struct Part {
  constexpr Part(float size_ = 0, float weight_ = 0, float most_ = any_size, bool optional_ = false)
      : size(size_), weight(weight_), most(most_), optional(optional_) {}

  float size, weight, most;
  bool optional;  ///< left out, the last one first, if the parts do not fit
};

/// A part that takes what the others leave, at least `least`.
constexpr Part rest(float least = 0) { return {least, 1}; }
/// A part with a share of what the others leave.
constexpr Part share(float weight, float least = 0) { return {least, weight}; }
constexpr Part optional(float size) { return {size, 0, any_size, true}; }

/// Sizes of parts that fill `length`, gaps between them not included. Shares are rounded to whole pixels. Parts that do
/// not fit, after the optional ones are left out, are cut at the end.
std::vector<float> sizes_of(float length, float between, std::span<const Part> parts);
/// Least length in which all parts fit, gaps included.
float length_of(float between, std::span<const Part> parts);
inline float length_of(float between, std::initializer_list<Part> parts) {
  return length_of(between, std::span(parts.begin(), parts.size()));
}

/// Rectangles of parts from left to right, or from top to bottom; that of a part left out is empty.
std::vector<Rect> columns(Rect place, float between, std::span<const Part> parts);
std::vector<Rect> rows(Rect place, float between, std::span<const Part> parts);

/// const auto [chip, listing] = ui::columns(place, between, {398, ui::rest()});
template <std::size_t N>
std::array<Rect, N> columns(Rect place, float between, const std::array<Part, N>& parts) {
  const std::vector<Rect> all = columns(place, between, std::span<const Part>(parts));
  std::array<Rect, N> found;
  std::copy(all.begin(), all.end(), found.begin());
  return found;
}
template <std::size_t N>
std::array<Rect, N> rows(Rect place, float between, const std::array<Part, N>& parts) {
  const std::vector<Rect> all = rows(place, between, std::span<const Part>(parts));
  std::array<Rect, N> found;
  std::copy(all.begin(), all.end(), found.begin());
  return found;
}

template <std::size_t N>
std::array<Rect, N> columns(Rect place, float between, const Part (&parts)[N]) {
  return columns(place, between, std::to_array(parts));
}
template <std::size_t N>
std::array<Rect, N> rows(Rect place, float between, const Part (&parts)[N]) {
  return rows(place, between, std::to_array(parts));
}

/// Space that is given away strip by strip, from its ends, for parts whose number is known only while they are drawn.
/// After each strip that is not empty follows the gap, unless another one is named. A strip never exceeds the space.
class Space {
 public:
  explicit Space(Rect place, float between = 0) : rest_(place), gap_(between) {}

  Rect left(float width) { return left(width, gap_); }
  Rect left(float width, float gap_after) { return take(cut_left, width, gap_after); }
  Rect right(float width) { return right(width, gap_); }
  Rect right(float width, float gap_after) { return take(cut_right, width, gap_after); }
  Rect top(float height) { return top(height, gap_); }
  Rect top(float height, float gap_after) { return take(cut_top, height, gap_after); }
  Rect bottom(float height) { return bottom(height, gap_); }
  Rect bottom(float height, float gap_after) { return take(cut_bottom, height, gap_after); }

  const Rect& rest() const { return rest_; }
  float width() const { return rest_.width; }
  float height() const { return rest_.height; }

 private:
  /// Cuts a strip off an end, and the gap after it.
  Rect take(Rect (*cut)(Rect&, float), float size, float gap_after);

  Rect rest_;
  float gap_;
};

/// Draws a text at the left end of a line, and gives it its width and a gap.
void left_text(Canvas& canvas, Space& line, Style style, Color color, std::string_view text, float gap_after);
/// The same at the right end.
void right_text(Canvas& canvas, Space& line, Style style, Color color, std::string_view text, float gap_after);
/// Draws a text, or nothing if it is wider than the place. Returns whether it fits.
bool fitting_text(Canvas& canvas, Rect place, Style style, Color color, std::string_view text,
                  Align align = Align::left);

/// Columns or rows of one size in whole pixels, at most `most`. What is left is at the end.
std::vector<Rect> equal_columns(Rect place, float between, std::size_t count, float most = any_size);
std::vector<Rect> equal_rows(Rect place, float between, std::size_t count, float most = any_size);
/// As wide as a place and in the middle of its height.
Rect middle(Rect place, float height);
/// A cell of a grid of equal columns, row by row.
Rect grid_cell(Rect place, std::size_t columns, float height, std::size_t n);

/// A part of a column that scrolls.
struct Slot {
  float height;
  std::function<void(Rect)> draw;
};
/// Least height in which all parts fit, gaps included.
float height_of(float between, std::span<const Slot> slots);
/// Draws parts one below the other. If they are higher than the place, they scroll, and `bar` is free at the right for
/// the scroll bar, whether they scroll or not: their heights may depend on their width. The name is that of the bar.
void scrolling_column(Ui& ui, const std::string& id, Rect place, float between, float bar, std::span<const Slot> slots);

/// The first of the texts that fits into a width, else the last one.
std::string_view first_that_fits(const Canvas& canvas, Style style, float width,
                                 std::initializer_list<std::string_view> texts);

}  // namespace ui
