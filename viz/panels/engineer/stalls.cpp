// Time of the CTA in view by pipe: work, waits by cause, idle.
#include <algorithm>
#include <cmath>

#include "viz/panels/description.h"
#include "viz/panels/engineer/engineer.h"
#include "viz/panels/parts.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

using sim::Cause;
using ui::Rect;
using ui::Style;

constexpr float name_width = 96, numbers_width = 66, low_row = 30, most_row = 40, legend_row = 20;  // CSS pixels

/// Draws a percentage: under its path if the CTA is the one that the command line reports, else as text.
void draw_percent(View& view, Rect box, ui::Color color, const sim::EngineTime& engine, std::string_view leaf,
                  sim::Cycles time) {
  const Replay& replay = *view.subject().replay;
  const std::string path =
      path_of_kernel(view, "stalls", sim::text(sim::name_of(engine.engine), ".", leaf, "_percent"));
  const auto all = static_cast<double>(std::max<std::int64_t>(1, replay.stalls.time.count()));
  const std::string text = number_text(path, 100 * static_cast<double>(time.count()) / all);
  if (replay.typical) {
    draw_number_text(view, box, Style::table, color, path, text, ui::Align::right);
  } else {
    view.canvas().text(box, Style::table, color, text, ui::Align::right);
  }
}

}  // namespace

void draw_pipe(View& view, Rect row, const sim::EngineTime& engine, std::string_view name) {
  const sim::Stalls& stalls = view.subject().replay->stalls;
  const auto all = static_cast<float>(std::max<std::int64_t>(1, stalls.time.count()));
  const bool low = row.height < view.px(low_row);
  const ui::Part parts[] = {
      {view.px(name_width)}, ui::rest(), {view.px(10)}, {view.px(low ? 2 * numbers_width - 16 : numbers_width)}};
  const auto [title, lane, space, numbers] = ui::columns(row, 0, parts);
  view.canvas().text(title, Style::caption, view.theme().text, name);
  const Rect bar = lane.inset(0, std::max(view.px(3), (row.height - view.px(18)) / 2));
  view.canvas().fill(bar, view.theme().track, view.px(2));
  float left = bar.x;
  const auto part = [&](sim::Cycles time) {
    const float width = static_cast<float>(time.count()) / all * bar.width;
    const Rect place{std::round(left), bar.y, std::round(left + width) - std::round(left), bar.height};
    left += width;
    return place;
  };
  view.canvas().fill(part(engine.work), view.theme().muted, 0);
  for (const Cause cause : sim::all_causes) {
    const Rect place = part(engine.wait(cause));
    if (place.width >= 1) draw_cause(view, place, cause);
  }
  const ui::Part half[] = {ui::share(1), ui::share(1)};
  const auto [works, waits] = low ? ui::columns(numbers, 0, half) : ui::rows(numbers, 0, half);
  draw_percent(view, works, view.theme().text, engine, "work", engine.work);
  draw_percent(view, waits, view.theme().muted, engine, "waiting", engine.waiting());
  const ui::Hit hit = ui::hit(view.ui, view.id(sim::text("stalls/", sim::name_of(engine.engine))), bar);
  if (!hit.hovered) return;
  std::vector<std::string> lines = {std::string(name)};
  const auto add = [&](std::string_view words, sim::Cycles time) {
    const std::string text = number_text("time.microseconds", view.subject().microseconds(time));
    if (time > sim::Cycles{}) lines.push_back(sim::text(words, "  ", text));
  };
  add(view.say("works"), engine.work);
  for (const Cause cause : sim::all_causes) add(cause_words(view, cause), engine.wait(cause));
  add(view.say("nothing to do"), engine.idle);
  draw_tooltip(view, lines);
}

namespace {

void draw_legend(View& view, Rect place) {
  struct Entry {
    Cause cause;
    std::string_view words;
  };
  const Entry entries[] = {{Cause::issue_busy, /*say*/ "pipe held by another CTA"},
                           {Cause::barrier, /*say*/ "barrier"},
                           {Cause::bandwidth, /*say*/ "bandwidth"},
                           {Cause::data, /*say*/ "latency"},
                           {Cause::turn, /*say*/ "turn"},
                           {Cause::stage, /*say*/ "stage"}};
  const bool has_roles = !view.subject().replay->roles.empty();
  ui::Space rest(place), line(rest.top(view.px(legend_row)));
  for (const Entry& entry : entries) {
    if (!has_roles && (entry.cause == Cause::turn || entry.cause == Cause::stage)) continue;
    const std::string_view words = view.say(entry.words);
    const float width = view.canvas().text_width(Style::caption, words) + view.px(34);
    if (width > line.width()) line = ui::Space(rest.top(view.px(legend_row)));
    if (line.height() < view.px(legend_row) - 1) return;
    draw_swatch(view, line.left(width), entry.cause, words);
  }
}

}  // namespace

void draw_stalls(View& view, Rect rect) {
  const sim::Stalls& stalls = view.subject().replay->stalls;
  const std::string time = number_text("time.microseconds", view.subject().microseconds(stalls.time));
  const Rect inside = draw_card(view, rect, view.say("Stalls per pipe"), view.say("one CTA, {}", time));
  if (draw_no_time(view, inside)) return;
  const auto [heads, pipes, legend] = ui::rows(inside, 0, {view.px(16), ui::rest(), view.px(2 * legend_row)});
  view.canvas().text(heads, Style::caption, view.theme().muted, view.say("works / waits"), ui::Align::right);
  const std::vector<Rect> rows = ui::equal_rows(pipes, 0, stalls.engines.size(), view.px(most_row));
  for (std::size_t n = 0; n < rows.size(); ++n)
    draw_pipe(view, rows[n], stalls.engines[n], engine_name(view.state.look.language, stalls.engines[n].engine));
  draw_legend(view, legend);
}

}  // namespace explorer
