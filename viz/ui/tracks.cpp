#include "viz/ui/tracks.h"

#include <algorithm>
#include <array>

#include "viz/draw/chart.h"
#include "viz/draw/steady.h"

namespace ui {
namespace {

constexpr float flag_cell = 4;         // CSS pixels
constexpr float clear_of_numbers = 7;  // CSS pixels between a number and the playhead

void draw_flag(Canvas& canvas, Point at, Color color) {
  const float cell = canvas.px(flag_cell);
  canvas.stroke({at.x, at.y, 4 * cell + 2, 3 * cell + 2}, color, 1);
  for (int y = 0; y < 3; ++y) {
    for (int x = y % 2; x < 4; x += 2)
      canvas.fill({at.x + 1 + static_cast<float>(x) * cell, at.y + 1 + static_cast<float>(y) * cell, cell, cell},
                  color);
  }
}

void fill_hatched(Canvas& canvas, Rect place, const Paint& paint) {
  canvas.fill(place, paint.ahead);
  canvas.push_clip(place);
  draw_hatch(canvas, place, paint.hatch, paint.past);
  canvas.pop_clip();
}

}  // namespace

float Tracks::x(double time) const {
  return axis.x + static_cast<float>((time - from) / (to - from) * static_cast<double>(axis.width));
}

double Tracks::at(float x) const {
  const double share = static_cast<double>(x - axis.x) / std::max(1.0, static_cast<double>(axis.width));
  return from + std::clamp(share, 0., 1.) * (to - from);
}

float Tracks::head() const { return std::isinf(now) ? axis.right() : std::round(x(now)); }

void Tracks::fill(Rect place, const Paint& paint) const {
  if (paint.hatch != Hatch::none) return fill_hatched(ui.canvas, place, paint);
  const float cut = std::clamp(head(), place.x, std::max(place.x, place.right()));
  if (cut > place.x) ui.canvas.fill({place.x, place.y, cut - place.x, place.height}, paint.past);
  if (cut < place.right()) ui.canvas.fill({cut, place.y, place.right() - cut, place.height}, paint.ahead);
}

Rect Tracks::part(Rect row, double begin, double end) const {
  const float left = std::max(axis.x, x(begin)), right = std::min(axis.right(), x(end));
  return {left, row.y, std::max(0.f, right - left), row.height};
}

Rect Tracks::span(Rect row, double begin, double end, Color fill, bool current, float& drawn_to, SpanLook look) const {
  Rect box = part(row, begin, end);
  if (box.width < 1) {  // at most one per column of pixels
    if (box.x < drawn_to && !current) return {};
    box = {std::floor(box.x), box.y, 1, box.height};
  }
  drawn_to = std::floor(box.right());
  if (look.apart && box.width >= 4) box.width -= 1;
  ui.canvas.fill(box, fill, ui.canvas.px(look.radius));
  if (current && box.height >= ui.canvas.px(look.framed_from))
    ui.canvas.stroke(box, ui.canvas.theme().strong, ui.canvas.px(look.frame), ui.canvas.px(look.radius));
  return box;
}

void Tracks::bars(Rect place, std::span<const float> values, float full, const Paint& paint) const {
  const auto height_of = [&](std::size_t n) { return std::round(place.height * values[n] / full); };
  for (std::size_t n = 0, next = 0; n < values.size(); n = next) {
    const float height = height_of(n);
    for (next = n + 1; next < values.size() && height_of(next) == height;) ++next;
    fill({place.x + static_cast<float>(n), place.bottom() - height, static_cast<float>(next - n), height}, paint);
  }
}

void Tracks::gap(Rect place, double begin, double end, Color color) const {
  const float left = x(begin), wide = std::max(ui.canvas.px(2), x(end) - left);
  ui.canvas.fill({std::round(left - ui.canvas.px(1)), place.y, wide, place.height}, color);
}

void Tracks::names(Rect row, std::span<const NamedTime> names, Rect taken, const Paint& paint) const {
  for (const NamedTime& n : names) {
    const float left = x(n.begin), right = x(n.end), width = ui.canvas.text_width(Style::table, n.name) + 1;
    const bool alone = names.size() == 1, first = &n == &names.front(), last = &n == &names.back();
    if (!alone && width > right - left - ui.canvas.px(8)) continue;
    const float at = alone ? left : (left + right - width) / 2;
    if (at + width > taken.x && at < taken.right()) continue;
    const bool current = (first || n.begin <= now) && (last || now < n.end);
    ui.canvas.text({at, row.y, width, row.height}, Style::table, current ? paint.past : paint.ahead, n.name);
  }
}

void Tracks::bracket(Rect row, double begin, double end, std::string_view name) const {
  Canvas& canvas = ui.canvas;
  const float left = std::round(x(begin)), right = std::round(x(end));
  if (right - left < canvas.px(3)) return;
  const float middle = std::round(row.center().y), half = canvas.px(4);
  canvas.fill({left, middle, right - left, 1}, canvas.theme().text);
  canvas.fill({left, middle - half, 1, 2 * half}, canvas.theme().text);
  canvas.fill({right - 1, middle - half, 1, 2 * half}, canvas.theme().text);
  const float wide = canvas.text_width(Style::caption, name) + 1, off = canvas.px(6);
  const float at = left - wide - off >= axis.x ? left - wide - off : right + off;
  if (at + wide <= row.right()) canvas.text({at, row.y, wide, row.height}, Style::caption, canvas.theme().muted, name);
}

Rect Tracks::finish(Rect row, Rect lane, double time, bool solid, std::string_view words) const {
  constexpr std::array<float, 2> dashes = {3, 3};
  Canvas& canvas = ui.canvas;
  const Color color = solid ? canvas.theme().strong : canvas.theme().muted;
  const float at = std::min(std::round(x(time)), lane.right() - 1), top = row.y + (words.empty() ? 0 : canvas.px(4));
  dashed_line(canvas, std::array{Point{at, top}, Point{at, lane.bottom()}}, color, 1,
              solid ? Dashes{} : Dashes{dashes});
  if (words.empty()) return {at, row.y, 1, row.height};
  const float flag = 4 * canvas.px(flag_cell) + canvas.px(8), gap = canvas.px(8);
  const float width = canvas.text_width(Style::control, words) + 1;
  const bool right = at + flag + width <= lane.right();
  draw_flag(canvas, {right ? at : at - 4 * canvas.px(flag_cell) - 2, top}, color);
  const float begin = right ? at + flag : at - flag - width;
  canvas.text({begin, row.y, width, row.height}, Style::control, color, words);
  return {std::min(at, begin) - gap, row.y, std::max(at, begin + width) - std::min(at, begin) + 2 * gap, row.height};
}

void Tracks::say_beside(Rect lane, double after, std::span<const Phrase> phrases) const {
  Canvas& canvas = ui.canvas;
  const float begin = x(after) + canvas.px(24), beside = canvas.px(20);
  const float beyond = std::isinf(now) ? begin : std::max(begin, x(now) + beside);
  const std::array gaps = {Rect{beyond, lane.y, lane.right() - beyond, lane.height},
                           Rect{begin, lane.y, (std::isinf(now) ? begin : x(now)) - beside - begin, lane.height}};
  for (const Phrase& phrase : phrases) {
    for (const Rect& gap : gaps) {
      if (!(canvas.text_width(phrase.style, phrase.text) <= gap.width)) continue;
      const float high = canvas.px(28), top = gap.center().y - (phrase.below.empty() ? high / 2 : high);
      canvas.text({gap.x, top, gap.width + 1, high}, phrase.style, phrase.color, phrase.text);
      if (!phrase.below.empty() && canvas.text_width(Style::control, phrase.below) <= gap.width)
        canvas.text({gap.x, top + high, gap.width, canvas.px(20)}, Style::control, canvas.theme().muted, phrase.below);
      return;
    }
  }
}

void arrow(Canvas& canvas, std::span<const Point> line, Color color, float width, Dashes dashes) {
  dashed_line(canvas, line, color, width, dashes);
  const Point from = line[line.size() - 2], to = line.back();
  const float dx = to.x - from.x, dy = to.y - from.y, length = draw::steady::length(dx, dy);
  if (length < 1) return;
  const float u = canvas.px(6) / length, ax = dx * u, ay = dy * u;
  const Point base{to.x - ax, to.y - ay};
  canvas.triangle(to, {base.x - ay / 2, base.y + ax / 2}, {base.x + ay / 2, base.y - ax / 2}, color);
}

void Tracks::ticks(Rect row, Rect through, float apart, const std::function<std::string(double, double)>& text,
                   Rect taken, double unit) const {
  if (!(to > from) || axis.width < 1) return;
  Canvas& canvas = ui.canvas;
  const Color color = mix(canvas.theme().card, canvas.theme().border, 0.8f);
  const float clear = canvas.px(clear_of_numbers);
  if (taken.empty()) taken.x = head();
  const double first = from / unit, last = to / unit;
  const double step = draw::round_step((last - first) * static_cast<double>(canvas.px(apart) / axis.width));
  // A sum with 0 is never -0, which would be written.
  for (double n = std::ceil(first / step - 1e-9) + 0.; n * step <= last + 1e-9 * step; ++n) {
    const float at = std::round(x(n * step * unit));
    if (!through.empty()) canvas.line({at, through.y}, {at, through.bottom()}, color, 1);
    const std::string words = text(n * step, step);
    const float wide = canvas.text_width(Style::caption, words) + 1;
    const float left = std::clamp(at - wide / 2, row.x, std::max(row.x, row.right() - wide));
    const bool covered = left < taken.right() + clear && left + wide > taken.x - clear;
    if (covered && !std::isinf(now)) continue;
    canvas.text({left, row.y, wide, row.height}, Style::caption, canvas.theme().muted, words);
  }
}

void Tracks::playhead(Rect place) const {
  const float wide = ui.canvas.px(2);
  ui.canvas.fill({std::min(head(), place.right() - wide), place.y, wide, place.height}, ui.canvas.theme().strong);
}

void Tracks::playhead(Rect row, Rect place, std::string_view words) const {
  Canvas& canvas = ui.canvas;
  const Theme& theme = canvas.theme();
  const float at = head(), w = canvas.px(5), y = row.bottom() - canvas.px(2);
  canvas.line({at, y}, {at, place.bottom()}, theme.strong, canvas.px(2));
  if (words.empty())
    return canvas.triangle({at - w, y - canvas.px(6)}, {at + w, y - canvas.px(6)}, {at, y + canvas.px(2)},
                           theme.strong);
  Rect box = pill(row, words);
  box.height -= canvas.px(2);
  canvas.fill(box, theme.strong, canvas.px(6));
  canvas.text(box, Style::control, theme.on_strong, words, Align::center);
}

Rect Tracks::pill(Rect row, std::string_view words) const {
  const float wide = ui.canvas.text_width(Style::control, words) + ui.canvas.px(18);
  return {std::clamp(head() - wide / 2, row.x, std::max(row.x, row.right() - wide)), row.y, wide, row.height};
}

Touch Tracks::touch(std::string_view id, Rect place) const {
  const Hit h = hit(ui, id, place);
  const ImGuiIO& io = ImGui::GetIO();
  const float still = ui.canvas.px(4), height = (io.MousePos.y - place.y) / std::max(1.f, place.height);
  const bool held = h.held || h.clicked, moved = io.MouseDragMaxDistanceSqr[0] > still * still;
  return {h.hovered, held, h.clicked && !moved, held && moved, at(io.MousePos.x), std::clamp(height, 0.f, 1.f)};
}

void legend(Canvas& canvas, Rect row, std::span<const Swatch> swatches,
            const std::function<std::string(std::size_t)>& more) {
  const float side = canvas.px(11), between = canvas.px(6);
  for (std::size_t n = 0; n < swatches.size(); ++n) {
    const float wide = side + between + canvas.text_width(Style::caption, swatches[n].name) + canvas.px(16);
    const std::string rest = more(swatches.size() - n);
    const float rest_wide = canvas.text_width(Style::caption, rest) + 1, keep = n + 1 < swatches.size() ? rest_wide : 0;
    if (wide + keep > row.width && rest_wide > row.width) return;
    if (wide + keep > row.width) return void(canvas.text(row, Style::caption, canvas.theme().muted, rest));
    Rect place = cut_left(row, wide);
    const Rect box{place.x, std::round(place.center().y - side / 2), side, side};
    const Paint& paint = swatches[n].paint;
    if (paint.hatch == Hatch::none)
      canvas.fill(box, paint.past);
    else
      fill_hatched(canvas, box, paint);
    cut_left(place, side + between);
    canvas.text(place, Style::caption, canvas.theme().muted, swatches[n].name);
  }
}

}  // namespace ui
