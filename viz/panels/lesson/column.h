// Text and boxes one below the other: measured first, then drawn by the same functions.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

class Column {
 public:
  /// At the top of a place, as high as it needs. With draws = false nothing is drawn and no widget reacts.
  Column(View& shown, ui::Rect place, bool draws) : view(shown), place_(place), draws_(draws) {}

  View& view;

  bool draws() const { return draws_; }
  float width() const { return place_.width; }
  float used() const { return used_; }  ///< device pixels so far
  /// A strip below what there is.
  ui::Rect take(float height) {
    const ui::Rect strip{place_.x, place_.y + used_, place_.width, height};
    used_ += height;
    return strip;
  }
  void space(float css) { used_ += view.px(css); }

  /// Draws with draw(inner) inside of a margin, behind which paint(rect) draws first.
  template <class Paint, class Draw>
  void boxed(float left_css, float margin_css, Paint paint, Draw draw) {
    const float left = view.px(left_css), margin = view.px(margin_css);
    const ui::Rect room{place_.x + left, place_.y + used_ + margin, place_.width - left - margin, 0};
    Column measured(view, room, false);
    draw(measured);
    const ui::Rect rect = take(measured.used() + 2 * margin);
    if (!draws_) return;
    paint(rect);
    Column inner(view, room, true);
    draw(inner);
  }

 private:
  ui::Rect place_;
  bool draws_;
  float used_ = 0;
};

/// Words in the markup of lessons: that of ui/rich_text.h, **words** that stand out, `code`, and [words](panel) that
/// point at a panel.
struct Words {
  ui::Style style = ui::Style::body;
  ui::Color color, surface;
  std::string_view links = {};  ///< the name of their widgets; without one they react to nothing
};

/// A paragraph, as wide as the column.
void write(Column& column, const Words& words, std::string_view markup);
/// In the colour of text, or muted, on a card.
void write(Column& column, ui::Style style, std::string_view markup);
void write_muted(Column& column, std::string_view markup);
/// A text for ui/rich_text.h, without the marks of lessons: "**S_ij**" is "S_{ij}".
std::string unmarked(std::string_view markup);
/// Behind the first full stop that a space follows, or that is Chinese; numbers and links have others.
std::size_t end_of_sentence(std::string_view text);
/// How wide it would be on one line.
float written_width(const View& view, ui::Style style, std::string_view markup);

}  // namespace explorer
