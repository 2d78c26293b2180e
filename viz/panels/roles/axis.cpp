// Around the lanes of the roles: their names, the axis of cycles, and the playhead with its time.
#include <algorithm>

#include "viz/panels/roles/badge.h"
#include "viz/panels/roles/lanes.h"
#include "viz/panels/roles/roles.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float tick_apart = 110;  // CSS pixels, at least

/// Draws a name with a second line in small type, if there is space.
void draw_name(View& view, Rect place, std::string_view name, std::string_view note) {
  const float line = view.px(15);
  const bool low = place.height < 2 * line;
  const auto [first, second] = ui::rows(place, 0, {low ? place.height : line, line});
  view.canvas().text(first, Style::control, view.theme().text, name);
  if (!low) ui::fitting_text(view.canvas(), second, Style::caption, view.theme().muted, note);
}

}  // namespace

void draw_lane_names(const RolesLanes& lanes) {
  View& view = lanes.view;
  const auto beside = [&](float top, float bottom) {
    return Rect{lanes.gutter.x, top, lanes.gutter.width, bottom - top};
  };
  const auto role = [&](const RoleRow& row, std::string_view note) {
    const RoleLane& lane = lanes.roles.lanes()[row.role];
    const Rect place = beside(row.upper.y, row.lower.bottom());
    const float side = std::min(view.px(16), place.height);
    const auto [badge, name] = ui::columns(place, view.px(7), {side, ui::rest()});
    draw_badge_button(view, view.id(sim::text("roles/lane/", lane.badge)), {badge.x, badge.y, side, side}, lane.badge,
                      row.role);
    draw_name(view, name, role_name(view.state.look.language, lane.name), note);
  };
  if (lanes.roles.lanes()[lanes.copies.role].computes)
    draw_name(view, beside(lanes.copies.upper.y, lanes.copies.lower.bottom()), view.say("Copies"), "");
  else
    role(lanes.copies, view.say("waits; copies"));
  for (const RoleRow& row : lanes.writing) role(row, view.say("waits; reductions"));
  for (const RoleRow& row : lanes.computing) role(row, view.say("products; warps"));
  draw_name(view, beside(lanes.tensor.y, lanes.tensor.bottom()), view.say("Tensor cores"), "");
  draw_name(view, beside(lanes.exp.y, lanes.exp.bottom()), view.say("Exp unit"), "");
  if (lanes.stages.empty()) return;
  const float ring = lanes.stages.front().y;
  draw_name(view, beside(ring, ring + view.px(14)), view.say("Ring"), "");
}

void draw_cycle_ticks(const RolesLanes& lanes, Rect row) {
  const ui::Tracks tracks = tracks_of(lanes.view, lanes.window);
  const auto text = [&](double cycles, double step) {  // the first one has the unit
    const std::string number = in_cycles(sim::nearest_tick(cycles));
    return cycles - tracks.from / sim::ticks_per_cycle < step ? lanes.view.say("{} cycles", number) : number;
  };
  tracks.ticks(row, lanes.window.place, tick_apart, text, tracks.pill(row, in_cycles(lanes.now())),
               sim::ticks_per_cycle);
}

void draw_cycle_head(const RolesLanes& lanes, Rect row) {
  tracks_of(lanes.view, lanes.window).playhead(row, lanes.window.place, in_cycles(lanes.now()));
}

}  // namespace explorer
