#include "viz/panels/wall/wall.h"

#include <algorithm>
#include <cmath>

#include "sim/programs/programs.h"
#include "sim/report/numbers.h"
#include "sim/trace/tensors.h"
#include "viz/model/explained.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/memory/levels.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/field.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/wall/words.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float gap = 12, padding = 16, two_columns = 660, least_cells = 120;  // CSS pixels
constexpr float words_height = 62, legend_height = 28, chart_title = 30, slider_row = 38;

std::shared_ptr<const sim::Simulation> simulation_of(const Subject& subject) {
  return {subject.run, &subject.run->simulation};
}

WallHalf half_of(const View& view, std::size_t n) {
  const std::shared_ptr<const sim::Simulation> run = simulation_of(view.world.subject(n));
  return {{view.ui, view, n}, "", run_name(view.model, n), run_name(view.model, n, true), run, wall_of(*run)};
}

WallHalf standard_of(const View& view) {
  const std::shared_ptr<const sim::Simulation> run = view.world.subject(0).run->standard;
  const sim::Program& program = sim::programs::standard;
  return {{view.ui, view, 0},
          of_standard,
          std::string(view.say(program.title)),
          std::string(view.say(program.short_title)),
          run,
          wall_of(*run)};
}

/// Rectangles of one half: its cards and their contents.
struct HalfPlace {
  Rect card, words, cells, legend, chart_card, chart_title, chart, slider;
};

struct WallPlaces {
  float height = 0;  ///< height of the whole view, which scrolls if it exceeds the available height
  std::vector<HalfPlace> halves;
};

/// Height of the card with the chart.
float chart_card_height(const View& view, float chart) {
  return chart + view.px(chart_title + slider_row) + 2 * view.px(gap);
}

HalfPlace place_half(const View& view, Rect wall, Rect below, float chart) {
  HalfPlace place;
  place.card = wall;
  place.chart_card = below;
  Rect inside = wall.inset(view.px(padding), view.px(gap));
  place.words = cut_top(inside, view.px(words_height));
  cut_top(inside, view.px(8));
  place.legend = cut_bottom(inside, view.px(legend_height));
  place.cells = inside;
  Rect rest = place.chart_card.inset(view.px(padding), view.px(gap));
  place.chart_title = cut_top(rest, view.px(chart_title));
  place.slider = cut_bottom(rest, view.px(slider_row));
  place.chart = cut_top(rest, chart);
  return place;
}

/// Places the halves side by side, or both walls above both charts; scrolls if they do not fit.
WallPlaces place_wall(const View& view, Rect body, std::size_t halves) {
  WallPlaces places;
  const bool beside = halves > 1 && body.width >= view.px(two_columns);
  const auto columns = static_cast<float>(beside ? halves : 1), rows = static_cast<float>(beside ? 1 : halves);
  const float width = std::floor((body.width - (columns - 1) * view.px(gap)) / columns);
  const float chart = height_of_memory_chart(view, width - 2 * view.px(padding));
  const float below = chart_card_height(view, chart), space = view.px(gap);
  const float cells = beside || halves == 1 ? view.px(least_cells) : std::round(0.62f * width);
  const float least = view.px(words_height + 8 + legend_height) + 2 * space + cells;
  const float free = body.height - rows * (below + space) - (rows - 1) * space;
  const float wall = std::max(least, std::floor(free / rows));
  places.height = rows * (wall + below + space) + (rows - 1) * space;
  for (std::size_t n = 0; n < halves; ++n) {
    const float across = beside ? static_cast<float>(n) * (width + space) : 0;
    const float down = beside ? 0 : static_cast<float>(n);
    const float charts = body.y + rows * (wall + space);
    places.halves.push_back(place_half(view, {body.x + across, body.y + down * (wall + space), width, wall},
                                       {body.x + across, charts + down * (below + space), width, below}, chart));
  }
  return places;
}

/// Draws a sentence on the view and its scenario: the longest that fits.
void draw_sentence(View& view, Rect line) {
  const sim::Shape& shape = view.subject().problem().shape;
  const std::string first(view.say("Bytes at true scale: equal areas are equal bytes."));
  const std::string of =
      view.say("{} × {} heads, N {}, d {}, {}", shape.batch, shape.heads, report::thousands(shape.seqlen_k),
               sim::text_of(shape.head_dims()), sim::name_of(view.subject().problem().dtype));
  for (const std::string& words : {first + "   " + of, first}) {
    if (view.canvas().text_width(Style::body, words) > line.width) continue;
    view.canvas().text(line, Style::body, view.theme().text, words);
    return;
  }
}

