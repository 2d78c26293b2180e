// All schedules of the program under one playhead: products thick, softmax of each consumer thin; next to them the
// share of the tensor cores' peak.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/machine/device_fields.h"
#include "viz/panels/roles/lanes.h"
#include "viz/panels/roles/roles.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

using sim::Cycles;
using ui::Rect;
using ui::Style;

constexpr float thin = 4, apart = 1.5f, share_line = 15;  // CSS pixels: softmax of a consumer, and the gap above it

/// The rows of one schedule.
struct ScheduleRows {
  Rect pipe;
  std::vector<Rect> softmax;
};

std::size_t computing_lanes(const RoleTrace& roles) {
  return static_cast<std::size_t>(
      std::count_if(roles.lanes().begin(), roles.lanes().end(), [](const RoleLane& lane) { return lane.computes; }));
}

ScheduleRows rows_of_schedule(const View& view, const RoleTrace& roles, Rect rect) {
  const auto lanes = static_cast<float>(computing_lanes(roles));
  const float line = std::max(2.f, std::min(view.px(thin), rect.height / (2 * lanes + 3)));
  const float gap = std::max(1.f, view.px(apart));
  ui::Space rest(rect, gap);
  ScheduleRows rows{rest.top(std::max(3.f, rect.height - lanes * (line + gap))), {}};
  for (std::size_t n = 0; n < computing_lanes(roles); ++n) rows.softmax.push_back(rest.top(line));
  return rows;
}

void draw_piece(const RolesLanes& lanes, Rect row, char letter, Cycles begin, Cycles end, float& drawn_to) {
  const ui::Color fill = span_color(lanes.view.theme(), letter, begin, end, lanes.now());
  lanes.tracks().span(row, in_ticks(begin), in_ticks(end), fill, false, drawn_to, {.radius = 0, .apart = false});
}

void draw_schedule(const RolesLanes& lanes, const RoleTrace& roles, Rect rect) {
  const ScheduleRows rows = rows_of_schedule(lanes.view, roles, rect);
  float drawn_to[2] = {-1, -1};
  lanes.view.canvas().fill(rows.pipe, ui::with_alpha(lanes.view.theme().inset, 0.6f));
  for (const SharedPiece& piece : shared_pieces(roles, false, lanes.window.from, lanes.window.to)) {
    const float high = rows.pipe.height / static_cast<float>(piece.places);
    const Rect part{rows.pipe.x, rows.pipe.y + high * static_cast<float>(piece.place), rows.pipe.width, high};
    draw_piece(lanes, part, piece.span->letter, piece.begin, piece.end, drawn_to[std::min(1, piece.place)]);
  }
  std::size_t row = 0;
  for (const RoleLane& lane : roles.lanes()) {
    if (!lane.computes) continue;
    const auto [first, last] = spans_within(lane.doing, lanes.window.from, lanes.window.to);
    float drawn = -1;
    for (std::size_t n = first; n < last; ++n) {
      const RoleSpan& span = lane.doing[n];
      if (is_softmax(span)) draw_piece(lanes, rows.softmax[row], 'P', span.begin, span.end, drawn);
    }
    ++row;
  }
}

/// The name of a schedule, in bold if it is the scenario's, and how far it is at the playhead.
void draw_schedule_name(const RolesLanes& lanes, const RoleRun& run, Rect place, bool shown) {
  View& view = lanes.view;
  const auto [name, note] = ui::rows(place, 0, {view.px(16), view.px(14)});
  view.canvas().text(name, shown ? Style::title : Style::body, shown ? view.theme().text : view.theme().muted,
                     schedule_title(view.state.look.language, run.schedule));
  if (note.height < view.px(12)) return;
  const std::string words = !run.ready()
                                ? std::string(view.say("replaying …"))
                                : view.say("{} of {} tiles", run.roles.tile_at(lanes.now()), run.roles.blocks().size());
  view.canvas().text(note, Style::caption, view.theme().muted, words);
}

/// The overlap of a schedule, as its program describes it.
std::string_view note_of(const View& view, std::string_view schedule) {
  constexpr std::pair<std::string_view, std::string_view> notes[] = {
      {"serial", /*say*/ "no producer; all meet at each tile"},
      {"warp-specialised", /*say*/ "products and softmax as they come"},
      {"ping-pong", /*say*/ "one's products under the other's softmax"},
      {"overlapped", /*say*/ "and its own product under its softmax"}};
  for (const auto& [name, note] : notes) {
    if (name == schedule) return view.say(note);
  }
  return {};
}

