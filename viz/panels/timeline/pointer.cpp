// Handles the pointer on the lanes, and the keys that act while it is over them.
#include <cmath>

#include "viz/panels/timeline/timeline.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

constexpr int moves = 8;    // of A and D across the visible time
constexpr float zooms = 2;  // steps of W and S

/// Event of a row under the pointer, -1 if there is none. A bar narrower than two pixels is also found next to it.
std::int32_t event_under(const View& view, const TimeWindow& window, const LaneRow& row, float x) {
  const TraceIndex& index = view.subject().replay->index;
  const Lane& lane = index.lanes()[row.lane];
  const auto [first, last] = index.within(lane, window.at(x - 1), window.at(x + 1));
  const std::int32_t exact = index.at(lane, window.at(x));
  return exact >= 0 ? exact : first < last ? lane.events[first] : -1;
}

void draw_tip(View& view, std::size_t lane, std::int32_t event, sim::Cycles time) {
  const TraceIndex& index = view.subject().replay->index;
  const std::int32_t wait = index.wait_at(time, index.lanes()[lane].role);
  if (event >= 0) return draw_tooltip(view, about_event(view, event));
  if (wait >= 0) draw_tooltip(view, about_wait(view, wait));
}

/// Moves the lanes with the pointer. If they show the whole CTA, moves the playhead to the pointer instead.
void pan_lanes(View& view, const TimeWindow& window) {
  const ImGuiIO& io = ImGui::GetIO();
  const double ticks = static_cast<double>((window.to - window.from).count()) / static_cast<double>(window.place.width);
  const bool whole = window.from == sim::Cycles{} && window.to >= view.subject().replay->index.end();
  const sim::Cycles by(std::llround(static_cast<double>(io.MouseDelta.x) * ticks));
  view.edit(PlayOn{false});
  view.edit(Seek{whole ? window.at(io.MousePos.x) : view.subject().time - by, view.index});
}

/// Handles W, A, S and D, and reserves them: in the next frame these letters have no other meaning.
void take_letters(View& view, const TimeWindow& window, bool to_all_sms) {
  view.ui.state.letters = "WASD";
  if (!view.ui.state.open.empty() || view.state.look.overlay != Overlay::none) return;
  const sim::Cycles step((window.to - window.from).count() / moves);
  if (ui::typed('w')) zoom_timeline(view, zooms, window.place.width, to_all_sms);
  if (ui::typed('s')) zoom_timeline(view, -zooms, window.place.width, to_all_sms);
  if (ui::typed('a')) view.edit(Seek{view.subject().time - step, view.index});
  if (ui::typed('d')) view.edit(Seek{view.subject().time + step, view.index});
}

}  // namespace

ui::Touch touch_lanes(View& view, std::string_view id, const TimeWindow& window, ui::Rect place, bool selects,
                      bool to_all_sms) {
  const ui::Touch touch = tracks_of(view, window).touch(view.id(id), place);
  const ImGuiIO& io = ImGui::GetIO();
  if (touch.hovered) {
    zoom_timeline(view, zoom_steps(view), window.place.width, to_all_sms);
    take_letters(view, window, to_all_sms);
  }
  if (view.ui.state.fingers.two) return {};
  if (touch.dragged && selects) select_between(view, window, io.MouseClickedPos[0].x, io.MousePos.x);
  if (touch.dragged && !selects && io.MouseDelta.x != 0) pan_lanes(view, window);
  return touch;
}

void react_to_pointer(View& view, const TimeWindow& window, const std::vector<LaneRow>& rows) {
  const bool selects = view.state.look.drag_selects && view.index == 0;
  const ui::Touch touch = touch_lanes(view, "timeline", window, window.place, selects);
  if (!touch.hovered && !touch.clicked) return;
  const ImGuiIO& io = ImGui::GetIO();
  const LaneRow* under = nullptr;
  for (const LaneRow& row : rows) {
    if (row.place.contains({io.MousePos.x, io.MousePos.y})) under = &row;
  }
  const std::int32_t event = under == nullptr ? -1 : event_under(view, window, *under, io.MousePos.x);
  if (touch.clicked) {
    view.edit(PlayOn{false});
    const auto& events = view.subject().replay->trace.events;
    return view.edit(
        Seek{event < 0 ? window.at(io.MousePos.x) : events[static_cast<std::size_t>(event)].begin, view.index});
  }
  if (touch.held || under == nullptr || view.world.covered.order) return;
  if (event >= 0) draw_arrows(view, window, rows, event);
  draw_tip(view, under->lane, event, window.at(io.MousePos.x));
}

}  // namespace explorer
