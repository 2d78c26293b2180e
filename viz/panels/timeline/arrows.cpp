// Arrows from the events that made an event's operands to it, and from it to the events that use its result.
#include <algorithm>
#include <cmath>

#include "viz/panels/timeline/timeline.h"

namespace explorer {
namespace {

constexpr float head = 6, turn = 3;          // CSS pixels
constexpr std::size_t most_searched = 4000;  // events in view: more are narrower than a pixel

const LaneRow* row_of(const View& view, const std::vector<LaneRow>& rows, const sim::Event& event) {
  const std::int32_t lane = view.subject().replay->index.lane_of(event);
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const LaneRow& row) { return static_cast<std::int32_t>(row.lane) == lane; });
  return found == rows.end() ? nullptr : &*found;
}

/// Draws an arrow from the end of one event, along the edge of its lane, to the start of the other.
void draw_arrow(View& view, const TimeWindow& window, const std::vector<LaneRow>& rows, std::int32_t maker,
                std::int32_t user) {
  const auto& events = view.subject().replay->trace.events;
  const sim::Event &from = events[static_cast<std::size_t>(maker)], &to = events[static_cast<std::size_t>(user)];
  const LaneRow *source = row_of(view, rows, from), *target = row_of(view, rows, to);
  if (source == nullptr || target == nullptr) return;
  const bool up = target->place.y < source->place.y;
  const float edge = up ? source->place.y - view.px(turn) : source->place.bottom() + view.px(turn);
  const float start = std::round(window.x(from.released)) - view.px(turn), end = std::round(window.x(to.begin)) + 1;
  const bool same = source == target;
  const float tip = up || same ? target->place.bottom() : target->place.y, size = view.px(head);
  const std::array<ui::Point, 4> line = {
      {{start, up ? source->place.y : source->place.bottom()}, {start, edge}, {end, edge}, {end, tip}}};
  ui::arrow(view.canvas(), line, view.theme().strong, view.px(1.5f));
  const float above = up || same ? tip : tip - size;
  ui::mark_place(view.ui, sim::text("arrow/", maker, "/", user), {end - size, above, 2 * size, size});
}

bool uses(const sim::Event& event, std::int32_t made) {
  return std::find(event.operands.begin(), event.operands.end(), made) != event.operands.end();
}

}  // namespace

void draw_arrows(View& view, const TimeWindow& window, const std::vector<LaneRow>& rows, std::int32_t event) {
  const Replay& replay = *view.subject().replay;
  const auto& events = replay.trace.events;
  view.canvas().push_clip(window.place);
  for (const std::int32_t made : events[static_cast<std::size_t>(event)].operands) {
    if (made >= 0) draw_arrow(view, window, rows, made, event);
  }
  for (const Lane& lane : replay.index.lanes()) {
    const auto [first, last] = replay.index.within(lane, window.from, window.to);
    for (std::size_t n = first; n < std::min(last, first + most_searched); ++n) {
      const std::int32_t user = lane.events[n];
      if (uses(events[static_cast<std::size_t>(user)], event)) draw_arrow(view, window, rows, event, user);
    }
  }
  view.canvas().pop_clip();
}

}  // namespace explorer
