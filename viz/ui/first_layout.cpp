#include "viz/ui/first_layout.h"

#include <cmath>

namespace ui {
namespace {

// CSS pixels of the design.
constexpr float first_margin = 16, first_gap = 14, film_padding = 22, doors_width = 504, search_width = 364;
constexpr float results_height = 168, learn_height = 236, ask_height = 236, build_height = 180;
constexpr float doors_row = 250, least_beside = 900, least_columns = 760;
constexpr float run_width = 184, bytes_width = 178, film_names = 26, bytes_height = 128, film_transport = 46;

/// Places the parts of a run. `above`: its words are above its lanes.
RaceCard place_run(Rect rest, bool above, bool bytes, float scale) {
  const auto px = [&](float css) { return std::round(css * scale); };
  RaceCard run;
  run.card = rest;
  run.words_above = above;
  if (above) {
    run.words = cut_top(rest, px(44));
  } else {
    run.words = cut_left(rest, px(run_width));
    cut_left(rest, px(10));
    if (bytes) run.counters = cut_right(rest, px(bytes_width));
    cut_right(rest, px(bytes ? 20 : 0));
  }
  run.names = cut_top(rest, px(film_names));
  run.lanes = rest;
  run.busy = {rest.x, rest.bottom(), rest.width, 0};
  return run;
}

void place_film(FirstLayout& layout, std::size_t runs) {
  const auto px = [&](float css) { return std::round(css * layout.scale); };
  const bool above = layout.film.width < px(560), narrow = layout.film.width < px(least_columns);
  Rect rest = layout.film.inset(px(above ? 14 : film_padding), px(14));
  layout.headline = cut_top(rest, px(above ? 68 : 34));
  layout.sentence = cut_top(rest, px(above ? 62 : 24));
  cut_top(rest, px(6));
  layout.tags = cut_top(rest, px(above ? 74 : 22));
  layout.transport = cut_bottom(rest, px(film_transport));
  if (!above && rest.height > px(390)) {
    Rect below = cut_bottom(rest, px(bytes_height));
    cut_bottom(rest, px(10));
    const RaceCard columns = place_run(below, false, !narrow, layout.scale);
    layout.bytes = columns.words;
    layout.ticks = {columns.lanes.x, below.y, columns.lanes.width, px(24)};
    layout.plot = {columns.lanes.x, below.y + px(24), columns.lanes.width, below.height - px(24)};
  }
  cut_top(rest, px(8));
  if (!above) layout.captions = cut_top(rest, px(18));
  const float between = px(above ? 12 : 8), n = static_cast<float>(runs);
  const float each = std::floor((rest.height - (n - 1) * between) / n);
  for (std::size_t run = 0; run < runs; ++run) {
    layout.runs.push_back(place_run(cut_top(rest, each), above, !narrow, layout.scale));
    cut_top(rest, between);
  }
}

/// Places the doors at the right, as high as the film; what is left over goes to the questions and the last door.
void place_doors_right(FirstLayout& layout, Rect column) {
  const auto px = [&](float css) { return std::round(css * layout.scale); };
  layout.results = cut_top(column, px(results_height));
  cut_top(column, px(first_gap));
  const float more = std::max(0.f, column.height - px(learn_height + ask_height + build_height) - 2 * px(first_gap));
  layout.learn = cut_top(column, px(learn_height) + std::round(0.2f * more));
  cut_top(column, px(first_gap));
  layout.ask = cut_top(column, px(ask_height) + std::round(0.35f * more));
  cut_top(column, px(first_gap));
  layout.build = column;
}

void place_doors_below(FirstLayout& layout, Rect rest, bool beside) {
  const auto px = [&](float css) { return std::round(css * layout.scale); };
  Rect* const doors[] = {&layout.learn, &layout.ask, &layout.build};
  const float heights[] = {learn_height, ask_height, build_height};
  if (beside) {
    constexpr float shares[] = {0.29f, 0.38f, 0.33f};
    const float wide = rest.width - 2 * px(first_gap);
    for (std::size_t n = 0; n < 3; ++n) {
      *doors[n] = cut_left(rest, std::floor(shares[n] * wide));
      cut_left(rest, px(first_gap));
    }
    return;
  }
  for (std::size_t n = 0; n < 3; ++n) {
    *doors[n] = cut_top(rest, px(heights[n]));
    cut_top(rest, px(first_gap));
  }
}

/// Places the top bar: in narrow windows the field has a row of its own.
Rect place_first_bar(FirstLayout& layout, const Layout& whole, bool one_row) {
  const auto px = [&](float css) { return std::round(css * layout.scale); };
  Rect rest = layout.window.inset(px(first_margin), 0);
  Rect bar = cut_top(rest, px(58));
  layout.actions = cut_right(bar, std::min(bar.width, px(one_row ? 218 : 226)));
  if (one_row) {
    cut_right(bar, px(8));
    layout.field = cut_right(bar, std::min(px(search_width), bar.width - px(180)));
    cut_right(bar, px(12));
  } else {
    layout.field = cut_top(rest, px(44));
    cut_top(rest, px(8));
  }
  layout.title = bar;
  const float high = is_for_fingers(layout.window.width, whole.scale) ? px(40) : px(32);
  layout.field = {layout.field.x, std::round(layout.field.center().y - high / 2), layout.field.width, high};
  return rest;
}

}  // namespace

FirstLayout make_first_layout(float width, float height, float dpr, std::size_t runs, float scrolled) {
  const Layout whole = make_layout(width, height, dpr);
  FirstLayout layout;
  layout.scale = whole.scale;
  layout.window = whole.window;
  const auto px = [&](float css) { return std::round(css * layout.scale); };
  const bool right = !whole.tabbed, beside = !right && layout.window.width >= px(least_beside);
  layout.page = place_first_bar(layout, whole, layout.window.width >= px(700));
  Rect rest = layout.page;
  const float low = px(first_margin);
  const auto scroll = [&](float needed) {
    layout.height = needed + low;
    const bool scrolls = layout.height > layout.page.height + 1;
    if (!scrolls) layout.height = layout.page.height;
    if (scrolls) rest.width -= px(12);  // next to the bar
    rest.y -= std::round(scrolled);
    rest.height = std::max(needed, layout.page.height - low);
  };
  const float of_runs = static_cast<float>(std::max<std::size_t>(runs, 1));
  if (right) {
    const float doors = px(results_height + learn_height + ask_height + build_height) + 3 * px(first_gap);
    scroll(std::max(doors, px(300) + of_runs * px(80)));
    Rect column = cut_right(rest, px(doors_width));
    cut_right(rest, px(first_gap));
    layout.film = rest;
    place_doors_right(layout, column);
  } else {
    const bool above = layout.window.width < px(620);
    const float least = above ? px(290) + of_runs * px(132) : px(180) + of_runs * px(92);
    const float film = std::max(least, std::min(px(640), layout.page.height - px(doors_row + first_gap) - low));
    const float doors = beside ? px(doors_row) : px(learn_height + ask_height + build_height) + 2 * px(first_gap);
    scroll(film + px(first_gap) + doors);
    layout.film = cut_top(rest, film);
    cut_top(rest, px(first_gap));
    place_doors_below(layout, rest, beside);
  }
  place_film(layout, runs);
  return layout;
}

}  // namespace ui
