// Arrows from an arrival at a barrier to the wait that it ends: a turn, a copy, a stage that is released.
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/model/event_label.h"
#include "viz/model/roles/role_state.h"
#include "viz/panels/roles/lanes.h"
#include "viz/panels/roles/roles.h"

namespace explorer {
namespace {

using sim::BarrierKind;
using sim::Cycles;
using ui::Point;

constexpr float quiet = 0.4f;           // opacity of arrows far from the playhead
constexpr double near_playhead = 0.12;  // of the window, on either side
constexpr float reach = 4;              // CSS pixels around an arrow

const sim::TraceBarrier& barrier_of(const RoleTrace& roles, const RolePhase& phase) {
  return roles.trace().barriers[static_cast<std::size_t>(phase.barrier)];
}

/// The stage whose full barrier this is, and what its phase brings; null: none.
std::pair<const RingStage*, const StageFilling*> filling_of(const RoleTrace& roles, const RolePhase& phase) {
  for (const RingStage& stage : roles.stages()) {
    if (stage.full != phase.barrier && stage.empty != phase.barrier) continue;
    const auto filling = std::partition_point(stage.fillings.begin(), stage.fillings.end(),
                                              [&](const StageFilling& one) { return one.phase < phase.number; });
    if (filling != stage.fillings.end() && filling->phase == phase.number) return {&stage, &*filling};
  }
  return {nullptr, nullptr};
}

/// Adds an arrow from a role that wrote a tile to the reduction that reads it.
void add_written(const RolesLanes& lanes, const RolePhase& phase, std::vector<RoleArrow>& arrows) {
  const RoleAwaits& wait = phase.waits.front();
  const RoleRow *from = lanes.row(phase.arrivals.back().role), *to = lanes.row(wait.role);
  if (from == nullptr || to == nullptr || from == to || !lanes.shows(phase.end(), wait.end)) return;
  const bool up = to->upper.y < from->upper.y;
  arrows.push_back({&phase,
                    BarrierKind::full,
                    phase.end(),
                    wait.end,
                    {{lanes.x(phase.end()), up ? from->lower.y : from->lower.bottom()},
                     {lanes.x(wait.end), up ? to->between.bottom() : to->upper.y}}});
}

/// Adds an arrow from the end of a copy's latency to the first product that reads it.
void add_full(const RolesLanes& lanes, const RolePhase& phase, std::vector<RoleArrow>& arrows) {
  const auto [stage, filling] = filling_of(lanes.roles, phase);
  if (stage != nullptr && stage->tensor == sim::Tensor::dQ_acc) return add_written(lanes, phase, arrows);
  if (filling == nullptr || !lanes.shows(filling->full, filling->read)) return;
  const RoleRow* const to = lanes.row(filling->reader);
  if (to == nullptr || to == &lanes.copies) return;
  const float y = std::round(lanes.copies.lower.center().y), x = std::round(lanes.x(filling->read));
  arrows.push_back({&phase,
                    BarrierKind::full,
                    filling->full,
                    filling->read,
                    {{lanes.x(filling->full), y}, {x, y}, {x, to->upper.y - lanes.view.px(1)}}});
}

/// Draws from the last release to the role that continues: the producer, or a consumer that writes its next dQ.
void add_empty(const RolesLanes& lanes, const RolePhase& phase, std::vector<RoleArrow>& arrows) {
  const RoleAwaits& wait = phase.waits.front();
  const RoleRow *const from = lanes.row(phase.arrivals.back().role), *const to = lanes.row(wait.role);
  if (from == nullptr || wait.begin >= phase.end() || !lanes.shows(phase.end(), wait.end)) return;
  const bool down = to != nullptr && to->upper.y > from->upper.y;
  const float end = down ? to->lower.y : lanes.copies.upper.y;
  arrows.push_back({&phase,
                    BarrierKind::empty,
                    phase.end(),
                    wait.end,
                    {{lanes.x(phase.end()), from->lower.y}, {lanes.x(wait.end), end}}});
}

/// Draws from where the arrival takes effect to the row of the role whose turn it is.
void add_turn(const RolesLanes& lanes, const RolePhase& phase, std::vector<RoleArrow>& arrows) {
  const RoleArrival& arrival = phase.arrivals.back();
  const RoleAwaits& wait = phase.waits.back();
  const RoleRow *from = lanes.row(arrival.role), *to = lanes.row(wait.role);
  const bool shown = from != nullptr && to != nullptr && from != to && lanes.shows(arrival.issued, wait.end);
  if (!shown) return;
  const float x = std::round(lanes.x(arrival.effect)), y = std::round(from->between.center().y);
  const float end = to->upper.y > y ? to->upper.y : to->lower.bottom();
  arrows.push_back({&phase, BarrierKind::turn, arrival.effect, wait.end, {{x, y}, {x, end}}});
}

/// Draws an arrival: issued at a ring, dots until it takes effect.
void draw_arrival(const RolesLanes& lanes, const RoleArrow& arrow, ui::Color color) {
  const RoleArrival& arrival = arrow.phase->arrivals.back();
  const float y = arrow.line.front().y, from = lanes.x(arrival.issued), to = arrow.line.front().x;
  ui::Canvas& canvas = lanes.view.canvas();
  const float radius = lanes.view.px(3), dot = std::max(1.f, lanes.view.px(2)), step = lanes.view.px(4);
  if (arrival.issued >= lanes.window.from) canvas.ring({from, y}, radius, color, lanes.view.px(1.5f));
  for (float x = std::max(from + radius + step / 2, lanes.window.place.x); x < to; x += step)
    canvas.fill({std::round(x), std::round(y - dot / 2), dot, dot}, color);
}

float strength_of(const RolesLanes& lanes, const RoleArrow& arrow) {
  const double reached = near_playhead * static_cast<double>((lanes.window.to - lanes.window.from).count());
  const auto away = static_cast<double>(std::max((arrow.from - lanes.now()).count(), (lanes.now() - arrow.to).count()));
  return away <= reached ? 1 : quiet;
}

ui::Color arrow_color(const RolesLanes& lanes, const RoleArrow& arrow) {
  const ui::Theme& theme = lanes.view.theme();
  if (arrow.kind == BarrierKind::turn) return theme.strong;
  const auto [stage, filling] = filling_of(lanes.roles, *arrow.phase);
  return stage == nullptr ? theme.strong : theme.tensor(letter_of(stage->tensor));
}

float distance(Point p, Point a, Point b) {
  const float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const float t = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.f, 1.f) : 0;
  const float across = p.x - a.x - t * dx, down = p.y - a.y - t * dy;
  return std::sqrt(across * across + down * down);
}

}  // namespace

