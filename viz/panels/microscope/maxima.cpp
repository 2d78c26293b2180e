// The running maximum of a row: dashed before the current tile, solid after it.
#include <algorithm>
#include <cmath>

#include "viz/panels/microscope/keys.h"

namespace explorer {
namespace {

using ui::Align;
using ui::Rect;
using ui::Style;

/// Free rectangle in the current tile for the number of a maximum, above or below its line; empty if there is none.
Rect free_place(const RowKeys& k, float y, float width) {
  const Rect now = k.strip.tile(k.row.moment.tile);
  const float height = k.view.px(row_number_height), step = k.view.px(8);
  const Rect whole = k.strip.framed() ? now : k.strip.place;
  for (const float top : {y - height, y + 2}) {
    for (float left = std::max(now.x, whole.x) + step; left + width <= whole.right(); left += step) {
      const Rect place{left, top, width, height};
      const bool free = std::none_of(k.taken.begin(), k.taken.end(),
                                     [&](const Rect& other) { return !common(other, place).empty(); });
      if (free) return place;
    }
  }
  return {};
}

/// Draws a maximum as a line with its name and number at the left of the current tile.
void draw_max_line(RowKeys& k, double m, bool old, float from, float to, std::string_view words,
                   std::string_view leaf) {
  if (!std::isfinite(m)) return;
  const float y = std::round(k.score_y(m)), thick = std::max(1.f, k.view.px(old ? 1 : 2));
  const ui::Theme& theme = k.view.theme();
  if (old)
    draw_dashes(k.view, {from, y, to - from, thick}, theme.text);
  else
    k.view.canvas().fill({from, y, to - from, thick}, theme.strong);
  const std::string text = sim::text(words, " = ", row_number("{:.2f}", static_cast<float>(m)));
  const float width = k.view.canvas().text_width(Style::table, text) + 2;
  const Rect place = free_place(k, y, width);
  if (place.empty()) return;  // the card below shows the number
  k.taken.push_back(place);
  draw_row_text(k.view, place, Style::table, theme.text, tile_path(k.row.moment.tile, leaf), text);
}

}  // namespace

void draw_maxima(RowKeys& k) {
  const RowMoment& moment = k.row.moment;
  const sim::SoftmaxTile& tile = k.row.tiles()[moment.tile];
  const Rect now = k.strip.tile(moment.tile);
  const bool known = k.row.knows(moment.tile, RowStage::max);
  std::size_t first = moment.tile;
  while (first > k.strip.begin && k.row.tiles()[first - 1].part == tile.part) --first;
  const float left = k.strip.tile(tile.of_parts ? k.strip.begin : first).x;
  const bool grows = tile.max_runs && tile.m > tile.m_before;
  const std::string_view name = tile.of_log_sum ? "L" : "m";
  if (!tile.max_runs) return draw_max_line(k, static_cast<double>(tile.m), false, left, now.right(), name, "m");
  if (grows && known)  // the line of m′ does not cross the number of m
    k.taken.push_back({now.x, std::round(k.score_y(static_cast<double>(tile.m))), now.width, k.view.px(2)});
  if (grows || !known) draw_max_line(k, static_cast<double>(tile.m_before), true, left, now.right(), "m", "m_before");
  if (!known) return;
  draw_max_line(k, static_cast<double>(tile.m), false, grows ? now.x : left, now.right(), grows ? "m′" : "m", "m");
}

void draw_alpha(RowKeys& k) {
  const sim::SoftmaxTile& tile = k.row.tiles()[k.row.moment.tile];
  const bool known = k.row.knows(k.row.moment.tile, RowStage::alpha);
  if (!known || !tile.rescales || tile.m_before == sim::unseen_max || k.row.moment.tile == k.strip.begin) return;
  const std::string text = "× α,  α = " + row_number("{:.2f}", tile.alpha);
  const float width = k.view.canvas().text_width(Style::table, text) + k.view.px(16);
  const Rect before = k.strip.tile(k.row.moment.tile - 1);
  const float right = std::max(before.right(), k.strip.place.x + width);
  const Rect box{right - width, k.weights.y - k.view.px(row_number_height + row_alpha_height), width, k.view.px(22)};
  k.view.canvas().card(box, k.view.theme().card, k.view.theme().border, k.view.px(5));
  draw_row_text(k.view, box, Style::table, k.view.theme().text, tile_path(k.row.moment.tile, "alpha"), text,
                Align::center);
}

}  // namespace explorer
