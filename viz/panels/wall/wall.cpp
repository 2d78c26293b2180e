#include "viz/panels/wall/wall.h"

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

/// Number of halves side by side.
std::size_t columns_of_wall(const View& view, float width, std::size_t halves) {
  return width >= view.px(two_columns) ? halves : 1;
}

/// Rows of the view: those of the walls above those of their charts.
std::vector<ui::Part> rows_of_wall(const View& view, float body, std::size_t halves) {
  const std::size_t columns = columns_of_wall(view, body, halves);
  const float width = ui::equal_columns({0, 0, body, 0}, view.px(gap), columns).front().width;
  const float chart = height_of_memory_chart(view, width - 2 * view.px(padding));
  const float cells = columns == halves ? view.px(least_cells) : std::round(0.62f * width);
  const float wall = view.px(words_height + 8 + legend_height) + 2 * view.px(gap) + cells;
  std::vector<ui::Part> rows(halves / columns, ui::rest(wall));
  rows.insert(rows.end(), rows.size(), {chart + view.px(chart_title + slider_row) + 2 * view.px(gap)});
  return rows;
}

HalfPlace place_half(const View& view, Rect wall, Rect below) {
  const auto [words, space, cells, legend] =
      ui::rows(wall.inset(view.px(padding), view.px(gap)), 0,
               {view.px(words_height), view.px(8), ui::rest(), view.px(legend_height)});
  const auto [title, chart, slider] =
      ui::rows(below.inset(view.px(padding), view.px(gap)), 0, {view.px(chart_title), ui::rest(), view.px(slider_row)});
  return {wall, words, cells, legend, below, title, chart, slider};
}

std::vector<HalfPlace> place_wall(const View& view, Rect body, std::size_t halves) {
  const std::vector<Rect> rows = ui::rows(body, view.px(gap), rows_of_wall(view, body.width, halves));
  const std::size_t columns = columns_of_wall(view, body.width, halves), charts = rows.size() / 2;
  std::vector<HalfPlace> places;
  for (std::size_t n = 0; n < halves; ++n) {
    const auto part = [&](Rect row) { return ui::equal_columns(row, view.px(gap), columns)[n % columns]; };
    places.push_back(place_half(view, part(rows[n / columns]), part(rows[charts + n / columns])));
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
    if (ui::fitting_text(view.canvas(), line, Style::body, view.theme().text, words)) return;
  }
}

void draw_chart_card(const WallPair& pair, std::size_t n, const HalfPlace& place) {
  const WallHalf& half = pair.halves[n];
  View view = half.view;
  ui::panel(view.canvas(), place.chart_card);
  const double time = half.run->microseconds;
  const std::string text = number_text("time.microseconds", time);
  const bool fits = half.wall.fits();
  const std::string words = !view.subject().has_time() ? std::string(view.say("no time is predicted"))
                            : fits
                                ? view.say("predicted {}, bound by {}", text, resource_name(view, half.run->bound_by))
                                : view.say("predicted {}, if it fitted", text);
  const std::string_view title = view.say("Memory chart");
  ui::Space line({place.chart_title.x, place.chart_title.y, place.chart_title.width, view.px(20)});
  const Rect right = line.right(view.canvas().text_width(Style::caption, words) + 2, view.px(8));
  draw_number_text(view, right, Style::caption, fits ? view.theme().muted : view.theme().warning,
                   half.path("time.microseconds"), words, ui::Align::right);
  ui::fitting_text(view.canvas(), line.rest(), Style::title, view.theme().text, title);
  draw_memory_chart(pair, n, place.chart);
  View first{view.ui, view, 0};
  const auto [space, slider] = ui::rows(place.slider, 0, {view.px(8), ui::rest()});
  if (pair.halves.size() > 1) return n == 0 ? draw_length_slider(first, slider) : draw_sram_slider(first, slider);
  const auto [left, other] = ui::columns(slider, 2 * view.px(gap), {ui::share(1), ui::share(1)});
  draw_length_slider(first, left);  // a single run has both sliders
  draw_sram_slider(first, other);
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
    const auto [note, below] = ui::rows(body, 0, {view.px(32), ui::rest()});
    view.canvas().text(note, Style::body, view.theme().muted, pair.missing);
    body = below;
  }
  const auto height = [&](float width) {
    return ui::length_of(view.px(gap), rows_of_wall(view, width, pair.halves.size()));
  };
  const auto draw_halves = [&](Rect place) {
    const std::vector<HalfPlace> places = place_wall(view, place, pair.halves.size());
    std::vector<Rect> cells;
    for (const HalfPlace& half : places) cells.push_back(half.cells);
    const std::vector<WallCells> all = wall_cells(pair, cells);
    for (std::size_t n = 0; n < pair.halves.size(); ++n) draw_half(pair, n, places[n], all);
  };
  if (height(body.width) <= body.height) return draw_halves(body);
  const ui::Slot slots[] = {{height(body.width - view.px(12)), draw_halves}};
  ui::scrolling_column(view.ui, view.id("wall/scroll"), body, 0, view.px(12), slots);
}

}  // namespace explorer
