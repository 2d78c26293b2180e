// Handles the pointer on the lanes, and the keys that act while it is over them.
#include <cmath>

#include "viz/panels/timeline/timeline.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

constexpr float dragged_from = 16;  // squared device pixels: less is a click
constexpr int moves = 8;            // of A and D across the visible time
constexpr float zooms = 2;          // steps of W and S

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

}  // namespace

void pan_lanes(View& view, const TimeWindow& window) {
  const ImGuiIO& io = ImGui::GetIO();
  const double ticks = static_cast<double>((window.to - window.from).count()) / static_cast<double>(window.place.width);
  const bool whole = window.from == sim::Cycles{} && window.to >= view.subject().replay->index.end();
  const sim::Cycles by(std::llround(static_cast<double>(io.MouseDelta.x) * ticks));
  view.edit(PlayOn{false});
  view.edit(Seek{whole ? window.at(io.MousePos.x) : view.subject().time - by, view.index});
}

void take_letters(View& view, const TimeWindow& window, bool to_all_sms) {
  view.ui.state.letters = "WASD";
  if (!view.ui.state.open.empty() || view.model.look.overlay != Overlay::none) return;
  const sim::Cycles step((window.to - window.from).count() / moves);
  if (ui::typed('w')) zoom_timeline(view, zooms, window.place.width, to_all_sms);
  if (ui::typed('s')) zoom_timeline(view, -zooms, window.place.width, to_all_sms);
  if (ui::typed('a')) view.edit(Seek{view.subject().time - step, view.index});
  if (ui::typed('d')) view.edit(Seek{view.subject().time + step, view.index});
}

bool is_drag() { return ImGui::GetIO().MouseDragMaxDistanceSqr[0] > dragged_from; }

void react_to_pointer(View& view, const TimeWindow& window, const std::vector<LaneRow>& rows) {
  const ui::Hit hit = ui::hit(view.ui, view.id("timeline"), window.place);
  const ImGuiIO& io = ImGui::GetIO();
  if (hit.hovered) {
    zoom_timeline(view, zoom_steps(view), window.place.width);
    take_letters(view, window);
  }
  if (view.ui.state.fingers.two) return;
  const bool dragged = is_drag();
  const bool selects = view.model.look.drag_selects && view.index == 0;
  if (hit.held && dragged && selects) select_between(view, window, io.MouseClickedPos[0].x, io.MousePos.x);
  if (hit.held && dragged && !selects && io.MouseDelta.x != 0) pan_lanes(view, window);
  if (!hit.hovered && !hit.clicked) return;
  const LaneRow* under = nullptr;
  for (const LaneRow& row : rows) {
    if (row.place.contains({io.MousePos.x, io.MousePos.y})) under = &row;
  }
  const std::int32_t event = under == nullptr ? -1 : event_under(view, window, *under, io.MousePos.x);
  if (hit.clicked && !dragged) {
    view.edit(PlayOn{false});
    const auto& events = view.subject().replay->trace.events;
    return view.edit(
        Seek{event < 0 ? window.at(io.MousePos.x) : events[static_cast<std::size_t>(event)].begin, view.index});
  }
  if (hit.held || under == nullptr || view.model.lesson.covered.order) return;
  if (event >= 0) draw_arrows(view, window, rows, event);
  draw_tip(view, under->lane, event, window.at(io.MousePos.x));
}

}  // namespace explorer
