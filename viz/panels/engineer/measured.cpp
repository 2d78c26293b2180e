// A measured time next to the run: its share of each bound, and the conclusions that follow from the numbers alone.
#include "sim/model/measured.h"

#include <algorithm>

#include "sim/report/reached.h"
#include "viz/model/measured_times.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/engineer/engineer.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/text_field.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float title_in_line_from = 880, field_width = 148, least_cell = 190, cell_height = 48, padding = 16,
                below_title = 6;  // CSS pixels

std::optional<sim::Measured> measured_now(const View& view) {
  const std::optional<double> us = measured_microseconds(view.state.look, view.index);
  return us ? std::optional(sim::explain_measured(view.subject().simulation(), *us)) : std::nullopt;
}

/// True if the text typed so far is not a time.
bool is_wrong(const View& view, const std::string& id) {
  Look tried;
  return ui::is_typing(view.ui, id) && !set_measured(tried, 0, view.ui.state.typed);
}

std::size_t columns_of(const View& view, float width) {
  return std::clamp(static_cast<std::size_t>(width / view.px(least_cell)), std::size_t{1}, std::size_t{4});
}

std::string sentence_text(const View& view, const sim::Sentence& sentence) {
  return ui::escaped(view.translate(sentence));
}

/// Draws a bound: its name, the rate and share reached, and a bar.
void draw_bound(View& view, Rect cell, const sim::ReachedBound& bound, bool impossible) {
  const ui::Theme& theme = view.theme();
  const std::string share = report::share(bound, impossible), rate = report::rate(bound, bound.per_second);
  view.ui.state.shown.emplace(view.id("measured/" + bound.name), sim::text(rate, ", ", share));
  const auto [title, values, bar] = ui::rows(cell, 0, {view.px(18), view.px(18), view.px(4)});
  view.canvas().text(title, Style::caption, theme.muted, view.say(bound.what));
  ui::Space line(values);
  ui::right_text(view.canvas(), line, Style::table, theme.text, share, 0);
  view.canvas().text(line.rest(), Style::table, theme.text, rate);
  const bool beyond = bound.percent() > 100;
  ui::progress_bar(view.canvas(), bar, static_cast<float>(std::min(1.0, bound.percent() / 100)),
                   beyond ? theme.warning : theme.strong);
}

void draw_bounds(View& view, Rect rest, const sim::Measured& measured) {
  for (std::size_t n = 0; n < measured.bounds.size(); ++n) {
    Rect cell = ui::grid_cell(rest, columns_of(view, rest.width), view.px(cell_height), n);
    cell.width -= view.px(20);
    draw_bound(view, cell, measured.bounds[n], measured.impossible);
  }
}

float bounds_height(const View& view, float width, const sim::Measured& measured) {
  const std::size_t columns = columns_of(view, width), rows = (measured.bounds.size() + columns - 1) / columns;
  return static_cast<float>(rows) * view.px(cell_height);
}

void draw_sentences(View& view, Rect place, const sim::Measured& measured) {
  ui::Space rest(place);
  for (std::size_t n = 0; n < measured.says.size(); ++n) {
    const std::string text = sentence_text(view, measured.says[n]);
    view.ui.state.shown.emplace(view.id(sim::text("measured/says/", n)), text);
    const ui::Color color = n == 0 && measured.impossible ? view.theme().warning : view.theme().text;
    rest.top(ui::paragraph(view.canvas(), rest.rest(), Style::body, {.color = color}, text));
  }
}

float title_height(const View& view, bool with_field) {
  return with_field ? std::max(view.px(24), view.control_height(ui::Control::small)) : view.px(24);
}

}  // namespace

bool measured_in_line(const View& view, float width) { return width >= view.px(title_in_line_from); }

void draw_measured_field(View& view, Rect place) {
  const std::string id = view.id("measured");
  std::string text = measured_of(view.state.look, view.index);
  const bool wrong = is_wrong(view, id);
  if (ui::text_field(view.ui, id, place, view.say("your time, as 2.6ms"), text))
    view.set([&](Look& look) { set_measured(look, view.index, text); });
  if (wrong) view.canvas().stroke(place, view.theme().warning, view.px(1.5f), view.px(ui::control_radius));
}

void draw_measured_field(View& view, ui::Space& line) {
  if (view.bare) return;
  const Rect place = line.left(view.px(field_width), view.px(12));
  draw_measured_field(view, ui::middle(place, view.control_height(ui::Control::small)));
}

float measured_height(const View& view, float width) {
  const std::optional<sim::Measured> measured = measured_now(view);
  const bool with_field = !view.bare && !measured_in_line(view, width);
  if (!measured && !with_field) return 0;
  float height = view.px(24) + title_height(view, with_field);
  if (!measured) return height;
  width -= view.px(2 * padding);
  height += view.px(below_title) + bounds_height(view, width, *measured);
  for (const sim::Sentence& sentence : measured->says)
    height += ui::paragraph_height(view.canvas(), Style::body, sentence_text(view, sentence), width);
  return height;
}

void draw_measured(View& view, Rect rect) {
  if (rect.empty()) return;
  ui::mark_place(view.ui, view.id("measured card"), rect);
  ui::panel(view.canvas(), rect);
  const bool with_field = !view.bare && !measured_in_line(view, rect.width);
  ui::Space rest(rect.inset(view.px(padding), view.px(12)));
  ui::Space line(rest.top(title_height(view, with_field), view.px(below_title)));
  if (with_field) draw_measured_field(view, line.right(view.px(field_width)));
  const std::optional<sim::Measured> measured = measured_now(view);
  const std::string_view run = view.world.subjects() < 2 ? "" : view.index == 0 ? ": A" : ": B";
  ui::left_text(view.canvas(), line, Style::title, view.theme().text, sim::text(view.say("Measured time"), run),
                view.px(16));
  if (!measured) return;
  if (!with_field) {
    const std::string time =
        view.say("{}, all kernels of the pass", measured->microseconds < 1
                                                    ? report::exact_time(measured->microseconds)
                                                    : number_text("time.microseconds", measured->microseconds));
    view.canvas().text(line.rest(), Style::body, view.theme().text, time, ui::Align::right);
  }
  draw_bounds(view, rest.top(bounds_height(view, rest.width(), *measured)), *measured);
  draw_sentences(view, rest.rest(), *measured);
}

}  // namespace explorer