void draw_chart_card(const WallPair& pair, std::size_t n, const HalfPlace& place) {
  const WallHalf& half = pair.halves[n];
  View view = half.view;
  ui::panel(view.canvas(), place.chart_card);
  Rect line = place.chart_title;
  line.height = view.px(20);
  const double time = half.run->microseconds;
  const std::string text = number_text("time.microseconds", time);
  const bool fits = half.wall.fits();
  const std::string words = !view.subject().has_time() ? std::string(view.say("no time is predicted"))
                            : fits
                                ? view.say("predicted {}, bound by {}", text, resource_name(view, half.run->bound_by))
                                : view.say("predicted {}, if it fitted", text);
  const std::string_view title = view.say("Memory chart");
  const float wide = view.canvas().text_width(Style::caption, words);
  draw_number_text(view, cut_right(line, std::min(wide + 2, line.width)), Style::caption,
                   fits ? view.theme().muted : view.theme().warning, half.path("time.microseconds"), words,
                   ui::Align::right);
  if (line.width > view.canvas().text_width(Style::title, title) + view.px(8))
    view.canvas().text(line, Style::title, view.theme().text, title);
  draw_memory_chart(pair, n, place.chart);
  View first{view.ui, view, 0};
  Rect slider = place.slider;
  slider.y += view.px(8);
  slider.height -= view.px(8);
  if (pair.halves.size() > 1) return n == 0 ? draw_length_slider(first, slider) : draw_sram_slider(first, slider);
  const float half_width = std::floor(slider.width / 2 - view.px(gap));  // a single run has both sliders
  draw_length_slider(first, cut_left(slider, half_width));
  cut_left(slider, 2 * view.px(gap));
  draw_sram_slider(first, slider);
}

void draw_half(const WallPair& pair, std::size_t n, const HalfPlace& place, const std::vector<WallCells>& cells) {
  View view = pair.halves[n].view;
  ui::panel(view.canvas(), place.card);
  draw_wall_words(pair, n, place.words);
  draw_wall_cells(pair, n, cells);
  draw_wall_labels(pair, n, cells);
  draw_wall_legend(pair, n, cells, place.legend);
  draw_chart_card(pair, n, place);
}

}  // namespace

WallPair wall_pair(View& view) {
  WallPair pair;
  const Subject& first = view.world.subject(0);
  if (view.world.subjects() > 1) {
    pair.halves.push_back(half_of(view, 0));
    const Subject& second = view.world.subject(1);
    if (second.error.empty())
      pair.halves.push_back(half_of(view, 1));
    else
      pair.missing = view.translate(second.error);
    return pair;
  }
  if (first.run->standard != nullptr) {
    pair.halves.push_back(standard_of(view));
  } else {
    const bool is_standard = first.scenario().algorithm == sim::programs::standard.name;
    pair.missing = is_standard ? view.say("Standard attention alone: C adds another run next to it.")
                               : view.say("Standard attention cannot run this scenario: none of its tiles fit.");
  }
  pair.halves.push_back(half_of(view, 0));
  return pair;
}

void draw_wall(View& view, ui::Rect line, ui::Rect body) {
  const WallPair pair = wall_pair(view);
  draw_sentence(view, line);
  if (!pair.missing.empty()) {
    const Rect note = cut_top(body, view.px(32));
    view.canvas().text(note, Style::body, view.theme().muted, pair.missing);
  }
  WallPlaces places = place_wall(view, body, pair.halves.size());
  const bool scrolls = places.height > body.height + 1;
  if (scrolls) {
    Rect narrower = body;
    cut_right(narrower, view.px(12));
    places = place_wall(view, narrower, pair.halves.size());
    float& offset = view.ui.state.scrolled[view.id("wall")];
    offset = ui::begin_scroll(view.ui, view.id("wall/scroll"), body, places.height, offset);
    narrower.y -= std::round(offset);
    narrower.height = places.height;
    places = place_wall(view, narrower, pair.halves.size());
  }
  std::vector<Rect> cells;
  for (const HalfPlace& half : places.halves) cells.push_back(half.cells);
  const std::vector<WallCells> all = wall_cells(pair, cells);
  for (std::size_t n = 0; n < pair.halves.size(); ++n) draw_half(pair, n, places.halves[n], all);
  if (scrolls) ui::end_scroll();
}

}  // namespace explorer
