// The lower card of the view "roles": transport, and the positions of the rows.
#include "viz/panels/roles/lanes.h"

#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/draw/steady.h"
#include "viz/panels/parts.h"
#include "viz/panels/roles/roles.h"

namespace explorer {
namespace {

using sim::Cycles;
using ui::Rect;
using ui::Style;

constexpr double playhead_at = 0.42;
constexpr float least_tile = 48, tile_width = 370, gutter_width = 140, narrow_gutter = 104, side_width = 316,
                side_from = 1000, lanes_alone = 636;  // CSS pixels
constexpr float ticks_high = 22, overview_high = 18;
constexpr float least_table = 270, one_share = 40;  // at the side: the table of cycles, and the share of one schedule

/// Heights of the rows at full size, in CSS pixels.
struct Heights {
  static constexpr float waits = 6, copies = 19, latency = 13, between = 7, products = 20, warps = 18, pipe = 23,
                         stage = 12, pipe_gap = 7, group_gap = 7, schedule = 33;
};

std::size_t computing_roles(const RoleTrace& roles) {
  return static_cast<std::size_t>(
      std::count_if(roles.lanes().begin(), roles.lanes().end(), [](const RoleLane& lane) { return lane.computes; }));
}

/// True for a role with a row of its own for what it copies, below that of the producer.
bool only_writes(const RoleTrace& roles, std::size_t role, std::size_t copying) {
  const RoleLane& lane = roles.lanes()[role];
  return role != copying && !lane.computes && !lane.copies.empty();
}

float lanes_height(const RoleTrace& roles, std::size_t copying) {
  const auto consumers = static_cast<float>(computing_roles(roles));
  float copies = 1;
  for (std::size_t r = 0; r < roles.lanes().size(); ++r) copies += only_writes(roles, r, copying) ? 1.f : 0.f;
  return copies * (Heights::waits + Heights::copies + Heights::latency + Heights::group_gap) +
         consumers * (Heights::products + Heights::between + Heights::warps + Heights::group_gap) +
         2 * (Heights::pipe + Heights::pipe_gap);
}

}  // namespace

std::vector<const RingStage*> ring_stages(const RoleTrace& roles) {
  std::vector<const RingStage*> stages;
  for (const RingStage& stage : roles.stages()) {
    const bool of_keys = stage.tensor == sim::Tensor::K || stage.tensor == sim::Tensor::V;
    if (roles.is_backward() ? !of_keys : stage.tensor != sim::Tensor::Q) stages.push_back(&stage);
  }
  return stages;
}

bool RolesLanes::dense() const {
  const auto tiles = static_cast<float>(std::max<std::size_t>(1, roles.blocks().size()));
  return x(roles.end()) - x(Cycles{}) < view.px(least_tile) * tiles;
}

const RoleRow* RolesLanes::row(std::size_t role) const {
  for (const auto* rows : {&computing, &writing}) {
    for (const RoleRow& one : *rows) {
      if (one.role == role) return &one;
    }
  }
  return copies.role == role ? &copies : nullptr;
}

std::string in_cycles(Cycles time) {
  return report::thousands(std::llround(static_cast<double>(time.count()) / static_cast<double>(sim::ticks_per_cycle)));
}

namespace {

/// The role that copies: one that only copies, or else the one that has most of them.
std::size_t copying_role(const RoleTrace& roles) {
  std::size_t best = 0;
  for (std::size_t r = 0; r < roles.lanes().size(); ++r) {
    if (!roles.lanes()[r].computes && !roles.lanes()[r].copies.empty()) return r;
    if (roles.lanes()[r].copies.size() > roles.lanes()[best].copies.size()) best = r;
  }
  return best;
}

/// The window of the lanes: about the cycles that a few tiles take, with the playhead at 42 % of it.
TimeWindow window_of(const View& view, const RoleTrace& roles, Rect place) {
  const auto end = static_cast<double>(std::max<std::int64_t>(1, roles.end().count()));
  const auto tiles = static_cast<double>(std::max<std::size_t>(1, roles.blocks().size()));
  const double shown =
      static_cast<double>(place.width / view.px(tile_width)) * draw::steady::power(2, -0.25 * view.state.look.zoom);
  const double least = std::min(end, 64.0 * sim::ticks_per_cycle);
  const auto span = static_cast<std::int64_t>(std::clamp(end / tiles * shown, least, end));
  const std::int64_t from = std::clamp<std::int64_t>(
      view.subject().time.count() - static_cast<std::int64_t>(playhead_at * static_cast<double>(span)), 0,
      std::max<std::int64_t>(0, roles.end().count() - span));
  return {Cycles(from), Cycles(from + span), place};
}

/// Places the rows: rings and schedules are left out if a low card has no space for them.
RolesLanes placed(View& view, Rect gutter, Rect place, const RoleRuns& runs) {
  const RoleTrace& roles = runs.shown().roles;
  RolesLanes lanes{view, roles, window_of(view, roles, place), gutter, {}, {}, {}, {}, {}, {}, {}};
  const auto stages = static_cast<float>(ring_stages(roles).size());
  const std::size_t copying = copying_role(roles);
  const float of_lanes = lanes_height(roles, copying), of_rings = stages * Heights::stage + Heights::group_gap,
              of_schedules = static_cast<float>(runs.runs().size()) * Heights::schedule + Heights::group_gap;
  const float room = place.height / view.canvas().fonts().scale;
  const bool rings = room >= 0.75f * (of_lanes + of_rings);
  const bool schedules = rings && runs.runs().size() > 1 && room >= 0.75f * (of_lanes + of_rings + of_schedules);
  const float wanted = of_lanes + (rings ? of_rings : 0) + (schedules ? of_schedules : 0);
  const float scale = std::clamp(room / wanted, 0.4f, 1.2f);
  ui::Space rows(place);
  const auto next = [&](float height, float gap = 0) {
    return rows.top(std::round(view.px(height) * scale), std::round(view.px(gap) * scale));
  };
  const auto row_of_copies = [&](std::size_t role) {
    const Rect waits = next(Heights::waits), copies = next(Heights::copies);
    return RoleRow{role, waits, copies, next(Heights::latency, Heights::group_gap)};
  };
  lanes.copies = row_of_copies(copying);
  for (std::size_t r = 0; r < roles.lanes().size(); ++r) {
    if (only_writes(roles, r, copying)) lanes.writing.push_back(row_of_copies(r));
    if (!roles.lanes()[r].computes) continue;
    lanes.computing.push_back(
        {r, next(Heights::products), next(Heights::between), next(Heights::warps, Heights::group_gap)});
  }
  lanes.tensor = next(Heights::pipe, Heights::pipe_gap);
  lanes.exp = next(Heights::pipe, Heights::pipe_gap);
  for (float n = 0; rings && n < stages; ++n) {
    lanes.stages.push_back(next(Heights::stage));
    lanes.stages.back().height -= 1;
  }
  next(Heights::group_gap);
  for (std::size_t n = 0; schedules && n < runs.runs().size(); ++n) {
    lanes.schedules.push_back(next(Heights::schedule));
    lanes.schedules.back().height -= view.px(4);
  }
  return lanes;
}

/// "Consumer 1 waits 132 more cycles ...; consumer 2 ...": what the roles that compute do, at full length and shorter.
TransportWords words_of(const View& view, const RoleTrace& roles) {
  std::string full, shorter, first;
  for (std::size_t r = 0; r < roles.lanes().size(); ++r) {
    if (!roles.lanes()[r].computes) continue;
    const RoleWords words = role_words(view.state.look.language, roles, r, view.subject().time);
    std::string clause = sim::text(role_name(view.state.look.language, roles.lanes()[r].name), " ", words.does);
    shorter = shorter.empty() ? clause : view.say("{}; {}", shorter, clause);
    if (first.empty()) first = clause;
    if (!words.why.empty()) clause += " " + words.why;
    full = full.empty() ? clause : view.say("{}; {}", full, clause);
  }
  for (std::string* text : {&full, &shorter, &first}) {
    if (!text->empty() && (*text)[0] >= 'a' && (*text)[0] <= 'z')
      (*text)[0] = static_cast<char>((*text)[0] - 'a' + 'A');
  }
  const std::string time = view.world.previewing()
                               ? std::string(view.say("replaying …"))
                               : view.say("{} / {} cycles", in_cycles(view.subject().time), in_cycles(roles.end()));
  const std::string tile = view.say("{} of {} tiles", roles.tile_at(view.subject().time), roles.blocks().size());
  return {{full, shorter, first, tile}, time, false};
}

void draw_rows(View& view, Rect gutter, Rect place, Rect side, const RoleRuns& runs) {
  const auto [ticks, above, rest, below, strip] =
      ui::rows(place, 0, {view.px(ticks_high), view.px(2), ui::rest(), view.px(6), view.px(overview_high)});
  const RolesLanes lanes = placed(view, gutter, rest, runs);
  draw_cycle_ticks(lanes, ticks);
  view.canvas().push_clip(rest);
  draw_role_spans(lanes);
  draw_shared_pipes(lanes);
  view.canvas().pop_clip();
  draw_rings(lanes);
  draw_schedules(lanes, runs);
  const std::vector<RoleArrow> arrows = arrows_in(lanes);
  const float bottom = lanes.schedules.empty() ? rest.bottom() : lanes.schedules.front().y - view.px(4);
  const RoleArrow* const hovered = use_role_lanes(lanes, {rest.x, ticks.y, rest.width, bottom - ticks.y}, arrows);
  view.canvas().push_clip({rest.x, ticks.bottom() - view.px(6), rest.width, rest.height + view.px(6)});
  draw_role_arrows(lanes, arrows, hovered);
  view.canvas().pop_clip();
  draw_lane_names(lanes);
  TimeWindow flags = lanes.window;
  flags.place = {rest.x, rest.y - view.px(6), rest.width, rest.height + view.px(6)};
  draw_bookmarks(view, flags);
  draw_cycle_head(lanes, ticks);
  draw_overview(view, {gutter.x, strip.y, gutter.width, strip.height}, strip, lanes.window);
  if (side.width <= 0) return;
  std::vector<Rect> shares = lanes.schedules;
  for (Rect& row : shares) row = {side.x, row.y, side.width, row.height};
  if (runs.runs().size() == 1 && side.height > view.px(least_table + one_share))
    shares.push_back({side.x, side.bottom() - view.px(one_share), side.width, view.px(one_share / 2)});
  draw_schedule_shares(view, shares, runs, false);
  if (!shares.empty()) side.height = shares.front().y - view.px(20) - side.y;
  draw_role_cycles(view, side, runs.shown().roles);
}

}  // namespace

RoleRuns& role_runs_of(const View& view) {
  const Subject& subject = view.subject();
  return view.world.tasks.get<RoleRuns>(view.index, subject.run, subject.replay);
}

float roles_lanes_height(const View& view, float width) {
  return view.px(lanes_alone) + role_sums_height(view, width - view.px(32));
}

void draw_roles_lanes(View& view, Rect card, const RoleRuns& runs) {
  ui::mark_place(view.ui, "roles", card);
  ui::panel(view.canvas(), card);
  ui::Space rest(card.inset(view.px(16), view.px(10)));
  const RoleTrace& roles = runs.shown().roles;
  if (!view.bare) {
    const TransportWords words = words_of(view, roles);
    draw_transport(view, rest.top(transport_height(view, rest.width(), words), view.px(6)), words);
  }
  if (draw_no_time(view, rest.rest())) return;
  Rect side;
  if (rest.width() >= view.px(side_from)) {
    side = rest.right(view.px(side_width), view.px(36));
    view.canvas().fill({side.x - view.px(20), side.y, 1, side.height}, view.theme().border);
  } else {
    const Rect sums = rest.bottom(role_sums_height(view, rest.width()), view.px(16));
    draw_role_sums(view, sums, runs);
    view.canvas().fill({sums.x, sums.y - view.px(12), sums.width, 1}, view.theme().border);
  }
  const Rect gutter = rest.left(view.px((rest.width() < view.px(700) ? narrow_gutter : gutter_width) - 8), view.px(8));
  draw_rows(view, gutter, rest.rest(), side, runs);
}

}  // namespace explorer
