// Around the lanes of the roles: their names, the axis of cycles, and the playhead with its time.
#include <algorithm>
#include <cmath>

#include "viz/panels/roles/badge.h"
#include "viz/panels/roles/lanes.h"
#include "viz/panels/roles/roles.h"

namespace explorer {
namespace {

using sim::Cycles;
using ui::Rect;
using ui::Style;

constexpr float tick_apart = 110;  // CSS pixels, at least

/// Draws a name with a second line in small type, if there is space.
void draw_name(View& view, Rect gutter, float top, float bottom, std::string_view name, std::string_view note) {
  Rect rest{gutter.x, top, gutter.width, bottom - top};
  const float line = view.px(15);
  if (rest.height < 2 * line) return void(view.canvas().text(rest, Style::control, view.theme().text, name));
  view.canvas().text(cut_top(rest, line), Style::control, view.theme().text, name);
  if (view.canvas().text_width(Style::caption, note) > rest.width) return;
  view.canvas().text(cut_top(rest, line), Style::caption, view.theme().muted, note);
}

}  // namespace

void draw_lane_names(const RolesLanes& lanes) {
  View& view = lanes.view;
  const auto role = [&](const RoleRow& row, std::string_view note) {
    const RoleLane& lane = lanes.roles.lanes()[row.role];
    Rect place{lanes.gutter.x, row.upper.y, lanes.gutter.width, row.lower.bottom() - row.upper.y};
    const float side = std::min(view.px(16), place.height);
    Rect badge = cut_left(place, side);
    badge.height = side;
    draw_badge_button(view, view.id(sim::text("roles/lane/", lane.badge)), badge, lane.badge, row.role);
    cut_left(place, view.px(7));
    draw_name(view, place, place.y, place.bottom(), role_name(view.model.look.language, lane.name), note);
  };
  if (lanes.roles.lanes()[lanes.copies.role].computes)
    draw_name(view, lanes.gutter, lanes.copies.upper.y, lanes.copies.lower.bottom(), view.say("Copies"), "");
  else
    role(lanes.copies, view.say("waits; copies"));
  for (const RoleRow& row : lanes.computing) role(row, view.say("products; warps"));
  draw_name(view, lanes.gutter, lanes.tensor.y, lanes.tensor.bottom(), view.say("Tensor cores"), "");
  draw_name(view, lanes.gutter, lanes.exp.y, lanes.exp.bottom(), view.say("Exp unit"), "");
  if (!lanes.stages.empty())
    draw_name(view, lanes.gutter, lanes.stages.front().y, lanes.stages.front().y + view.px(14), view.say("Ring"), "");
}

void draw_cycle_ticks(const RolesLanes& lanes, Rect ticks) {
  View& view = lanes.view;
  const TimeWindow& window = lanes.window;
  const auto cycles = [](Cycles time) {
    return static_cast<double>(time.count()) / static_cast<double>(sim::ticks_per_cycle);
  };
  const double from = cycles(window.from), to = cycles(window.to);
  if (!(to > from) || window.place.width < 1) return;
  const double step =
      std::max(1.0, round_step((to - from) * static_cast<double>(view.px(tick_apart) / window.place.width)));
  const float playhead = lanes.x(lanes.now());
  for (double n = std::ceil(from / step - 1e-9); n * step <= to + 1e-9 * step; ++n) {
    const Cycles time = sim::nearest_tick(n * step);
    const float x = std::round(lanes.x(time));
    view.canvas().line({x, window.place.y}, {x, window.place.bottom()},
                       ui::mix(view.theme().card, view.theme().border, 0.8f), 1);
    const bool unit = n * step - from < step;  // the first one has the unit
    const std::string text = unit ? view.say("{} cycles", in_cycles(time)) : in_cycles(time);
    const float wide = view.canvas().text_width(Style::caption, text) + 1;
    const float left = std::clamp(x - wide / 2, ticks.x, std::max(ticks.x, ticks.right() - wide));
    const bool covered = std::abs(left + wide / 2 - playhead) < wide / 2 + view.px(36);
    if (!covered) view.canvas().text({left, ticks.y, wide, ticks.height}, Style::caption, view.theme().muted, text);
  }
}

void draw_cycle_head(const RolesLanes& lanes, Rect ticks) {
  View& view = lanes.view;
  ui::Canvas& canvas = view.canvas();
  const float x = std::round(lanes.x(lanes.now()));
  canvas.line({x, ticks.bottom() - view.px(2)}, {x, lanes.window.place.bottom()}, view.theme().strong, view.px(2));
  const std::string text = in_cycles(lanes.now());
  const float wide = canvas.text_width(Style::control, text) + view.px(20);
  const float left = std::clamp(x - wide / 2, ticks.x, std::max(ticks.x, ticks.right() - wide));
  canvas.fill({left, ticks.y, wide, ticks.height - view.px(2)}, view.theme().strong, view.px(6));
  canvas.text({left, ticks.y, wide, ticks.height - view.px(2)}, Style::control, view.theme().on_strong, text,
              ui::Align::center);
}

}  // namespace explorer
