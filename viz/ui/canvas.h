// What panels draw on: shapes and text in device pixels, with the fonts, the colours and the scale that belong to them.
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
  Rect box, clip;          ///< of its line, and what it was cut to
  const ImDrawList* list;  ///< texts of one list lie in one plane
  float em;                ///< in device pixels
  Style style;
};

/// A list of shapes that is being written, with everything it takes to draw them. Cheap to copy. Fills, frames and text
/// stand on whole pixels: sharp, and tiles side by side leave no gap.
class Canvas {
 public:
  Canvas(ImDrawList& list, const Fonts& fonts, const Theme& theme) : list_(&list), fonts_(&fonts), theme_(&theme) {}

  /// The same on another list: that of a window in front.
  Canvas on(ImDrawList& list) const {
    Canvas other(list, *fonts_, *theme_);
    other.drawn_ = drawn_;
    other.covers_ = covers_;
    return other;
  }
  /// Parts of a text that must not be read: where each begins and ends, in bytes.
  using Spans = std::vector<std::pair<std::size_t, std::size_t>>;
  using Covers = std::function<Spans(std::string_view)>;
  /// From now on these parts of every text are hatched, with "?"; null or an empty function covers nothing.
  void cover_texts(const Covers* covers) { covers_ = covers; }
  /// From now on every text is listed there as well; null for nowhere.
  void list_texts(std::vector<DrawnText>* drawn) { drawn_ = drawn; }
  const Fonts& fonts() const { return *fonts_; }
  const Theme& theme() const { return *theme_; }
  /// A length in CSS pixels as device pixels, a whole number.
  float px(float css) const;

  /// Corners are round from 10 CSS pixels of width and height on: below that nobody sees it, and round ones cost 34
  /// triangles instead of 2.
  void fill(Rect rect, Color color, float radius = 0);
  /// A frame inside the rectangle's edges.
  void stroke(Rect rect, Color color, float width, float radius = 0);
  /// A fill with a frame of one pixel: the look of cards and fields.
  void card(Rect rect, Color inside, Color border, float radius);
  /// Horizontal and vertical lines stand on whole pixels.
  void line(Point from, Point to, Color color, float width);
  void polyline(std::span<const Point> points, Color color, float width);
  void triangle(Point a, Point b, Point c, Color color);
  /// Corners clockwise.
  void convex(std::span<const Point> corners, Color color);
  void disc(Point center, float radius, Color color);
  void ring(Point center, float radius, Color color, float width);
  /// Hatches a rectangle as wide as some text, with "?" in its middle.
  void covered(Rect rect, Style style);

  float text_width(Style style, std::string_view text) const;
  /// One line, in the middle of the box from top to bottom; what is wider than the box ends in "…", and is left out
  /// where not even that has room. Returns the width.
  float text(Rect box, Style style, Color color, std::string_view text, Align align = Align::left);
  /// A line whose box has its left top corner there, not cut. What the others are made of.
  void text_at(Point left_top, Style style, Color color, std::string_view text);
  /// Height of the box of a line.
  float line_height(Style style) const;

  /// Everything until pop_clip() is cut to the rectangle, and to those pushed before.
  void push_clip(Rect rect);
  void pop_clip();
  Rect clip() const;

  /// Calls draw(inside) cut to `part` of `whole`, and draw(outside) cut to the rest, as for a box that is partly
  /// filled. At most five calls.
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
  static std::array<Rect, 5> around(Rect whole, Rect part);  ///< the part, then what is above, below, left and right
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
