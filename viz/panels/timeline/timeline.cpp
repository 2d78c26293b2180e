#include "viz/panels/timeline/timeline.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "viz/draw/steady.h"
#include "viz/panels/panels.h"
#include "viz/panels/parts.h"

namespace explorer {
namespace {

constexpr float playhead_at = 0.42f;
constexpr float tile_width = 290;  // CSS pixels of a tile, before zooming
constexpr double least_tiles = 1.5;
constexpr std::int64_t shortest_window = 64 * sim::ticks_per_cycle;
constexpr float tick_apart = 88, gutter_width = 112, narrow_gutter = 96, gutter_of_roles = 164, tick_row = 20,
                overview_row = 18;                    // CSS pixels
constexpr float sums_width = 290, sums_height = 204;  // CSS pixels

/// Time that lanes of a width show at a zoom level, at most the whole CTA.
std::int64_t span_at(const View& view, float width, int zoom) {
  const TraceIndex& index = view.subject().replay->index;
  const double tiles_in_window = std::max(least_tiles, static_cast<double>(width / view.px(tile_width)));
  const auto end = static_cast<double>(std::max<std::int64_t>(1, index.end().count()));
  const double tiles = static_cast<double>(index.visits().size());
  const double first = tiles > tiles_in_window ? end / tiles * tiles_in_window : end;
  const double wanted = first * draw::steady::power(2, -0.25 * zoom);
  const double least = std::min(end, static_cast<double>(shortest_window));
  return static_cast<std::int64_t>(std::clamp(wanted, least, end));
}

std::string tick_text(double microseconds, double step) {
  const bool milli = step >= 1000;
  const double scale = milli ? 1000 : 1;
  const int decimals = std::max(0, -draw::steady::exponent_in(10, step / scale * (1 + 1e-9)));
  return fmt::format("{:.{}f} {}", std::abs(microseconds) / scale, decimals, milli ? "ms" : "µs");
}

/// Slowdown of playback against the GPU: "1 µs = 2.1 s".
std::string slowness(const View& view) {
  const double seconds = 1 / (view.world.pace() * view.state.speed);
  if (seconds < 0.01) return view.say("1 ms = {} s", fmt::format("{:.2g}", seconds * 1000));
  if (seconds >= 1000) return view.say("1 ns = {} s", fmt::format("{:.2g}", seconds / 1000));
  return view.say("1 µs = {} s", fmt::format("{:.{}f}", seconds, seconds < 9.995 ? 2 : seconds < 99.95 ? 1 : 0));
}

/// The part of the gutter beside a row.
ui::Rect beside(ui::Rect gutter, ui::Rect row) { return {gutter.x, row.y, gutter.width, row.height}; }

/// Draws the lanes of one CTA below their axis. Returns their window.
TimeWindow draw_cta(View& view, ui::Rect gutter, ui::Rect rect) {
  const auto [ticks, lanes] = ui::rows(rect, 0, {view.px(tick_row), ui::rest()});
  const TimeWindow window = lanes_window(view, lanes);
  view.canvas().text(beside(gutter, ticks), ui::Style::caption, view.theme().muted, slowness(view));
  const ui::Tracks tracks = tracks_of(view, window);
  draw_ticks(view, tracks, ticks, lanes);
  draw_lanes(view, beside(gutter, lanes), window);
  draw_bookmarks(view, window);
  tracks.playhead(ticks, lanes);
  return window;
}

/// Places the sums next to the lanes, or below them if these are narrow.
void place_sums(View& view, ui::Space& rest, bool narrow) {
  if (narrow) return draw_sums(view, rest.bottom(std::min(view.px(sums_height), rest.height() / 2)));
  const ui::Rect sums = rest.right(view.px(sums_width), view.px(28)), line = sums.moved(-view.px(16), 0);
  view.canvas().line({line.x, line.y}, {line.x, line.bottom()}, view.theme().border, 1);
  draw_sums(view, sums);
}

}  // namespace

void draw_bookmarks(View& view, const TimeWindow& window) {
  const Replay& replay = *view.subject().replay;
  const ui::Color color = view.theme().muted;
  for (const Bookmark& mark : view.state.look.bookmarks) {
    const bool here = mark.kernel == replay.kernel && place_text(mark.place) == place_text(replay.place);
    if (!here || mark.time < window.from || mark.time > window.to) continue;
    const float x = std::round(window.x(mark.time)), top = window.place.y, u = view.px(4);
    view.canvas().line({x, top}, {x, window.place.bottom()}, ui::with_alpha(color, 0.5f), 1);
    view.canvas().triangle({x, top}, {x + 2 * u, top + u}, {x, top + 2 * u}, color);
    ui::mark_place(view.ui, view.id(sim::text("flag/", mark.time.count())), {x, top, 2 * u, 2 * u});
  }
}

float TimeWindow::x(sim::Cycles time) const {
  const double part =
      static_cast<double>((time - from).count()) / static_cast<double>(std::max<std::int64_t>(1, (to - from).count()));
  return place.x + static_cast<float>(part * static_cast<double>(place.width));
}

sim::Cycles TimeWindow::at(float x) const {
  const double part =
      std::clamp(static_cast<double>(x - place.x) / std::max(1.0, static_cast<double>(place.width)), 0., 1.);
  return from + sim::Cycles(std::llround(part * static_cast<double>((to - from).count())));
}

TimeWindow lanes_window(const View& view, ui::Rect place) {
  const Subject& subject = view.subject();
  const std::int64_t span = span_at(view, place.width, view.state.look.zoom), end = subject.replay->index.end().count();
  const auto before = static_cast<std::int64_t>(playhead_at * static_cast<float>(span));
  const std::int64_t from =
      std::clamp<std::int64_t>(subject.time.count() - before, 0, std::max<std::int64_t>(0, end - span));
  return {sim::Cycles(from), sim::Cycles(from + span), place};
}

float zoom_steps(const View& view) {
  const ui::Fingers& fingers = view.ui.state.fingers;
  // One step is a quarter of a power of two.
  if (!fingers.two) return ImGui::GetIO().MouseWheel;
  return static_cast<float>(4 * draw::steady::log(std::max(fingers.spread, 0.01f)) / draw::steady::log(2));
}

void zoom_timeline(View& view, float lines, float width, bool to_all_sms) {
  float& turned = view.ui.state.scrolled["timeline wheel"];  // fraction of a step, from wheels with fine steps
  turned += lines;
  if (std::abs(turned) < 1) return;
  Look look = view.state.look;
  for (; std::abs(turned) >= 1; turned -= std::copysign(1.f, turned)) {
    if (look.timeline == TimelineOf::grid && to_all_sms) {
      if (turned > 0) look.timeline = TimelineOf::cta;
      continue;
    }
    const int next = look.zoom + (turned > 0 ? 1 : -1);
    const bool changes = span_at(view, width, next) != span_at(view, width, look.zoom);
    if (changes && std::abs(next) <= most_timeline_zoom) look.zoom = next;
    if (!changes && turned < 0 && to_all_sms) look.timeline = TimelineOf::grid;
  }
  view.set([&](Look& next) {
    next.timeline = look.timeline;
    next.zoom = look.zoom;
  });
}

std::string time_text(double microseconds) {
  if (std::isnan(microseconds)) return "-";
  if (microseconds >= 10'000) return fmt::format("{:.2f} ms", microseconds / 1000);
  return fmt::format("{:.{}f} µs", microseconds, microseconds < 99.995 ? 2 : 1);
}

std::string time_of_text(double microseconds, double of) {
  if (std::isnan(of)) return "-";
  const double scale = of >= 10'000 ? 1000 : 1;
  const int decimals = of / scale < 99.995 ? 2 : 1;
  return fmt::format("{:.{}f} / {:.{}f} {}", microseconds / scale, decimals, of / scale, decimals,
                     scale > 1 ? "ms" : "µs");
}

ui::Tracks tracks_of(const View& view, const TimeWindow& window) {
  return {view.ui, in_ticks(window.from), in_ticks(window.to), window.place, in_ticks(view.subject().time)};
}

void draw_ticks(const View& view, const ui::Tracks& tracks, ui::Rect row, ui::Rect through) {
  tracks.ticks(row, through, tick_apart, tick_text, {}, 1 / view.subject().microseconds(sim::Cycles(1)));
}

void draw_timeline(View& view, ui::Rect rect) {
  ui::panel(view.canvas(), rect);
  ui::Space rest(rect.inset(view.px(16), view.px(10)));
  if (!view.bare) {
    const TransportWords words = transport_words(view);
    draw_transport(view, rest.top(transport_height(view, rest.width(), words), view.px(4)), words);
  }
  if (draw_no_time(view, rest.rest())) return;
  const bool narrow = rest.width() < view.px(700);
  if (shows_sums(view)) place_sums(view, rest, narrow);
  const bool roles = !view.subject().replay->trace.roles.empty();  // have longer names
  const float names = view.px(roles ? gutter_of_roles : narrow ? narrow_gutter : gutter_width);
  const ui::Rect gutter = rest.left(names - view.px(8), view.px(8));
  const auto [lanes, strip] = ui::rows(rest.rest(), view.px(6), {ui::rest(), view.px(overview_row)});
  const ui::Rect strip_gutter = beside(gutter, strip);
  if (view.state.look.timeline == TimelineOf::grid)
    return draw_grid(view, beside(gutter, lanes), lanes, around(strip_gutter, strip));
  draw_overview(view, strip_gutter, strip, draw_cta(view, gutter, lanes));
}

}  // namespace explorer
