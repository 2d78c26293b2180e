// A selected span of the CTA's time on the lanes, and what the CTA does in it.
#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/description.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/timeline/timeline.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float snaps_within = 8, row_height = 18, least_row = 14, title_height = 24, part_width = 48;  // CSS pixels
constexpr float column_width = 250;  // minimum width of a column of rows

/// One line: a name, a number, and for times their share of the span.
struct SumRow {
  std::string key;  ///< in UiState::shown: "span/tensor.work"
  std::string name, value, part;
};

/// Time under the pointer, or a nearby edge of an event.
sim::Cycles snapped(const View& view, const TimeWindow& window, float x) {
  const sim::Cycles time = window.at(x), edge = view.subject().replay->index.nearest_edge(time);
  return std::abs(window.x(edge) - x) <= view.px(snaps_within) ? edge : time;
}

void add_amounts(const View& view, const sim::SpanSums& sums, std::vector<SumRow>& rows) {
  const auto add = [&](std::string_view key, std::string_view name, std::string_view path, std::int64_t count) {
    if (count == 0) return;
    rows.push_back({std::string(key), std::string(name), number_text(path, static_cast<double>(count)), {}});
  };
  add("read", view.say("read into SMEM"), "tile_traffic.total.read_bytes", sums.moved.read.count());
  add("written", view.say("written"), "tile_traffic.total.write_bytes", sums.moved.written.count());
  add("matmul_flops", view.say("matrix FLOPs"), "work.matmul_flops", sums.matmul_flops.count());
  add("exps", view.say("exponentials"), "work.exp_count", sums.exps.count());
}

/// Adds the times, the largest first.
void add_times(const View& view, const sim::SpanSums& sums, std::vector<SumRow>& rows) {
  struct Time {
    std::string key, name;
    sim::Cycles time;
  };
  std::vector<Time> works, waits;
  for (const sim::EngineTime& engine : sums.stalls.engines) {
    const std::string_view name = engine_name(view.state.look.language, engine.engine);
    works.push_back({sim::text(sim::name_of(engine.engine), ".work"), view.say("{}: works", name), engine.work});
  }
  for (const sim::Cause cause : sim::all_causes)
    waits.push_back(
        {"waits." + sim::key_of(cause), view.say("waits: {}", view.say(sim::name_of(cause))), sums.wait(cause)});
  const double all = static_cast<double>(std::max<std::int64_t>(1, sums.stalls.time.count()));
  for (std::vector<Time>* times : {&works, &waits}) {
    std::stable_sort(times->begin(), times->end(), [](const Time& a, const Time& b) { return a.time > b.time; });
    for (const Time& t : *times) {
      if (t.time == sim::Cycles{}) continue;
      rows.push_back({t.key, t.name, time_text(view.subject().microseconds(t.time)),
                      part_text(static_cast<double>(t.time.count()) / all)});
    }
  }
}

void draw_row(View& view, Rect line, const SumRow& row) {
  const float width = view.canvas().text_width(Style::table, row.value) + 1;
  const auto [name, value, part] = ui::columns(line, 0, {ui::rest(), width, view.px(part_width)});
  view.canvas().text(name, Style::caption, view.theme().muted, row.name);
  view.canvas().text(value, Style::table, view.theme().text, row.value, ui::Align::right);
  view.canvas().text(part, Style::table, view.theme().muted, row.part, ui::Align::right);
}

/// Draws the columns and rows that fit; the tooltip has all rows.
void draw_rows(View& view, Rect rest, const std::vector<SumRow>& rows) {
  const auto columns = static_cast<std::size_t>(std::max(1.f, std::floor(rest.width / view.px(column_width))));
  const float wanted =
      rest.height * static_cast<float>(columns) / static_cast<float>(std::max<std::size_t>(1, rows.size()));
  const float height = std::clamp(std::floor(wanted), view.px(least_row), view.px(row_height));
  const auto lines = std::max<std::size_t>(1, static_cast<std::size_t>(rest.height / height));
  rest.width += view.px(20);  // each column has a gap after it
  for (std::size_t n = 0; n < std::min(rows.size(), columns * lines); ++n) {
    Rect row = ui::grid_cell(rest, columns, height, n % lines * columns + n / lines);
    row.width -= view.px(20);
    draw_row(view, row, rows[n]);
  }
}

