// The parts of the timeline's card: transport, lanes of the engines, the grid on the SMs, the overview.
#pragma once
#include <string>
#include <vector>

#include "viz/model/description.h"
#include "viz/model/grid_timeline.h"
#include "viz/panels/view.h"

namespace explorer {

/// A stretch of time and the place where it is drawn.
struct TimeWindow {
  sim::Cycles from, to;
  ui::Rect place;

  float x(sim::Cycles time) const;
  sim::Cycles at(float x) const;  ///< inside of the stretch
};

/// What the lanes show: the playhead stands at 42 % of it, or nearer to an end of the CTA.
TimeWindow lanes_window(const View& view, ui::Rect place);
/// Steps of the zoom that the pointer asks for in this frame: lines of the wheel, or fingers that spread.
float zoom_steps(const View& view);
/// Zooms lanes of this width, and beyond the whole CTA changes to the grid and back.
void zoom_timeline(View& view, float lines, float width);

/// A time in microseconds with as many decimals as a step of ticks needs; "1.25 ms" from 10,000 on.
std::string time_text(double microseconds);
/// "66.95 / 350.6 µs": both in the unit of the second.
std::string time_of_text(double microseconds, double of);

/// Buttons, what a step is, speed, bookmarks, the sentence, the time, in one row or two.
void draw_transport(View& view, ui::Rect rect);
/// How high it is in a card of this width.
float transport_height(const View& view, float width);
/// Marks of time above and through `below`; none is written where the playhead is.
void draw_ticks(View& view, const TimeWindow& window, ui::Rect below, float playhead);
void draw_lanes(View& view, ui::Rect gutter, const TimeWindow& window);
/// A lane on the screen: its place in TraceIndex::lanes(), where it is drawn, and where its name stands.
struct LaneRow {
  std::size_t lane;
  ui::Rect place, gutter;
};
/// A click goes to the begin of an event; dragging pulls the lanes along or selects; the wheel, W and S zoom, A and D
/// move.
void react_to_pointer(View& view, const TimeWindow& window, const std::vector<LaneRow>& rows);

/// Arrows copy -> use -> write: from what made the operands of an event to it, and from it to what uses its result
/// in the window. Their heads are places: "arrow/MAKER/USER".
void draw_arrows(View& view, const TimeWindow& window, const std::vector<LaneRow>& rows, std::int32_t event);

/// The span that is selected, inside of the time of the CTA in view; nothing where it has none of it.
std::optional<TimeSpan> selected_span(const View& view);
/// Selects what lies between two places on the screen, up to edges of events that are near.
void select_between(View& view, const TimeWindow& window, float x, float other);
/// A frame around the span, and a veil over the rest of the lanes, which end at `bottom`.
void draw_selection(View& view, const TimeWindow& window, float bottom);
/// True if sums of a span have their place beside or below the lanes: as long as dragging selects.
bool shows_sums(const View& view);
/// Draws what the CTA moves, computes and waits for in the span.
void draw_sums(View& view, ui::Rect rect);
/// Lines for a tooltip: of an event of the trace, and of a wait.
std::vector<std::string> about_event(const View& view, std::int32_t event);
std::vector<std::string> about_wait(const View& view, std::int32_t wait);
/// Words on a CTA on its SM: number, place, time, and which heads share its K and V.
std::vector<std::string> about_cta(const View& view, const CtaSpan& span);
/// The KV head that a CTA's head reads: itself where a CTA takes a KV head.
std::int64_t kv_head_of(const View& view, std::int64_t head);
void draw_playhead(View& view, float x, ui::Rect ticks, ui::Rect below);
void draw_overview(View& view, ui::Rect gutter, ui::Rect rect, const TimeWindow& shown);
/// All CTAs on the SMs: in the place of ticks and lanes.
void draw_grid(View& view, ui::Rect gutter, ui::Rect rect, ui::Rect note);

}  // namespace explorer
