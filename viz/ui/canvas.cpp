#include "viz/ui/canvas.h"

#include <cfloat>
#include <cmath>

#include "viz/ui/outline.h"

namespace ui {
namespace {

ImU32 packed(Color c) { return IM_COL32(c.red, c.green, c.blue, c.alpha); }

Rect snapped(Rect r) {
  const float x = std::round(r.x), y = std::round(r.y);
  return {x, y, std::round(r.right()) - x, std::round(r.bottom()) - y};
}

/// The longest part of a text that is at most `width` wide with "…" after it.
std::string_view fitting(const ImFont& font, std::string_view text, float width) {
  const float dots = font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, "…").x;
  const char* end = nullptr;
  font.CalcTextSizeA(font.FontSize, std::max(0.f, width - dots), 0, text.data(), text.data() + text.size(), &end);
  std::string_view kept = text.substr(0, static_cast<std::size_t>(end - text.data()));
  while (!kept.empty() && kept.back() == ' ') kept.remove_suffix(1);
  return kept;
}

}  // namespace

float Canvas::px(float css) const { return std::round(css * fonts_->scale); }

float Canvas::visible_radius(Rect rect, float radius) const {
  return std::min(rect.width, rect.height) < 10 * fonts_->scale ? 0 : radius;
}

void Canvas::fill(Rect rect, Color color, float radius) {
  const Rect r = snapped(rect);
  if (r.empty()) return;
  const float round = visible_radius(rect, radius);
  if (round < 0.5f) return fill_rect(*list_, r, packed(color));
  fill_round_rect(*list_, r, round, packed(color));
}

void Canvas::stroke(Rect rect, Color color, float width, float radius) {
  const Rect r = snapped(rect);
  const float w = std::max(1.f, std::round(width));
  if (r.empty()) return;
  if (visible_radius(rect, radius) > 0) {
    // The line runs through the middle of its width; corners that are parallel to the edge have a smaller radius.
    return stroke_round_rect(*list_, r.inset(w / 2), std::max(0.f, radius - w / 2), w, packed(color));
  }
  Rect rest = r;  // four fills: exact, and cheaper than a path
  fill(cut_top(rest, w), color);
  fill(cut_bottom(rest, w), color);
  fill(cut_left(rest, w), color);
  fill(cut_right(rest, w), color);
}

void Canvas::card(Rect rect, Color inside, Color border, float radius) {
  fill(rect, border, radius);
  const float w = std::max(1.f, px(1));
  fill(snapped(rect).inset(w), inside, std::max(0.f, radius - w));
}

void Canvas::line(Point from, Point to, Color color, float width) {
  const float w = std::max(1.f, std::round(width)), half = w / 2;
  if (from.x == to.x) {
    fill({std::round(from.x - half), std::min(from.y, to.y), w, std::abs(to.y - from.y)}, color);
  } else if (from.y == to.y) {
    fill({std::min(from.x, to.x), std::round(from.y - half), std::abs(to.x - from.x), w}, color);
  } else {
    const Point middle[] = {{from.x + 0.5f, from.y + 0.5f}, {to.x + 0.5f, to.y + 0.5f}};  // of pixels, as above
    ui::stroke(*list_, middle, width, packed(color));
  }
}

void Canvas::polyline(std::span<const Point> points, Color color, float width) {
  ui::stroke(*list_, points, width, packed(color));
}

void Canvas::triangle(Point a, Point b, Point c, Color color) {
  if ((b.x - a.x) * (c.y - a.y) < (b.y - a.y) * (c.x - a.x)) std::swap(b, c);  // clockwise
  convex(std::array{a, b, c}, color);
}

void Canvas::convex(std::span<const Point> corners, Color color) { fill_convex(*list_, corners, packed(color)); }

void Canvas::disc(Point center, float radius, Color color) { fill_circle(*list_, center, radius, packed(color)); }

void Canvas::ring(Point center, float radius, Color color, float width) {
  stroke_circle(*list_, center, radius - 0.5f, width, packed(color));
}

float Canvas::line_height(Style style) const { return (*fonts_)[style].FontSize; }