std::vector<RoleArrow> arrows_in(const RolesLanes& lanes) {
  std::vector<RoleArrow> arrows;
  if (lanes.dense()) return arrows;
  for (const auto& phases : lanes.roles.phases()) {
    for (const RolePhase& phase : phases) {
      if (!phase.over || phase.waits.empty()) continue;
      const BarrierKind kind = barrier_of(lanes.roles, phase).kind;
      if (kind == BarrierKind::full) add_full(lanes, phase, arrows);
      if (kind == BarrierKind::empty) add_empty(lanes, phase, arrows);
      if (kind == BarrierKind::turn) add_turn(lanes, phase, arrows);
    }
  }
  return arrows;
}

void draw_role_arrows(const RolesLanes& lanes, const std::vector<RoleArrow>& arrows, const RoleArrow* hovered) {
  constexpr std::array<float, 2> dashes = {4, 3};
  ui::Canvas& canvas = lanes.view.canvas();
  for (const RoleArrow& arrow : arrows) {
    const float strength = &arrow == hovered ? 1 : strength_of(lanes, arrow);
    const ui::Color color = ui::with_alpha(arrow_color(lanes, arrow), strength);
    const float width = lanes.view.px(&arrow == hovered ? 2.5f : 1.5f);
    if (arrow.kind == BarrierKind::empty) canvas.disc(arrow.line.front(), lanes.view.px(2.5f), color);
    if (arrow.kind == BarrierKind::turn) draw_arrival(lanes, arrow, color);
    ui::arrow(canvas, arrow.line, color, width, arrow.kind == BarrierKind::empty ? ui::Dashes(dashes) : ui::Dashes{});
    const sim::TraceBarrier& barrier = barrier_of(lanes.roles, *arrow.phase);
    const Point middle{(arrow.line.back().x + arrow.line[arrow.line.size() - 2].x) / 2,
                       (arrow.line.back().y + arrow.line[arrow.line.size() - 2].y) / 2};
    ui::mark_place(lanes.view.ui,
                   lanes.view.id(sim::text("arrow/", name_of(arrow.kind), "/", barrier.name, "/", arrow.phase->number)),
                   {middle.x - 1, middle.y - 1, 2, 2});
  }
}

const RoleArrow* arrow_under(const RolesLanes& lanes, const std::vector<RoleArrow>& arrows, Point pointer) {
  const RoleArrow* nearest = nullptr;
  float least = lanes.view.px(reach);
  for (const RoleArrow& arrow : arrows) {
    for (std::size_t n = 0; n + 1 < arrow.line.size(); ++n) {
      const float away = distance(pointer, arrow.line[n], arrow.line[n + 1]);
      if (away >= least) continue;
      least = away;
      nearest = &arrow;
    }
  }
  return nearest;
}

std::vector<std::string> about_arrow(const View& view, const RoleTrace& roles, const RoleArrow& arrow) {
  const RolePhase& phase = *arrow.phase;
  const RoleArrival& arrival = phase.arrivals.back();
  const Language language = view.state.look.language;
  const std::string from = role_name(language, roles.lanes()[arrival.role].name);
  const sim::TraceBarrier& barrier = barrier_of(roles, phase);
  std::vector<std::string> lines;
  if (arrow.kind == BarrierKind::full)
    lines.push_back(view.say("Full barrier {}, phase {}", barrier.name, phase.number));
  if (arrow.kind == BarrierKind::empty)
    lines.push_back(view.say("Empty barrier {}, phase {}", barrier.name, phase.number));
  if (is_meeting(barrier))
    lines.push_back(view.say("Barrier of {}, phase {}", barrier.name, phase.number));
  else if (arrow.kind == BarrierKind::turn)
    lines.push_back(view.say("Turn of {}, phase {}", barrier.name, phase.number));
  if (arrow.kind == BarrierKind::full)
    lines.push_back(view.say("A copy of {} arrives at {}", from, in_cycles(arrival.effect)));
  else if (arrival.effect > arrival.issued)
    lines.push_back(view.say("{} arrives at {}; it counts when its products end, at {}", from,
                             in_cycles(arrival.issued), in_cycles(arrival.effect)));
  else
    lines.push_back(view.say("{} arrives at {}", from, in_cycles(arrival.issued)));
  for (const RoleAwaits& wait : phase.waits)
    lines.push_back(view.say("{} waited {} cycles for it, until {}", role_name(language, roles.lanes()[wait.role].name),
                             in_cycles(wait.end - wait.begin), in_cycles(wait.end)));
  return lines;
}

}  // namespace explorer