/// "570–582": published speeds of a schedule, in TFLOP/s; empty: none. They are at the clock that a card holds, so they
/// are shown next to the share in cycles and not compared with it.
std::string published_text(const RoleRun& run) {
  if (!run.published) return {};
  const auto [least, most] = *run.published;
  return least == most ? fmt::format("{:g}", least) : fmt::format("{:g}–{:g}", least, most);
}

/// Draws the clock that the SMs hold, and the time of the CTA at it.
void draw_clock(View& view, Rect row, Cycles end) {
  const Subject& subject = view.subject();
  const std::string clock = sim::megahertz(sim::clock_hz(subject.simulation().plan, subject.launch()));
  const std::string time = number_text("time.microseconds", subject.replayed(end));
  const std::string words = view.say("at {} the CTA takes {}", clock, time);
  view.ui.state.shown.emplace(view.id("roles/clock"), words);
  view.canvas().text(row, Style::caption, view.theme().muted, words, ui::Align::right);
}

/// Draws the share of a schedule and its published speeds; below them its note.
void draw_share(View& view, Rect row, const RoleRuns& runs, std::size_t n, bool named) {
  ui::Canvas& canvas = view.canvas();
  const RoleRun& run = runs.runs()[n];
  const bool shown = n == runs.shown_index();
  const float line = view.px(share_line), high = view.px(9);
  const auto [top, below] = ui::rows(row, 0, {line, line});
  ui::Space first(top);
  if (named)
    canvas.text(first.left(std::floor(0.34f * row.width)), Style::caption, view.theme().text,
                schedule_title(view.state.look.language, run.schedule));
  canvas.text(first.rest(), Style::table, view.theme().muted, published_text(run), ui::Align::right);
  const Rect bar = first.left(std::min(view.px(136), (named ? 0.4f : 0.5f) * first.width()), view.px(10));
  ui::progress_bar(canvas, ui::middle(bar, high), static_cast<float>(run.tensor_share),
                   shown ? view.theme().strong : view.theme().muted);
  const std::string share = run.ready() ? fmt::format("{:.1f} %", 100 * run.tensor_share) : "-";
  view.ui.state.shown.emplace(view.id(sim::text("roles/share/", run.schedule)), share);
  canvas.text(first.rest(), Style::table, view.theme().text, share);
  if (below.height >= view.px(12)) canvas.text(below, Style::caption, view.theme().muted, note_of(view, run.schedule));
}

}  // namespace

void draw_schedules(const RolesLanes& lanes, const RoleRuns& runs) {
  View& view = lanes.view;
  for (std::size_t n = 0; n < lanes.schedules.size(); ++n) {
    const RoleRun& run = runs.runs()[n];
    const Rect row = lanes.schedules[n];
    const Rect name{lanes.gutter.x, row.y, lanes.gutter.width, row.height};
    draw_schedule_name(lanes, run, name, n == runs.shown_index());
    view.canvas().push_clip(lanes.window.place);
    if (run.ready()) draw_schedule(lanes, run.roles, row.inset(0, view.px(1)));
    view.canvas().pop_clip();
    const ui::Hit hit = ui::hit(view.ui, view.id(sim::text("roles/schedule/", run.schedule)), ui::around(name, row));
    if (hit.clicked && n != runs.shown_index()) view.edit(SetOptions{{{"schedule", run.schedule}}});
    if (!hit.hovered) continue;
    std::vector<std::string> lines = {std::string(schedule_title(view.state.look.language, run.schedule))};
    if (!run.error.empty()) lines.push_back(view.translate(run.error));
    if (run.ready()) lines.push_back(view.say("the CTA takes {} cycles", in_cycles(run.roles.end())));
    lines.emplace_back(note_of(view, run.schedule));
    draw_tooltip(view, lines);
  }
}

void draw_schedule_shares(View& view, std::span<const Rect> rows, const RoleRuns& runs, bool named) {
  ui::Canvas& canvas = view.canvas();
  if (rows.empty()) return;
  const float line = view.px(share_line);
  const Rect heads{rows.front().x, rows.front().y - line - view.px(3), rows.front().width, line};
  canvas.text(heads, Style::caption, view.theme().muted, view.say("share of the tensor peak, in cycles"));
  for (std::size_t n = 0; n < rows.size(); ++n) draw_share(view, rows[n], runs, n, named);
  const bool any =
      std::any_of(runs.runs().begin(), runs.runs().end(), [](const RoleRun& r) { return r.published.has_value(); });
  if (any) canvas.text(heads, Style::caption, view.theme().muted, view.say("published TFLOP/s"), ui::Align::right);
  const Rect below{heads.x, rows.back().bottom() + view.px(4), heads.width, line};
  if (runs.shown().ready()) draw_clock(view, below, runs.shown().roles.end());
}

}  // namespace explorer