float Canvas::text_width(Style style, std::string_view text) const {
  if (text.empty()) return 0;  // ImGui reads the pointer of an empty text
  const ImFont& font = (*fonts_)[style];
  return font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

Canvas::Spans Canvas::covered_in(std::string_view text) const {
  return covers_ != nullptr && *covers_ ? (*covers_)(text) : Spans();
}

void Canvas::covered(Rect rect, Style style) {
  const Rect box = snapped(rect);
  fill(box, theme_->inset, px(2));
  push_clip(box);
  for (float x = box.x - box.height; x < box.right(); x += px(5))
    line({x, box.bottom()}, {x + box.height, box.y}, mix(theme_->inset, theme_->muted, 0.4f), px(1));
  pop_clip();
  const float left = box.center().x - text_width(style, "?") / 2;
  draw_text({left, box.center().y - line_height(style) / 2}, style, theme_->text, "?");
}

void Canvas::text_at(Point left_top, Style style, Color color, std::string_view text) {
  draw_text(left_top, style, color, text, covered_in(text));
}

void Canvas::draw_text(Point left_top, Style style, Color color, std::string_view text, const Spans& covered_parts) {
  std::size_t drawn = 0;
  for (const auto& [begin, end] : covered_parts) {
    const float left = left_top.x + text_width(style, text.substr(0, begin));
    if (begin > drawn)
      draw_text({left_top.x + text_width(style, text.substr(0, drawn)), left_top.y}, style, color,
                text.substr(drawn, begin - drawn));
    covered({left, left_top.y, text_width(style, text.substr(begin, end - begin)), line_height(style)}, style);
    drawn = end;
  }
  if (drawn < text.size())
    draw_text({left_top.x + text_width(style, text.substr(0, drawn)), left_top.y}, style, color, text.substr(drawn));
}

void Canvas::draw_text(Point left_top, Style style, Color color, std::string_view text) {
  const ImFont& font = (*fonts_)[style];
  list_->AddText(&font, font.FontSize, {std::round(left_top.x), std::round(left_top.y)}, packed(color), text.data(),
                 text.data() + text.size());
  if (drawn_ != nullptr)
    drawn_->push_back({std::string(text),
                       {left_top.x, left_top.y, text_width(style, text), font.FontSize},
                       clip(),
                       list_,
                       fonts_->em(style),
                       style});
}

float Canvas::text(Rect box, Style style, Color color, std::string_view text, Align align) {
  if (text.empty()) return 0;
  float width = text_width(style, text);
  const bool cut = width > box.width + 1;
  if (cut && text_width(style, "…") > box.width + 1) return 0;
  Spans covered_parts = covered_in(text);
  if (cut) text = fitting((*fonts_)[style], text, box.width);
  while (!covered_parts.empty() && covered_parts.back().second > text.size()) {  // its start reveals it too
    text = text.substr(0, std::min(text.size(), covered_parts.back().first));
    covered_parts.pop_back();
  }
  const float kept = cut ? text_width(style, text) : width;
  if (cut) width = kept + text_width(style, "…");
  const float free = std::max(0.f, box.width - width);
  const float left = box.x + (align == Align::left ? 0 : align == Align::center ? free / 2 : free);
  const float top = box.y + (box.height - line_height(style)) / 2;
  draw_text({left, top}, style, color, text, covered_parts);
  if (cut) draw_text({left + kept, top}, style, color, "…");
  return width;
}

void Canvas::push_clip(Rect rect) {
  const Rect r = snapped(rect);
  list_->PushClipRect({r.x, r.y}, {r.right(), r.bottom()}, true);
}

void Canvas::pop_clip() { list_->PopClipRect(); }

Rect Canvas::clip() const {
  const ImVec2 low = list_->GetClipRectMin(), high = list_->GetClipRectMax();
  return {low.x, low.y, high.x - low.x, high.y - low.y};
}

std::array<Rect, 5> Canvas::around(Rect whole, Rect part) {
  if (part.empty()) return {Rect{}, whole};
  const Rect w = snapped(whole), p = snapped(part);
  return {p,
          {w.x, w.y, w.width, p.y - w.y},
          {w.x, p.bottom(), w.width, w.bottom() - p.bottom()},
          {w.x, p.y, p.x - w.x, p.height},
          {p.right(), p.y, w.right() - p.right(), p.height}};
}

}  // namespace ui
