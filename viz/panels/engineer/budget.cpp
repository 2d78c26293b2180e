// Time of a kernel by cause.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/model/causes.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/engineer/engineer.h"
#include "viz/panels/parts.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using sim::Cause;
using ui::Rect;
using ui::Style;

constexpr float entry_width = 150, entry_height = 38, bar_height = 34, least_label = 90;  // CSS pixels

const sim::Budget& budget_of(const View& view) { return view.subject().kernel().time.budget; }

double time_of(const View& view, bool work) {
  double sum = 0;
  for (const Cause cause : sim::all_causes) sum += sim::is_work(cause) == work ? budget_of(view)[cause] : 0.0;
  return sum;
}

std::optional<Cause> bound_of_kernel(const View& view) { return bound_cause(view.subject().kernel().time.bound_by); }

/// Share of the time in which other CTAs hold the resource of `work`.
double held_share(const View& view, Cause work) {
  const sim::Budget& budget = budget_of(view);
  return (group_time(budget, work) - budget[work]) / budget.total();
}

/// "Bound by instruction issue: 36.3 % of the time is work on it, 31.1 % waits while other CTAs hold it."
std::string bound_sentence(const View& view) {
  const std::string_view resource = resource_name(view, view.subject().kernel().time.bound_by);
  const std::optional<Cause> cause = bound_of_kernel(view);
  if (!cause) return view.say("Bound by {}.", resource);
  const std::string share = report::percent(budget_of(view)[*cause] / budget_of(view).total());
  const double held = held_share(view, *cause);
  if (!sim::is_work(*cause)) return view.say("Bound by {}: {} of the time waits for it.", resource, share);
  if (held <= 0) return view.say("Bound by {}: {} of the time is work on it.", resource, share);
  return view.say("Bound by {}: {} of the time is work on it, {} waits while other CTAs hold it.", resource, share,
                  report::percent(held));
}

/// Says why the widest part of the bar is not the bound's; empty if it is.
std::string widest_words(const View& view) {
  const std::optional<Cause> bound = bound_of_kernel(view);
  if (!view.subject().has_time() || !bound) return {};
  const sim::Budget& budget = budget_of(view);
  const sim::KernelTime& time = view.subject().kernel().time;
  const auto most = std::max_element(budget.time.begin(), budget.time.end());
  const Cause widest = sim::all_causes[static_cast<std::size_t>(most - budget.time.begin())];
  if (widest == *bound) return {};
  const std::string_view name = cause_words(view, widest), resource = resource_name(view, time.bound_by);
  const std::string share = report::percent(budget[widest] / budget.total());
  if (group_of(widest) == *bound) return view.say("The widest part, {} with {}, waits for the same pipe.", name, share);
  const auto full_rate = [&](const auto& alone) {
    return alone.first == time.bound_by && alone.second >= (1 - 1e-9) * time.microseconds;
  };
  if (std::any_of(time.resources.begin(), time.resources.end(), full_rate))
    return view.say("The widest part is {} with {}, but {} alone takes the predicted time at its full rate.", name,
                    share, resource);
  return view.say("The widest part is {} with {}, but work on {} and waits for it take {} together.", name, share,
                  resource, report::percent(group_time(budget, *bound) / budget.total()));
}

/// Draws the sentence on the bound, or in a narrow window only the bound and its share.
void draw_narrow_bound(View& view, Rect line, const std::string& sentence) {
  const std::optional<Cause> cause = bound_of_kernel(view);
  const bool fits = view.canvas().text_width(Style::caption, sentence) <= line.width || !cause;
  const std::string_view resource = resource_name(view, view.subject().kernel().time.bound_by);
  const double share = cause ? budget_of(view)[*cause] / budget_of(view).total() + held_share(view, *cause) : 0;
  const std::string text = fits ? sentence : view.say("Bound by {}: {}", resource, report::percent(share));
  view.canvas().text(line, Style::caption, view.theme().text, text);
}

