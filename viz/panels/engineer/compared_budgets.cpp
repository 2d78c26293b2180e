// Time of two runs by cause: two bars on one scale, and bands that join the same cause.
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/draw/chart.h"
#include "viz/model/causes.h"
#include "viz/panels/engineer/engineer.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/tracks.h"

namespace explorer {
namespace {

using sim::Cause;
using ui::Rect;
using ui::Style;

constexpr float letter_width = 30, tick_row_height = 16, both_bar = 30, both_band = 40, both_cell = 168,
                both_cell_height = 38;  // CSS pixels
constexpr std::string_view time_path = "time.microseconds";

const sim::Budget& run_budget(const View& view) { return view.subject().simulation().budget; }

std::vector<Cause> causes_of_both(const View& a, const View& b) {
  sim::Budget both = run_budget(a);
  return causes_of(both.add(run_budget(b)));
}

std::size_t cells_in(const View& view, float width) {
  return std::max(std::size_t{1}, static_cast<std::size_t>(width / view.px(both_cell)));
}

/// Rows of the card: title, ticks, bar, bands, bar, space, legend.
std::array<ui::Part, 7> rows_of_both(const View& a, const View& b, float width) {
  const std::size_t count = causes_of_both(a, b).size(), columns = cells_in(a, width);
  const auto lines = static_cast<float>((count + columns - 1) / columns);
  return {{{a.px(22)},
           {a.px(tick_row_height)},
           {a.px(both_bar)},
           {a.px(both_band)},
           {a.px(both_bar)},
           {a.px(10)},
           {lines * a.px(both_cell_height)}}};
}

/// Draws the causes of a run group by group. Returns the left and right end of each group.
std::vector<std::pair<float, float>> draw_groups(View& view, Rect place, const std::vector<Cause>& groups,
                                                 double most) {
  const draw::Axis axis{0, most, false, place.x, place.right()};
  std::vector<std::pair<float, float>> ends;
  double before = 0;
  for (const Cause group : groups) {
    const float from = std::round(axis.place(before));
    for (const Cause cause : sim::all_causes) {
      if (group_of(cause) != group) continue;
      const float left = std::round(axis.place(before));
      before += run_budget(view)[cause];
      const Rect part{left, place.y, std::round(axis.place(before)) - left, place.height};
      if (!part.empty()) draw_part(view, part, cause, view.subject().simulation().bound_by, "both");
    }
    ends.emplace_back(from, std::round(axis.place(before)));
  }
  return ends;
}

/// Draws the band between the parts of both bars, and in it, if there is room, what A takes more or less.
void draw_band(View& a, const View& b, Rect between, Cause group, std::pair<float, float> above,
               std::pair<float, float> below, bool bright) {
  const ui::Theme& theme = a.theme();
  const ui::Point corners[] = {{above.first, between.y},
                               {above.second, between.y},
                               {below.second, between.bottom()},
                               {below.first, between.bottom()}};
  a.canvas().convex(corners, ui::mix(theme.muted, theme.card, bright ? 0.6f : 0.85f));
  a.canvas().line(corners[1], corners[2], theme.card, a.px(1));
  const float left = (above.first + below.first) / 2, width = (above.second + below.second) / 2 - left;
  const double more = group_time(run_budget(a), group) - group_time(run_budget(b), group);
  const std::string text =
      sim::text(cause_words(a, group), more < 0 ? "  − " : "  + ", number_text(time_path, std::abs(more)));
  a.ui.state.shown.emplace("both/more/" + sim::key_of(group), text);
  // Ink stays inside slanted sides too: the line of text is as high as a third of the band.
  const float slant = std::max(std::abs(above.first - below.first), std::abs(above.second - below.second)) / 5;
  const Rect room = Rect{left, between.y, width, between.height}.inset(a.px(6) + slant, 0);
  ui::fitting_text(a.canvas(), room, bright ? Style::control : Style::caption, theme.text, text, ui::Align::center);
}

void draw_cause_cell(View& a, View& b, Rect cell, Cause cause) {
  const auto [name, numbers] = ui::rows(cell, 0, {a.px(18), ui::rest()});
  const float width = draw_swatch(a, name, cause, cause_words(a, cause));
  react_to_cause(a, "both-legend", {name.x, name.y, std::min(width, name.width), name.height}, cause);
  const auto [first, second] = ui::columns(numbers, a.px(6), {ui::share(1), ui::share(1)});
  const std::string path = "time.budget." + sim::key_of(cause);
  for (const auto& [view, place] : {std::pair<View*, Rect>{&a, first}, std::pair<View*, Rect>{&b, second}}) {
    const auto [letter, number] = ui::columns(place, 0, {view->px(12), ui::rest()});
    view->canvas().text(letter, Style::caption, view->theme().muted, view == &a ? "A" : "B");
    draw_number(*view, number, Style::table, path, run_budget(*view)[cause]);
  }
}

}  // namespace

float both_budgets_height(const View& a, const View& b, float width) {
  return ui::length_of(0, rows_of_both(a, b, width - 2 * a.px(16))) + 2 * a.px(12);
}

void draw_both_budgets(View& a, View& b, Rect rect) {
  ui::panel(a.canvas(), rect);
  const Rect inside = rect.inset(a.px(16), a.px(12));
  const std::array<Rect, 7> rows = ui::rows(inside, 0, rows_of_both(a, b, inside.width));
  ui::Space title(rows[0]);
  ui::left_text(a.canvas(), title, Style::title, a.theme().text, a.say("Where the time goes"), a.px(12));
  const std::string_view note = ui::first_that_fits(
      a.canvas(), Style::caption, title.width(),
      {a.say("whole run, one scale; a band joins the same cause and says what A takes more or less"),
       a.say("whole run, one scale"), ""});
  a.canvas().text(title.rest(), Style::caption, a.theme().muted, note, ui::Align::right);
  const auto beside = [&](Rect row) { return ui::columns(row, 0, {a.px(letter_width), ui::rest()}); };
  const double most = std::max(run_budget(a).total(), run_budget(b).total());
  const Rect axis = beside(rows[1])[1];
  ui::Tracks{a.ui, 0, most, axis}.ticks(axis, {axis.x, axis.bottom(), axis.width, rows[4].bottom() - axis.bottom()},
                                        120, [](double time, double) { return draw::tick_text(time) + " µs"; });
  draw_letter(a, ui::middle(beside(rows[2])[0], a.px(20)));
  draw_letter(b, ui::middle(beside(rows[4])[0], a.px(20)));
  const std::vector<Cause> groups = groups_of(run_budget(a), run_budget(b));
  const auto above = draw_groups(a, beside(rows[2])[1], groups, most);
  const auto below = draw_groups(b, beside(rows[4])[1], groups, most);
  const Contrast found = contrast(a.subject().simulation(), b.subject().simulation());
  for (std::size_t n = 0; n < groups.size(); ++n)
    draw_band(a, b, rows[3], groups[n], above[n], below[n], groups[n] == found.group);
  const std::vector<Cause> causes = causes_of_both(a, b);
  for (std::size_t n = 0; n < causes.size(); ++n) {
    Rect cell = ui::grid_cell(rows[6], cells_in(a, rows[6].width), a.px(both_cell_height), n);
    cell.width -= a.px(8);
    cell.height = a.px(both_cell_height - 2);
    draw_cause_cell(a, b, cell, causes[n]);
  }
}

}  // namespace explorer
