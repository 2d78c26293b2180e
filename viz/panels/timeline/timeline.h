// Parts of the timeline's card: transport, lanes of the engines, the grid on the SMs, the overview.
#pragma once
#include <string>
#include <vector>

#include "viz/model/description.h"
#include "viz/model/grid_timeline.h"
#include "viz/panels/view.h"
#include "viz/ui/tracks.h"

namespace explorer {

/// An interval of time and its rectangle.
struct TimeWindow {
  sim::Cycles from, to;
  ui::Rect place;

  float x(sim::Cycles time) const;
  sim::Cycles at(float x) const;  ///< clamped to the interval
};

/// Window of the lanes: the playhead is at 42 % of it, or nearer to an end of the CTA.
TimeWindow lanes_window(const View& view, ui::Rect place);
/// Steps of zoom in this frame: lines of the wheel, or spreading fingers.
float zoom_steps(const View& view);
/// Zooms lanes of this width; beyond the whole CTA, switches to the grid and back.
void zoom_timeline(View& view, float lines, float width, bool to_all_sms = true);

/// A time in microseconds with the decimals that a step of ticks needs; "1.25 ms" from 10,000 on.
std::string time_text(double microseconds);
/// "66.95 / 350.6 µs": both in the unit of the second.
std::string time_of_text(double microseconds, double of);

/// Words of the transport: the moment, at full length and shorter, as markup; and the time.
struct TransportWords {
  std::vector<std::string> sentences;
  std::string time;
  bool of_timeline = true;  ///< the controls of the timeline are there
};
/// The words on the CTA in view.
TransportWords transport_words(const View& view);
/// Draws buttons, unit of a step, speed, bookmarks, the first sentence that fits and the time, in one row or two.
void draw_transport(View& view, ui::Rect rect, const TransportWords& words);
/// Height of the transport in a card of this width.
float transport_height(const View& view, float width, const TransportWords& words);
/// A time on the axis of these tracks.
inline double in_ticks(sim::Cycles time) { return static_cast<double>(time.count()); }
/// The tracks of a window, in ticks of the clock, with the playhead of the CTA in view.
ui::Tracks tracks_of(const View& view, const TimeWindow& window);
/// Draws microseconds in a row, and lines through a place.
void draw_ticks(const View& view, const ui::Tracks& tracks, ui::Rect row, ui::Rect through);
void draw_lanes(View& view, ui::Rect gutter, const TimeWindow& window);
/// The pointer on lanes: the wheel, fingers, W, A, S and D zoom and move them, and these letters have no other meaning;
/// dragging moves time or, where it `selects`, selects it. `to_all_sms`: zooming out beyond the CTA shows all SMs.
ui::Touch touch_lanes(View& view, std::string_view id, const TimeWindow& window, ui::Rect place, bool selects,
                      bool to_all_sms = true);
/// A lane on the screen: its index in TraceIndex::lanes(), its rectangle, and that of its name.
struct LaneRow {
  std::size_t lane;
  ui::Rect place, gutter;
};
/// Handles the pointer: a click seeks the start of an event; dragging pans the lanes or selects; the wheel, W and S
/// zoom, A and D move.
void react_to_pointer(View& view, const TimeWindow& window, const std::vector<LaneRow>& rows);

/// Draws arrows copy -> use -> write: from the events that made the operands of an event to it, and from it to the
/// events that use its result in the window. Their heads are places: "arrow/MAKER/USER".
void draw_arrows(View& view, const TimeWindow& window, const std::vector<LaneRow>& rows, std::int32_t event);

/// Selected span, clamped to the time of the CTA in view; empty if they do not overlap.
std::optional<TimeSpan> selected_span(const View& view);
/// Selects the time between two positions on the screen, snapped to nearby edges of events.
void select_between(View& view, const TimeWindow& window, float x, float other);
/// Draws a frame around the span, and dims the rest of the lanes, which end at `bottom`.
void draw_selection(View& view, const TimeWindow& window, float bottom);
/// True if the sums of a span are shown: while dragging selects, or a span is selected.
bool shows_sums(const View& view);
/// Draws the CTA's bytes, work and waits in the span.
void draw_sums(View& view, ui::Rect rect);
/// Tooltip lines of an event of the trace, and of a wait.
std::vector<std::string> about_event(const View& view, std::int32_t event);
std::vector<std::string> about_wait(const View& view, std::int32_t wait);
/// Tooltip lines of a CTA on its SM: number, slot, time, and the heads that share its K and V.
std::vector<std::string> about_cta(const View& view, const CtaSpan& span);
/// KV head that a CTA's head reads; `head` itself if a CTA takes a KV head.
std::int64_t kv_head_of(const View& view, std::int64_t head);
/// Draws the bookmarks of the CTA in view as flags on the upper edge of lanes.
void draw_bookmarks(View& view, const TimeWindow& window);
void draw_overview(View& view, ui::Rect gutter, ui::Rect rect, const TimeWindow& shown);
/// Draws all CTAs on the SMs, instead of ticks and lanes.
void draw_grid(View& view, ui::Rect gutter, ui::Rect rect, ui::Rect note);

}  // namespace explorer
