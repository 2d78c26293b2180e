// Layout of tiles and keys in the microscope, their names, and dashes.
#include <algorithm>
#include <cmath>

#include "viz/draw/steady.h"
#include "viz/panels/microscope/microscope.h"

namespace explorer {
namespace {

constexpr float frame_gap = 8, least_frame = 34, frame_padding = 8;  // CSS pixels
constexpr float words_from = 34, bars_from = 7, labels_from = 700, labels = 140, low_strip = 130;

}  // namespace

bool is_low(const View& view, const KeyStrip& strip) { return strip.place.height < view.px(low_strip); }

std::size_t KeyStrip::tile_at(float x) const {
  const float n = std::floor((x - place.x) / std::max(0.001f, width + gap));
  return begin + static_cast<std::size_t>(std::clamp(n, 0.f, static_cast<float>(end - begin - 1)));
}

float label_width(const View& view, float width) { return width < view.px(labels_from) ? 0 : view.px(labels); }

KeyStrip key_strip(const View& view, const ShownRow& row, ui::Rect place) {
  KeyStrip strip;
  strip.place = place;
  strip.begin = row.moment.begin;
  strip.end = row.moment.end;
  const auto count = static_cast<float>(strip.end - strip.begin);
  // Only the first or the last tile may be short.
  const auto keys_of = [&](std::size_t t) { return row.tiles()[t].scores.size(); };
  const std::size_t keys = std::max({std::size_t{1}, keys_of(strip.begin), keys_of(strip.end - 1)});
  const float framed = (place.width - (count - 1) * view.px(frame_gap)) / count;
  strip.gap = framed >= view.px(least_frame) ? view.px(frame_gap) : 0;
  strip.width = strip.gap > 0 ? framed : place.width / count;
  strip.pitch = (strip.width - (strip.gap > 0 ? view.px(frame_padding) : 0)) / static_cast<float>(keys);
  strip.detail = strip.pitch >= view.px(words_from)  ? KeyDetail::words
                 : strip.pitch >= view.px(bars_from) ? KeyDetail::bars
                                                     : KeyDetail::texture;
  if (place.height < view.px(low_strip) && strip.detail == KeyDetail::words) strip.detail = KeyDetail::bars;
  return strip;
}

std::string key_name(const View& view, const ShownRow& row, std::size_t t, std::size_t key) {
  const sim::SoftmaxTile& tile = row.tiles()[t];
  if (tile.of_parts) return view.say("part {}", tile.part);
  const auto index = static_cast<std::size_t>(tile.keys.begin) + key;
  const auto words = words_of(view.subject());
  return index < words.size() ? std::string(words[index]) : sim::text(index);
}

std::string tile_name(const View& view, const ShownRow& row, std::size_t t) {
  const sim::SoftmaxTile& tile = row.tiles()[t];
  if (tile.of_parts) return view.say("part {}", tile.part);
  return view.say("tile {}", t - row.moment.begin);
}

float draw_row_text(View& view, ui::Rect box, ui::Style style, ui::Color color, std::string_view path,
                    std::string_view text, ui::Align align) {
  view.ui.state.shown[view.id(sim::text("row/", path))] = text;
  return view.canvas().text(box, style, color, text, align);
}

std::string tile_path(std::size_t t, std::string_view leaf) { return sim::text("tiles.", t, ".", leaf); }
std::string tile_path(std::size_t t, std::string_view leaf, std::size_t n) {
  return sim::text("tiles.", t, ".", leaf, ".", n);
}

std::string row_number(const char* format, float value) {
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  std::string text = sim::text(fmt::format(fmt::runtime(format), static_cast<double>(value)));
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

double exp_of(double x) {
  constexpr double most = 700;
  return x < -most ? 0 : draw::steady::exp(std::min(x, most));
}

void draw_dashes(View& view, ui::Rect line, ui::Color color) {
  const float dash = std::max(2.f, view.px(3)), step = 2 * dash;
  ui::Canvas& canvas = view.canvas();
  for (float x = line.x; line.width > line.height && x < line.right(); x += step)
    canvas.fill({x, line.y, std::min(dash, line.right() - x), line.height}, color);
  for (float y = line.y; line.height >= line.width && y < line.bottom(); y += step)
    canvas.fill({line.x, y, line.width, std::min(dash, line.bottom() - y)}, color);
}

void draw_dashed_bar(View& view, ui::Rect bar, bool hangs, ui::Color color) {
  const float thick = std::max(1.f, view.px(1));
  if (bar.width < 3 * thick || bar.height < thick) return;
  draw_dashes(view, {bar.x, hangs ? bar.bottom() - thick : bar.y, bar.width, thick}, color);
  draw_dashes(view, {bar.x, bar.y, thick, bar.height}, color);
  draw_dashes(view, {bar.right() - thick, bar.y, thick, bar.height}, color);
}

}  // namespace explorer
