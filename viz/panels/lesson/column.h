// A column of text and boxes, measured first and then drawn by the same functions.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

class Column {
 public:
  /// A column at the top of `place`, as high as its contents. If not `draws`, nothing is drawn and no widget reacts.
  Column(View& shown, ui::Rect place, bool draws) : view(shown), place_(place), draws_(draws) {}

  View& view;

  bool draws() const { return draws_; }
  float width() const { return place_.width; }
  float used() const { return used_; }  ///< device pixels so far
  /// Takes a strip below the contents so far.
  ui::Rect take(float height) {
    const ui::Rect strip{place_.x, place_.y + used_, place_.width, height};
    used_ += height;
    return strip;
  }
  void space(float css) { used_ += view.px(css); }

  /// Draws with draw(inner) inside a margin, after paint(rect) has drawn the background.
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

/// Text in the markup of lessons: that of ui/rich_text.h, **bold** words, `code`, and [words](panel) that point at a
/// panel.
struct Words {
  ui::Style style = ui::Style::body;
  ui::Color color, surface;
  std::string_view links = {};  ///< prefix of the names of the linked words' widgets; if empty, they do not react
};

/// Writes a paragraph, as wide as the column.
void write(Column& column, const Words& words, std::string_view markup);
/// Writes a paragraph on a card in the colour of text; write_muted() in the muted colour.
void write(Column& column, ui::Style style, std::string_view markup);
void write_muted(Column& column, std::string_view markup);
/// Text for ui/rich_text.h, without the marks of lessons: "**S_ij**" is "S_{ij}".
std::string unmarked(std::string_view markup);
/// Position after the first full stop that is Chinese or followed by a space; numbers and links contain others.
std::size_t end_of_sentence(std::string_view text);
/// Width of a text on one line.
float written_width(const View& view, ui::Style style, std::string_view markup);
/// Width of a column in which write() keeps a text on one line.
float width_for(const View& view, ui::Style style, std::string_view markup);

}  // namespace explorer