/// Draws a cause's part of a bar: the bound has a frame, the highlighted cause a line below it.
void draw_segment(View& view, Rect place, Cause cause, std::string_view bound) {
  draw_cause(view, place, cause, bound);
  if (bound_cause(bound) == cause && place.width > view.px(8)) {
    view.canvas().stroke(place.inset(view.px(2)), view.theme().card, view.px(1.5f), view.px(3));
    view.canvas().stroke(place, view.theme().strong, view.px(2), view.px(4));
  }
  if (lit_cause(view.state.look) == cause)
    view.canvas().fill({place.x, place.bottom() + view.px(2), place.width, view.px(3)}, view.theme().strong);
}

void draw_bar(View& view, Rect bar, const std::vector<Cause>& causes) {
  const double all = budget_of(view).total();
  view.canvas().fill(bar, view.theme().track, view.px(4));
  double before = 0;
  for (const Cause cause : causes) {
    const double part = budget_of(view)[cause];
    const float left = std::round(bar.x + static_cast<float>(before / all) * bar.width);
    before += part;
    const float right = std::round(bar.x + static_cast<float>(before / all) * bar.width);
    const Rect place{left, bar.y, right - left, bar.height};
    if (place.empty()) continue;
    draw_part(view, place, cause, view.subject().kernel().time.bound_by, "budget");
  }
}

/// Draws "work 225.7 µs 52.5 %" above the start of the bar's half.
void draw_half(View& view, Rect place, bool work) {
  ui::Space line(place);
  const double time = time_of(view, work);
  const std::string_view words = work ? view.say("work") : view.say("waits");
  ui::left_text(view.canvas(), line, Style::control, view.theme().text, words, view.px(8));
  const std::string numbers =
      sim::text(number_text("time.microseconds", time), "   ", report::percent(time / budget_of(view).total()));
  view.canvas().text(line.rest(), Style::table, view.theme().muted, numbers);
}

void draw_entry(View& view, Rect place, Cause cause) {
  const double time = budget_of(view)[cause];
  const auto [name, numbers] = ui::rows(place, 0, {view.px(18), ui::rest()});
  const float wide = std::round(0.55f * (numbers.width - view.px(20)));
  const auto [swatch, number, share] = ui::columns(numbers, 0, {view.px(20), wide, ui::rest()});
  const float width = draw_swatch(view, name, cause, cause_words(view, cause));
  react_to_cause(view, "budget-legend", {name.x, name.y, std::min(width, name.width), name.height}, cause);
  draw_number(view, number, Style::table, path_of_kernel(view, "time", "budget." + sim::key_of(cause)), time);
  view.canvas().text(share, Style::table, view.theme().muted, report::percent(time / budget_of(view).total()));
}

std::size_t legend_columns(const View& view, float width) {
  return static_cast<std::size_t>(std::max(1.f, std::floor(width / view.px(entry_width))));
}

/// Rows of the card: the title, the halves of the bar, the bar, why its widest part is not the bound, the legend.
std::array<ui::Part, 5> rows_of(const View& view, float width) {
  const std::size_t columns = legend_columns(view, width),
                    count = view.subject().has_time() ? causes_of(budget_of(view)).size() : 0;
  const auto lines = static_cast<float>((count + columns - 1) / columns);
  const std::string widest = ui::escaped(widest_words(view));
  const float note = ui::paragraph_height(view.canvas(), Style::caption, widest, width);
  return {{{view.px(22)},
           {view.px(22)},
           {view.px(bar_height)},
           {widest.empty() ? 0 : view.px(7) + note},
           {view.px(8) + lines * view.px(entry_height), 1}}};
}

}  // namespace

std::optional<Cause> bound_cause(std::string_view bound) {
  for (const Cause cause : sim::all_causes) {
    if (sim::is_work(cause) && sim::name_of(cause) == bound) return cause;
  }
  const std::pair<std::string_view, Cause> waits[] = {
      {"hbm", Cause::bandwidth}, {"l2", Cause::bandwidth}, {"latency", Cause::data},  {"barrier", Cause::barrier},
      {"turn", Cause::turn},     {"stage", Cause::stage},  {"launch", Cause::launch}, {"tail", Cause::tail}};
  for (const auto& [name, cause] : waits) {
    if (name == bound) return cause;
  }
  return std::nullopt;
}

