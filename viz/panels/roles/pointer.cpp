// The pointer on the lanes of the roles: time, arrows and spans.
#include <imgui.h>

#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/roles/lanes.h"
#include "viz/panels/roles/roles.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using sim::Cycles;
using ui::Rect;

/// The span of a row under the pointer; null: none.
const RoleSpan* span_under(const RolesLanes& lanes, ui::Point p) {
  const Cycles time = lanes.window.at(p.x);
  const auto in = [&](const std::vector<RoleSpan>& spans) -> const RoleSpan* {
    const auto [first, last] = spans_within(spans, time, time + Cycles(1));
    return first < last ? &spans[first] : nullptr;
  };
  if (lanes.copies.upper.contains(p) && !lanes.roles.lanes()[lanes.copies.role].computes)
    return lanes.roles.at(lanes.copies.role, time);
  if (lanes.copies.between.contains(p)) return in(lanes.roles.lanes()[lanes.copies.role].copies);
  for (const RoleRow& row : lanes.writing) {
    if (row.upper.contains(p)) return lanes.roles.at(row.role, time);
    if (row.between.contains(p)) return in(lanes.roles.lanes()[row.role].copies);
  }
  for (const RoleRow& row : lanes.computing) {
    if (row.upper.contains(p)) return in(lanes.roles.lanes()[row.role].products);
    if (row.lower.contains(p)) return lanes.roles.at(row.role, time);
  }
  return nullptr;
}

void draw_span_tip(const RolesLanes& lanes, const RoleSpan& span) {
  View& view = lanes.view;
  const std::size_t role = lanes.roles.event(span.event).role;
  std::vector<std::string> lines = {role_name(view.state.look.language, lanes.roles.lanes()[role].name)};
  if (span.does == RoleDoes::product) lines.push_back(ui::plain(product_markup(lanes.roles, span)));
  const sim::Event& event = lanes.roles.event(span.event);
  if (span.does == RoleDoes::copy && event.verb == sim::Verb::atomic_add)
    lines.push_back(view.say("a reduction of {}, read and written", report::bytes(event.bytes)));
  else if (span.does == RoleDoes::copy)
    lines.push_back(view.say("a copy of {}", report::bytes(event.bytes)));
  if (span.does == RoleDoes::wait || span.does == RoleDoes::work) {
    const RoleWords words = role_words(view.state.look.language, lanes.roles, role, span.begin);
    for (const std::string& line : {words.does, words.why}) {
      if (!line.empty()) lines.push_back(ui::plain(line));
    }
  }
  lines.push_back(
      view.say("{} to {}, {} cycles", in_cycles(span.begin), in_cycles(span.end), in_cycles(span.end - span.begin)));
  if (span.ready > span.end) lines.push_back(view.say("its bytes count at {}", in_cycles(span.ready)));
  draw_tooltip(view, lines);
}

}  // namespace

const RoleArrow* use_role_lanes(const RolesLanes& lanes, Rect place, const std::vector<RoleArrow>& arrows) {
  View& view = lanes.view;
  const ui::Touch touch = touch_lanes(view, "roles/lanes", lanes.window, place, false, false);
  if ((!touch.hovered && !touch.clicked) || view.world.covered.order) return nullptr;
  const ImGuiIO& io = ImGui::GetIO();
  const ui::Point pointer{io.MousePos.x, io.MousePos.y};
  const RoleArrow* const arrow = arrow_under(lanes, arrows, pointer);
  const RoleSpan* const span = arrow == nullptr ? span_under(lanes, pointer) : nullptr;
  if (touch.clicked) {
    view.edit(PlayOn{false});
    const Cycles time = arrow != nullptr ? arrow->from : span != nullptr ? span->begin : lanes.window.at(io.MousePos.x);
    view.edit(Seek{time, view.index});
  }
  if (touch.held) return nullptr;
  if (arrow != nullptr) draw_tooltip(view, about_arrow(view, lanes.roles, *arrow));
  if (span != nullptr) draw_span_tip(lanes, *span);
  return arrow;
}

}  // namespace explorer
