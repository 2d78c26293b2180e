#include "viz/ui/race_layout.h"

#include <cmath>

namespace ui {
namespace {

// CSS pixels of the design.
constexpr float race_margin = 16, race_gap = 12, padding_x = 16, bar_height = 46, footer_height = 225,
                least_footer = 150;
constexpr float words_width = 204, right_width = 422, counters_height = 88, least_counters = 66, words_row = 44;
constexpr float names_height = 34, busy_height = 8, busy_gap = 6, transport_row = 34, ticks_row = 24;
constexpr float row_names = 20, row_gap = 6;  // of rows in one card

/// Widths left and right of the lanes in a card. Narrow windows have only text, above the lanes.
struct Sides {
  float words, words_gap, right, right_gap;
};

Sides sides_of(float inner, float scale) {
  const auto px = [&](float css) { return std::round(css * scale); };
  if (inner < px(560)) return {0, 0, 0, 0};
  if (inner < px(820)) return {px(180), px(20), 0, 0};
  const float right = std::min(px(right_width), std::round(0.275f * inner));
  return {px(words_width), px(26), right, px(24)};
}

/// Places the parts of a run. `names`: height of the row above its lanes.
RaceCard make_row(Rect rest, const Sides& sides, float scale, float names) {
  const auto px = [&](float css) { return std::round(css * scale); };
  RaceCard place;
  place.words_above = sides.words == 0;
  if (!place.words_above) {
    place.words = cut_left(rest, sides.words);
    cut_left(rest, sides.words_gap);
  } else {
    place.words = cut_top(rest, px(words_row));
  }
  if (sides.right > 0) {
    place.counters = cut_right(rest, sides.right);
    cut_right(rest, sides.right_gap);
    place.links = place.counters;
    place.counters = cut_top(place.links, std::max(px(counters_height), std::round(0.35f * rest.height)));
    if (place.links.height < px(64)) place.links = {};
    if (place.counters.height < px(least_counters)) place.counters = {};
  }
  place.names = cut_top(rest, names);
  place.busy = cut_bottom(rest, px(busy_height));
  cut_bottom(rest, px(busy_gap));
  place.lanes = rest;
  return place;
}

RaceCard make_card(Rect card, const Sides& sides, float scale) {
  const auto px = [&](float css) { return std::round(css * scale); };
  const float tight = card.height < px(180) ? px(8) : px(12);
  RaceCard place = make_row(card.inset(px(padding_x), tight), sides, scale, px(names_height) - tight / 2);
  place.card = card;
  return place;
}

}  // namespace

namespace {

RaceLayout race_in(const Layout& whole, std::size_t runs, bool with_bar) {
  const auto px = [&](float css) { return std::round(css * whole.scale); };
  RaceLayout layout;
  layout.scale = whole.scale;
  layout.window = whole.window;
  layout.title = whole.title;
  layout.controls = whole.controls;
  layout.actions = whole.actions;
  Rect rest = whole.window.inset(px(race_margin), 0);
  cut_top(rest, std::max({whole.title.bottom(), whole.controls.bottom(), whole.actions.bottom()}));
  cut_bottom(rest, px(race_margin));
  if (with_bar) layout.bar = cut_top(rest, px(bar_height));
  layout.footer = cut_bottom(rest, std::clamp(std::round(0.257f * rest.height), px(least_footer), px(footer_height)));
  const Sides sides = sides_of(rest.width - 2 * px(padding_x), whole.scale);
  const auto count = static_cast<float>(runs);
  const float high = std::round((rest.height - count * px(race_gap)) / count);
  for (std::size_t n = 0; n < runs; ++n) {
    layout.cards.push_back(make_card(cut_top(rest, high), sides, whole.scale));
    cut_top(rest, px(race_gap));
  }
  Rect footer = layout.footer.inset(px(padding_x), px(race_gap));
  layout.transport = cut_top(footer, px(transport_row));
  cut_top(footer, px(4));
  layout.legend = cut_left(footer, sides.words);
  cut_left(footer, sides.words_gap);
  layout.totals = cut_right(footer, sides.right);
  cut_right(footer, sides.right_gap);
  layout.ticks = cut_top(footer, px(ticks_row));
  layout.plot = footer;
  return layout;
}

}  // namespace

RaceLayout make_race_layout(float width, float height, float dpr, std::size_t runs) {
  return race_in(make_layout(width, height, dpr, Tab::matrix), runs, true);
}

RaceLayout make_race_rows(Rect card, float scale, std::size_t runs) {
  const auto px = [&](float css) { return std::round(css * scale); };
  RaceLayout layout;
  layout.scale = scale;
  Rect rest = card.inset(px(padding_x), px(race_gap));
  const Sides sides = sides_of(rest.width, scale);
  layout.transport = cut_top(rest, px(transport_row));
  cut_top(rest, px(row_gap));
  layout.ticks = cut_top(rest, px(ticks_row));
  cut_left(layout.ticks, sides.words + sides.words_gap);
  cut_right(layout.ticks, sides.right + sides.right_gap);
  layout.legend = cut_bottom(rest, px(row_names));
  cut_bottom(rest, px(row_gap));
  const auto count = static_cast<float>(runs);
  const float high = std::floor((rest.height - (count - 1) * px(row_gap)) / count);
  for (std::size_t n = 0; n < runs; ++n) {
    layout.cards.push_back(make_row(cut_top(rest, high), sides, scale, px(row_names)));
    cut_top(rest, px(row_gap));
  }
  return layout;
}

RaceLayout make_race_layout(const Layout& stage, std::size_t runs) { return race_in(stage, runs, false); }

}  // namespace ui