void react_to_cause(View& view, std::string_view where, Rect place, Cause cause) {
  const ui::Hit hit = ui::hit(view.ui, view.id(sim::text(where, "/", sim::key_of(cause))), place);
  if (hit.hovered) {
    std::vector<std::string> lines = {std::string(cause_words(view, cause))};
    for (std::string& line : tooltip_lines(view, view.say(sim::meaning_of(cause)))) lines.push_back(std::move(line));
    draw_tooltip(view, lines);
  }
  if (hit.clicked) view.edit(LightUp{std::string(sim::key_of(cause)), view.index});
}

void draw_part(View& view, Rect place, Cause cause, std::string_view bound, std::string_view where) {
  draw_segment(view, place, cause, bound);
  react_to_cause(view, where, place, cause);
  if (place.width < view.px(least_label)) return;
  const std::string_view words = cause_words(view, cause);
  Rect label = place.inset(view.px(8), view.px(7));
  const float width = view.canvas().text_width(Style::control, words) + 2 * view.px(6) + 1;
  if (width > label.width) return;
  label.width = width;
  view.canvas().fill(label, view.theme().card, view.px(4));
  view.canvas().text(label.inset(view.px(6), 0), Style::control, view.theme().text, words);
}

float budget_height(const View& view, float width) {
  return ui::length_of(0, rows_of(view, width - 2 * view.px(16))) + 2 * view.px(12);
}

void draw_budget(View& view, Rect rect) {
  ui::panel(view.canvas(), rect);
  const Rect inside = rect.inset(view.px(16), view.px(12));
  const std::array<Rect, 5> rows = ui::rows(inside, 0, rows_of(view, inside.width));
  const Rect halves = rows[1], bar = rows[2];
  ui::Space line(rows[0]);
  ui::left_text(view.canvas(), line, Style::title, view.theme().text, view.say("Where the time goes"), view.px(16));
  if (draw_no_time(view, around(halves, rows[4]))) return;
  const std::string sentence = bound_sentence(view);
  view.ui.state.shown.emplace(view.id("engineer/bound"), sentence);
  if (!ui::fitting_text(view.canvas(), line.rest(), Style::body, view.theme().text, sentence, ui::Align::right)) {
    draw_narrow_bound(view, halves, sentence);
  } else {
    const float part = static_cast<float>(time_of(view, true) / budget_of(view).total());
    const float at = std::clamp(part * bar.width, 0.f, std::max(0.f, bar.width - view.px(190)));
    const Rect waits{bar.x + at, halves.y, bar.width - at, halves.height};
    Rect work = halves;
    work.width = at;
    if (work.width > view.px(190)) draw_half(view, work, true);
    draw_half(view, waits, false);
  }
  const std::vector<Cause> causes = causes_of(budget_of(view));
  draw_bar(view, bar, causes);
  if (const std::string widest = widest_words(view); !widest.empty()) {
    view.ui.state.shown.emplace(view.id("engineer/widest"), widest);
    const auto [space, note] = ui::rows(rows[3], 0, {view.px(7), ui::rest()});
    ui::paragraph(view.canvas(), note, Style::caption, {.color = view.theme().text}, ui::escaped(widest));
  }
  const Rect legend = rows[4].moved(0, view.px(10));
  for (std::size_t n = 0; n < causes.size(); ++n) {
    Rect place = ui::grid_cell(legend, legend_columns(view, legend.width), view.px(entry_height), n);
    place.width -= view.px(8);
    place.height = view.px(entry_height - 4);
    if (place.bottom() <= rect.bottom()) draw_entry(view, place, causes[n]);
  }
}

}  // namespace explorer
