#include "viz/ui/canvas_paper.h"

#include <cmath>

#include "viz/ui/hatch.h"

namespace ui {
namespace {

Dashes lengths_of(draw::Dash dash) {
  static constexpr std::array<float, 2> dashed = {7, 4}, dotted = {2, 3}, long_dashed = {14, 4}, formula = {1, 4};
  static constexpr std::array<float, 4> dash_dotted = {8, 3, 2, 3};
  const std::array<Dashes, 6> all = {Dashes{}, dashed, dotted, dash_dotted, long_dashed, formula};
  return all.at(static_cast<std::size_t>(dash));
}

Style style_of(draw::Letters letters) {
  constexpr std::array<Style, 4> styles_of = {Style::caption, Style::control, Style::body, Style::caption};
  return styles_of.at(static_cast<std::size_t>(letters));
}

}  // namespace

Color CanvasPaper::color(const draw::Tone& tone) const {
  const Theme& theme = canvas_.theme();
  if (tone.kind != draw::Tone::part)
    return std::array{theme.text, theme.muted, theme.faint, theme.strong, theme.border, theme.track}.at(tone.kind);
  const Color plain = tone.of.size() == 1 && is_tensor(tone.of[0]) ? theme.tensor(tone.of[0]) : theme.muted;
  const Color shown = tone.lighter ? mix(theme.card, plain, 0.55f) : plain;
  return tone.under_text ? text_on(shown) : shown;
}

void CanvasPaper::fill(Rect rect, draw::Tone tone, std::string_view) { canvas_.fill(rect, color(tone)); }

void CanvasPaper::line(std::span<const Point> points, const draw::Stroke& stroke) {
  const float width = stroke.width * scale();
  if (points.size() != 2) return dashed_line(canvas_, points, color(stroke.tone), width, lengths_of(stroke.dash));
  if (stroke.dash == draw::Dash::none) return canvas_.line(points[0], points[1], color(stroke.tone), width);
  const auto in_pixels = [&](Point p) {  // a thin line along an axis is sharp in the middle of pixels
    if (points[0].x == points[1].x) p.x = std::floor(p.x) + 0.5f;
    if (points[0].y == points[1].y) p.y = std::floor(p.y) + 0.5f;
    return p;
  };
  dashed_line(canvas_, std::array{in_pixels(points[0]), in_pixels(points[1])}, color(stroke.tone), width,
              lengths_of(stroke.dash));
}

void CanvasPaper::mark(Point c, draw::Shape shape, float radius, draw::Tone tone, std::string_view) {
  using draw::Shape;
  const float r = radius * scale(), thin = 1.5f * scale();
  const Color in = color(tone);
  const auto at = [c](float x, float y) { return Point{c.x + x, c.y + y}; };
  if (shape == Shape::disc) canvas_.disc(c, r, in);
  if (shape == Shape::ring) {
    canvas_.disc(c, r, canvas_.theme().card);
    canvas_.ring(c, r, in, thin);
  }
  if (shape == Shape::square) canvas_.convex(std::array{at(-r, -r), at(r, -r), at(r, r), at(-r, r)}, in);
  if (shape == Shape::diamond) canvas_.convex(std::array{at(0, -r), at(r, 0), at(0, r), at(-r, 0)}, in);
  if (shape == Shape::triangle) canvas_.triangle(at(0, -r), at(r, 0.8f * r), at(-r, 0.8f * r), in);
  if (shape != Shape::cross) return;
  canvas_.polyline(std::array{at(-r, 0), at(r, 0)}, in, thin);
  canvas_.polyline(std::array{at(0, -r), at(0, r)}, in, thin);
}

float CanvasPaper::text_width(draw::Letters letters, std::string_view text) const {
  return canvas_.text_width(style_of(letters), text);
}

void CanvasPaper::text(Point at, draw::Letters letters, draw::Tone tone, std::string_view text, float align) {
  const float width = text_width(letters, text), height = canvas_.line_height(style_of(letters));
  const float left = at.x - align * width;
  canvas_.text({left, at.y - height / 2, std::min(width, right_ - left), height}, style_of(letters), color(tone), text);
}

}  // namespace ui
