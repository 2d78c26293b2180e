// Overview: the whole CTA as one bar, with its tiles, the playhead, and the part that the lanes show.
#include <algorithm>
#include <cmath>

#include "viz/panels/timeline/timeline.h"

namespace explorer {
namespace {

/// Draws the tiles as bars, merged if several start in one column of pixels: O(pixels) steps.
void draw_tiles(View& view, const TimeWindow& whole) {
  const auto& visits = view.subject().replay->index.visits();
  const ui::Theme& theme = view.theme();
  const sim::Cycles now = view.subject().time;
  const ui::Rect bar = whole.place.inset(0, view.px(4));
  view.canvas().fill(bar, theme.tile_to_do, view.px(3));
  const float first = visits.empty() ? bar.right() : whole.x(visits.front().begin);
  view.canvas().fill({bar.x, bar.y, std::min(first, whole.x(now)) - bar.x, bar.height}, theme.tile_done, view.px(3));
  for (auto visit = visits.begin(); visit != visits.end();) {
    const float left = whole.x(visit->begin);
    const sim::Cycles column = whole.at(std::floor(left) + 3);  // the next bar starts there or later
    auto next = std::partition_point(visit + 1, visits.end(), [&](const Visit& v) { return v.begin < column; });
    const float right = next == visits.end() ? bar.right() : whole.x(next->begin);
    const bool current = visit->begin <= now && (next == visits.end() || now < next->begin);
    const bool done = next == visits.end() ? now >= whole.to : next->begin <= now;
    const ui::Color color = done      ? theme.tile_done
                            : current ? ui::mix(theme.tile_done, theme.text, 0.5f)
                                      : theme.tile_to_do;
    view.canvas().fill({left, bar.y, std::max(1.f, right - left - 1), bar.height}, color);
    visit = next;
  }
}

}  // namespace

void draw_overview(View& view, ui::Rect gutter, ui::Rect rect, const TimeWindow& shown) {
  const Subject& subject = view.subject();
  const TimeWindow whole{sim::Cycles{}, subject.replay->index.end(), rect};
  view.canvas().text(gutter, ui::Style::caption, view.theme().muted, view.say("Whole CTA"));
  draw_tiles(view, whole);
  for (const Bookmark& mark : view.state.look.bookmarks) {
    if (mark.kernel != subject.replay->kernel || place_text(mark.place) != place_text(subject.replay->place)) continue;
    const float x = std::round(whole.x(mark.time));
    view.canvas().triangle({x - view.px(3), rect.y}, {x + view.px(3), rect.y}, {x, rect.y + view.px(4)},
                           view.theme().muted);
  }
  if (const std::optional<TimeSpan> span = selected_span(view)) {
    const float left = std::round(whole.x(span->from)), right = std::max(left + view.px(2), whole.x(span->to));
    view.canvas().fill({left, rect.bottom() - view.px(3), right - left, view.px(3)}, view.theme().strong);
  }
  const ui::Hit hit = ui::hit(view.ui, view.id("overview"), rect);
  if (shown.to - shown.from < whole.to) {
    const float left = whole.x(shown.from), right = whole.x(shown.to), least = view.px(8);
    const float extra = std::max(0.f, least - (right - left)) / 2;
    const ui::Rect frame{left - extra, rect.y, right - left + 2 * extra, rect.height};
    view.canvas().stroke(common(frame, rect), hit.hovered ? view.theme().text : view.theme().muted, view.px(1.5f),
                         view.px(5));
  }
  const float x = std::round(whole.x(subject.time));
  view.canvas().line({x, rect.y + view.px(2)}, {x, rect.bottom() - view.px(2)}, view.theme().strong, view.px(2));
  if (!hit.held && !hit.clicked) return;
  view.edit(PlayOn{false});
  view.edit(Seek{whole.at(ImGui::GetIO().MousePos.x), view.index});
}

}  // namespace explorer
