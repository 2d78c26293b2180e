#include "viz/panels/scenario/number.h"

#include <cmath>
#include <cstdlib>

#include "sim/report/quantities.h"
#include "viz/model/explained.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

/// Replaces "us", as on the command line, by "µs".
std::string with_micro(std::string text) {
  const std::size_t at = text.find(" us");
  return at == std::string::npos ? text : text.replace(at, 3, " µs");
}

/// Position of the unit: after the last space, or at the end.
std::size_t unit_of(std::string_view text) { return std::min(text.rfind(' '), text.size()); }

struct Written {
  std::string_view value, unit;
  float value_width, width;
};

/// Measures a number and its unit: next to a large number the unit is small.
Written measured(const ui::Canvas& canvas, ui::Style style, std::string_view text) {
  const std::size_t unit = style == ui::Style::number ? unit_of(text) : text.size();
  Written w{text.substr(0, unit), text.substr(std::min(unit + 1, text.size())), 0, 0};
  w.value_width = std::ceil(canvas.text_width(style, w.value));
  w.width = w.value_width;
  if (!w.unit.empty()) w.width += canvas.px(5) + std::ceil(canvas.text_width(ui::Style::body, w.unit));
  return w;
}

void write(View& view, ui::Rect box, ui::Style style, ui::Color color, const Written& w) {
  ui::Canvas& canvas = view.canvas();
  const auto [value, space, unit] = ui::columns(box, 0, {w.value_width + 1, canvas.px(5) - 1, ui::rest()});
  canvas.text(value, style, color, w.value);
  // Aligns both on one baseline, although the unit is smaller.
  const float drop = (canvas.fonts()[style].Ascent - canvas.fonts()[ui::Style::body].Ascent) / 2;
  canvas.text(unit.moved(0, std::round(drop)), ui::Style::body, view.theme().muted, w.unit);
}

std::string free_name(const View& view, std::string_view path) {
  const std::string name = view.id(sim::text("number/", path));
  std::string free = name;
  for (int n = 2; view.ui.state.probes.contains(free); ++n) free = sim::text(name, "/", n);
  return free;
}

void explain_when_clicked(View& view, ui::Rect place, std::string_view path, std::string_view text) {
  const std::string name = free_name(view, path);
  const ui::Hit h = ui::hit(view.ui, name, place);
  if (!view.ui.state.probes.contains(name)) return;  // clipped
  view.ui.state.shown.emplace(name, text);
  const std::string here = view.id(path);
  const bool selected = view.state.look.selection == here;
  if (h.hovered || selected) {
    const ui::Theme& theme = view.theme();
    const float thick = view.px(selected ? 1.5f : 1);
    view.canvas().fill({place.x, place.bottom() - thick, place.width, thick}, selected ? theme.strong : theme.muted);
  }
  if (h.clicked) view.set([&](Look& look) { look.selection = selected ? std::string() : here; });
}

/// Hatches a number that is the answer of an open question. False if it is not covered.
bool draw_covered(View& view, ui::Rect place, ui::Style style, std::string_view path) {
  if (!view.world.covered.hides(path)) return false;
  const float height = view.canvas().line_height(style);
  view.canvas().covered({place.x, place.center().y - height / 2, place.width, height}, style);
  return true;
}

/// Rectangle of a line of that width and style in a box, which reacts to the pointer.
ui::Rect place_of(const ui::Canvas& canvas, ui::Rect box, ui::Style style, float width, ui::Align align) {
  width = std::min(width, box.width);
  const float free = box.width - width, height = std::min(box.height, canvas.line_height(style));
  const float x = align == ui::Align::left ? 0 : align == ui::Align::right ? free : free / 2;
  return {std::floor(box.x + x), std::floor(box.center().y - height / 2), width, height};
}

}  // namespace

std::string number_text(std::string_view path, double value) {
  return with_micro(report::text_in(written_unit(path), value));
}

std::string number_in_unit_of(std::string_view path, double value, double whole) {
  if (std::isnan(value) || std::isnan(whole)) return "-";
  const std::string text = number_text(path, whole);
  const std::size_t point = text.find('.'), unit = unit_of(text);
  const double written = std::strtod(text.c_str(), nullptr);
  double step = 1;  // units are powers of 1000
  while (whole / step > 31 * written) step *= 1000;
  if (text.substr(0, unit).find('e') != std::string::npos) return fmt::format("{:.4g}", value / step);
  return fmt::format("{:.{}f}", value / step, point < unit ? unit - point - 1 : 0);
}

std::string times_text(double times) {
  if (std::isnan(times)) return "-";
  return fmt::format("{:.{}f}", times, times < 9.995 ? 2 : times < 99.95 ? 1 : 0);
}

std::string part_text(double part) {
  if (std::isnan(part)) return "-";
  const double percent = 100 * part;
  return fmt::format("{:.{}f} %", percent, percent < 0.995 ? 2 : percent < 9.95 ? 1 : 0);
}

namespace {

/// Ratio of the larger of two to the smaller, from their ratio in either order.
std::string larger_part(double ratio) { return times_text(ratio < 1 ? 1 / std::max(ratio, 1e-12) : ratio); }

}  // namespace

bool is_even(double ratio) { return larger_part(ratio) == times_text(1); }

std::string ratio_words(const View& view, double ratio, bool of_time) {
  if (ratio == 1) return std::string(of_time ? view.say("as fast") : view.say("equal"));
  if (is_even(ratio)) return std::string(of_time ? view.say("nearly as fast") : view.say("nearly equal"));
  const bool less = ratio < 1;
  const std::string digits = larger_part(ratio);
  if (of_time) return less ? view.say("{} x faster", digits) : view.say("{} x slower", digits);
  return less ? view.say("{} x less", digits) : view.say("{} x more", digits);
}

float number_width(const View& view, ui::Style style, std::string_view path, double value) {
  return measured(view.canvas(), style, number_text(path, value)).width;
}

float draw_number(View& view, ui::Rect box, ui::Style style, ui::Color color, std::string_view path, double value,
                  ui::Align align) {
  const std::string text = number_text(path, value);
  const Written w = measured(view.canvas(), style, text);
  const ui::Rect place = place_of(view.canvas(), box, style, w.width, align);
  if (draw_covered(view, place, style, path)) return place.width;
  write(view, {place.x, box.y, place.width + 1, box.height}, style, color, w);
  explain_when_clicked(view, place, path, text);
  return place.width;
}

float draw_number(View& view, ui::Rect box, ui::Style style, std::string_view path, double value, ui::Align align) {
  return draw_number(view, box, style, view.theme().text, path, value, align);
}

float draw_number_text(View& view, ui::Rect box, ui::Style style, ui::Color color, std::string_view path,
                       std::string_view text, ui::Align align) {
  const float width = std::ceil(view.canvas().text_width(style, text));
  const ui::Rect place = place_of(view.canvas(), box, style, width, align);
  if (draw_covered(view, place, style, path)) return place.width;
  view.canvas().text({place.x, box.y, place.width + 1, box.height}, style, color, text);
  explain_when_clicked(view, place, path, text);
  return place.width;
}

}  // namespace explorer
