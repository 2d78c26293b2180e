// Canvas that panels draw on: shapes and text in device pixels, with their fonts, colours and scale.
// tests/ui/gallery_test.cpp draws all of it.
#pragma once
#include <imgui.h>

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "viz/ui/color.h"
#include "viz/ui/fonts.h"
#include "viz/ui/rect.h"
#include "viz/ui/theme.h"

namespace ui {

enum class Align { left, center, right };

/// A text as it was drawn, for tests of the layout.
struct DrawnText {
  std::string text;
  Rect box, clip;          ///< box of its line; the clip rectangle
  const ImDrawList* list;  ///< texts of one list are in one plane
  float em;                ///< in device pixels
  Style style;
};

/// A draw list with everything needed to draw on it. Cheap to copy. Fills, frames and text are aligned to whole pixels:
/// sharp, and adjacent tiles leave no gap.
class Canvas {
 public:
  Canvas(ImDrawList& list, const Fonts& fonts, const Theme& theme) : list_(&list), fonts_(&fonts), theme_(&theme) {}

  /// This canvas on another list, such as that of a window in front.
  Canvas on(ImDrawList& list) const {
    Canvas other(list, *fonts_, *theme_);
    other.drawn_ = drawn_;
    other.covers_ = covers_;
    return other;
  }
  /// Parts of a text that must not be read: start and end of each, in bytes.
  using Spans = std::vector<std::pair<std::size_t, std::size_t>>;
  using Covers = std::function<Spans(std::string_view)>;
  /// Hatches these parts of every further text, with "?"; null or an empty function covers nothing.
  void cover_texts(const Covers* covers) { covers_ = covers; }
  /// Appends every further text to `drawn` as well, unless null.
  void list_texts(std::vector<DrawnText>* drawn) { drawn_ = drawn; }
  const Fonts& fonts() const { return *fonts_; }
  const Theme& theme() const { return *theme_; }
  /// Converts a length in CSS pixels to whole device pixels.
  float px(float css) const;

  /// Fills a rectangle. Corners are round from 10 CSS pixels of width and height on: below that they are not visible,
  /// and round ones cost 34 triangles instead of 2.
  void fill(Rect rect, Color color, float radius = 0);
  /// Draws a frame inside the rectangle's edges.
  void stroke(Rect rect, Color color, float width, float radius = 0);
  /// Fills a rectangle and draws a frame of one pixel: the look of cards and fields.
  void card(Rect rect, Color inside, Color border, float radius);
  /// Draws a line; horizontal and vertical ones are aligned to whole pixels.
  void line(Point from, Point to, Color color, float width);
  void polyline(std::span<const Point> points, Color color, float width);
  void triangle(Point a, Point b, Point c, Color color);
  /// Fills a convex polygon; corners clockwise.
  void convex(std::span<const Point> corners, Color color);
  void disc(Point center, float radius, Color color);
  void ring(Point center, float radius, Color color, float width);
  /// Hatches a rectangle as wide as some text, with "?" in its middle.
  void covered(Rect rect, Style style);

  float text_width(Style style, std::string_view text) const;
  /// Draws one line, vertically centred in the box. A text wider than the box ends in "…", and is left out if not even
  /// that fits. Returns the width.
  float text(Rect box, Style style, Color color, std::string_view text, Align align = Align::left);
  /// Draws a line, not cut, with the top left corner of its box at `left_top`.
  void text_at(Point left_top, Style style, Color color, std::string_view text);
  /// Height of the box of a line.
  float line_height(Style style) const;

  /// Clips everything until pop_clip() to the rectangle, and to those pushed before.
  void push_clip(Rect rect);
  void pop_clip();
  Rect clip() const;

  /// Calls draw(inside) clipped to `part` of `whole`, and draw(outside) clipped to the rest: a partly filled box. At
  /// most five calls.
  template <class Draw>
  void in_two_colors(Rect whole, Rect part, Color inside, Color outside, Draw draw) {
    const std::array<Rect, 5> pieces = around(whole, common(whole, part));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].empty()) continue;
      push_clip(pieces[i]);
      draw(i == 0 ? inside : outside);
      pop_clip();
    }
  }

 private:
  static std::array<Rect, 5> around(Rect whole, Rect part);  ///< the part, then the rest: above, below, left and right
  float visible_radius(Rect rect, float radius) const;
  Spans covered_in(std::string_view text) const;
  void draw_text(Point left_top, Style style, Color color, std::string_view text);
  void draw_text(Point left_top, Style style, Color color, std::string_view text, const Spans& covered);
  ImDrawList* list_;
  const Fonts* fonts_;
  const Theme* theme_;
  std::vector<DrawnText>* drawn_ = nullptr;
  const Covers* covers_ = nullptr;
};

}  // namespace ui