std::vector<std::string> tip_lines(std::string_view title, const std::vector<SumRow>& rows) {
  std::vector<std::string> lines = {std::string(title)};
  for (const SumRow& row : rows) lines.push_back(sim::text(row.name, "  ", row.value, "  ", row.part));
  return lines;
}

}  // namespace

std::optional<TimeSpan> selected_span(const View& view) {
  const std::optional<TimeSpan>& span = view.state.look.span;
  if (!span || view.index != 0) return std::nullopt;
  const sim::Cycles end = view.subject().replay->index.end();
  return span->from < end ? std::optional(TimeSpan{span->from, std::min(span->to, end)}) : std::nullopt;
}

void select_between(View& view, const TimeWindow& window, float x, float other) {
  const sim::Cycles a = snapped(view, window, x), b = snapped(view, window, other);
  view.edit(PlayOn{false});
  const std::optional<TimeSpan> span = a == b ? std::nullopt : std::optional(TimeSpan{std::min(a, b), std::max(a, b)});
  view.set([&](Look& look) { look.span = span; });
}

void draw_selection(View& view, const TimeWindow& window, float bottom) {
  const std::optional<TimeSpan> span = selected_span(view);
  if (!span) return;
  Rect all = window.place;
  all.height = bottom - all.y;
  const float left = std::clamp(std::round(window.x(span->from)), all.x, all.right());
  const float right = std::clamp(std::round(window.x(span->to)), all.x, all.right());
  const ui::Color veil = ui::with_alpha(view.theme().card, 0.6f);
  view.canvas().fill({all.x, all.y, left - all.x, all.height}, veil);
  view.canvas().fill({right, all.y, all.right() - right, all.height}, veil);
  if (window.to <= span->from || span->to <= window.from) return;
  view.canvas().stroke({left, all.y, std::max(view.px(2), right - left), all.height}, view.theme().strong,
                       view.px(1.5f));
}

bool shows_sums(const View& view) {
  return view.index == 0 && view.state.look.timeline != TimelineOf::grid &&
         (view.state.look.drag_selects || selected_span(view).has_value());
}

void draw_sums(View& view, Rect rect) {
  const auto [heading, body] = ui::rows(rect, 0, {view.px(title_height), ui::rest()});
  ui::Space line(heading);
  const std::optional<TimeSpan> span = selected_span(view);
  const std::string_view title = view.say("In the selection");
  ui::left_text(view.canvas(), line, Style::control, view.theme().text, title, view.px(12));
  if (view.world.covered.order || !view.world.covered.quantities.empty())
    return view.canvas().covered(body, Style::caption);
  if (!span) {
    ui::Space rest(body);
    for (const std::string_view hint : {view.say("Drag over the lanes: what the CTA does there is summed up."),
                                        view.say("W and S zoom, A and D move.")})
      view.canvas().text(rest.top(view.px(row_height)), Style::caption, view.theme().muted, hint);
    return;
  }
  const Subject& subject = view.subject();
  const std::string range = view.say("{} to {}", fmt::format("{:.2f}", subject.microseconds(span->from)),
                                     time_text(subject.microseconds(span->to)));
  view.canvas().text(line.rest(), Style::table, view.theme().muted, range, ui::Align::right);
  const sim::SpanSums sums = subject.replay->sums.between(span->from, span->to);
  std::vector<SumRow> rows;
  add_amounts(view, sums, rows);
  add_times(view, sums, rows);
  for (const SumRow& row : rows) view.ui.state.shown.emplace("span/" + row.key, row.value);
  draw_rows(view, body, rows);
  if (ui::hit(view.ui, view.id("sums"), rect).hovered) draw_tooltip(view, tip_lines(title, rows));
}

}  // namespace explorer
