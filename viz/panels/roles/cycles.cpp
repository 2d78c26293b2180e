// The cycles of each role by cause, and the legend of the lanes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/model/roles/role_state.h"
#include "viz/panels/hatch.h"
#include "viz/panels/roles/lanes.h"
#include "viz/panels/roles/roles.h"

namespace explorer {
namespace {

using sim::Cause;
using sim::Cycles;
using ui::Point;
using ui::Rect;
using ui::Style;

constexpr float line_height = 19, number_width = 76, narrow_number = 58, swatch_side = 11,
                sample_width = 44;  // CSS pixels
constexpr float two_from = 640, cycles_height = 266, shares_height = 190, share_height = 37,
                sums_gap = 12;  // below lanes

/// A row of the table.
struct CyclesRow {
  std::string_view name, words;
  Cycles RoleCycles::*part;
  std::optional<Cause> cause;  ///< cause of a wait; none: work
  bool dots = false;
};

constexpr CyclesRow cycles_rows[] = {
    {"work", /*say*/ "softmax", &RoleCycles::work, {}},
    {"meet", /*say*/ "warps meet", &RoleCycles::meet, Cause::barrier},
    {"products", /*say*/ "products not done", &RoleCycles::products, Cause::tensor, true},
    {"turn", /*say*/ "not its turn", &RoleCycles::turn, Cause::turn},
    {"stage", /*say*/ "stage not full", &RoleCycles::stage, Cause::stage},
    {"rest", /*say*/ "stores, and others go on", &RoleCycles::rest, Cause::tail}};

std::string percent_text(const RoleTrace& roles, Cycles part) {
  const auto all = static_cast<double>(std::max<std::int64_t>(1, roles.end().count()));
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part.count()) / all);
}

/// Draws the swatch of a row at its left end. Returns the rest.
ui::Space draw_row_swatch(View& view, Rect row, const CyclesRow& of) {
  ui::Space rest(row);
  const float side = view.px(swatch_side);
  const Rect box = ui::middle(rest.left(side, view.px(9)), side);
  if (of.cause)
    draw_wait(view.canvas(), box, of.dots ? Hatch::dots : hatch_of(*of.cause), true);
  else
    view.canvas().fill(box, view.theme().tensor('P'), view.px(2));
  return rest;
}

void draw_table(View& view, ui::Space& rest, const RoleTrace& roles) {
  std::vector<std::size_t> computing;
  std::vector<RoleCycles> cycles;
  for (std::size_t r = 0; r < roles.lanes().size(); ++r) {
    if (!roles.lanes()[r].computes) continue;
    computing.push_back(r);
    cycles.push_back(cycles_of(roles, r));
  }
  ui::Space heads(rest.top(view.px(16)));
  const bool many = computing.size() > 2;
  const float wide = view.px(many ? narrow_number : number_width);
  for (std::size_t n = computing.size(); n-- > 0;) {
    const RoleLane& lane = roles.lanes()[computing[n]];
    view.canvas().text(heads.right(wide), Style::caption, view.theme().muted,
                       many ? lane.badge : role_name(view.state.look.language, lane.name), ui::Align::right);
  }
  for (const CyclesRow& of : cycles_rows) {
    const bool any = std::any_of(cycles.begin(), cycles.end(), [&](const auto& c) { return c.*of.part > Cycles{}; });
    const bool shown = any || (of.name != "rest" && (of.name != "turn" || !roles.is_backward()));
    if (!shown) continue;
    ui::Space row = draw_row_swatch(view, rest.top(view.px(line_height)), of);
    for (std::size_t n = computing.size(); n-- > 0;) {
      const std::string text = percent_text(roles, cycles[n].*of.part);
      view.ui.state.shown.emplace(view.id(sim::text("roles/cycles/", of.name, "/", n + 1)), text);
      view.canvas().text(row.right(wide), Style::table, view.theme().text, text, ui::Align::right);
    }
    const bool gradient = of.name == "work" && roles.is_backward();
    view.canvas().text(row.rest(), Style::caption, view.theme().text,
                       gradient ? view.say("softmax, and its gradient") : view.say(of.words));
  }
}

/// Cycles that a role that only copies waits: for a stage to be released, or for dQ to be written.
void draw_producer(View& view, ui::Space& rest, const RoleTrace& roles) {
  bool first = true;
  for (std::size_t r = 0; r < roles.lanes().size(); ++r) {
    const RoleLane& lane = roles.lanes()[r];
    if (lane.computes) continue;
    const Rect line = first ? rest.top(view.px(9)) : Rect{};
    if (first) view.canvas().fill({line.x, line.y + view.px(4), line.width, 1}, view.theme().border);
    first = false;
    const bool writes = lane.badge == "W";
    ui::Space row = draw_row_swatch(view, rest.top(view.px(line_height)), {"", "", nullptr, Cause::stage});
    const std::string text = percent_text(roles, cycles_of(roles, r).stage);
    view.ui.state.shown.emplace(view.id(writes ? "roles/cycles/full" : "roles/cycles/empty"), text);
    view.canvas().text(row.right(view.px(number_width)), Style::table, view.theme().text, text, ui::Align::right);
    const std::string name = role_name(view.state.look.language, lane.name);
    view.canvas().text(
        row.rest(), Style::caption, view.theme().text,
        writes ? view.say("{} waits for a part of dQ", name) : view.say("{} waits for an empty stage", name));
  }
}

/// Draws a small arrow to the right, instead of a number.
void draw_arrow_sample(View& view, Rect place, ui::Color color, bool dashed) {
  constexpr std::array<float, 2> dashes = {4, 3};
  const float y = std::round(place.center().y);
  const std::array<Point, 2> line = {{{place.x, y}, {place.right(), y}}};
  ui::arrow(view.canvas(), line, color, view.px(1.5f), dashed ? ui::Dashes(dashes) : ui::Dashes{});
}

void draw_turn_sample(View& view, Rect place) {
  const ui::Color color = view.theme().strong;
  const float y = std::round(place.center().y), x = place.right() - view.px(4), u = view.px(4);
  view.canvas().ring({place.x + u, y}, view.px(3), color, view.px(1.5f));
  for (float dot = place.x + 2.5f * u; dot < x - u / 2; dot += u)
    view.canvas().fill({std::round(dot), y - 1, std::max(1.f, view.px(2)), std::max(1.f, view.px(2))}, color);
  ui::arrow(view.canvas(), std::array{Point{x, y}, Point{x, y + view.px(9)}}, color, view.px(1.5f));
}

void draw_arrow_legend(View& view, ui::Space& rest, const RoleTrace& roles) {
  const auto has = [&](sim::BarrierKind kind) {
    for (const auto& phases : roles.phases()) {
      const bool passed = std::any_of(phases.begin(), phases.end(), [](const RolePhase& phase) {
        return phase.over && !phase.waits.empty() && phase.waits.back().role != phase.arrivals.back().role;
      });
      if (!passed) continue;
      const auto& barrier = roles.trace().barriers[static_cast<std::size_t>(phases.front().barrier)];
      if (barrier.kind == kind) return true;
    }
    return false;
  };
  const auto row = [&](std::string_view words) {
    const auto [text, sample] = ui::columns(rest.top(view.px(line_height)), 0, {ui::rest(), view.px(sample_width)});
    view.canvas().text(text, Style::caption, view.theme().text, words);
    return sample;
  };
  rest.top(view.px(2));
  if (has(sim::BarrierKind::turn)) draw_turn_sample(view, row(view.say("arrive is issued, takes effect, ends a wait")));
  if (has(sim::BarrierKind::full))
    draw_arrow_sample(view,
                      row(roles.is_backward() ? view.say("full: a copy, or a part of dQ, is there")
                                              : view.say("full: a copy has arrived")),
                      view.theme().tensor('K'), false);
  if (has(sim::BarrierKind::empty))
    draw_arrow_sample(view, row(view.say("empty: all readers let go")), view.theme().tensor('V'), true);
}

void draw_ring_legend(View& view, Rect line) {
  ui::Space row(line);
  const ui::Color color = view.theme().tensor('K'), inset = view.theme().inset;
  const std::string_view words[] = {view.say("filling"), view.say("filled"), view.say("being read"), view.say("free")};
  for (int n = 0; n < 4; ++n) {
    const std::string_view text = words[n];
    const float wide = view.canvas().text_width(Style::caption, text) + view.px(38);
    if (wide > row.width() + view.px(12)) return;
    const auto [sample, name] = ui::columns(row.left(wide), view.px(6), {view.px(20), ui::rest()});
    const Rect box = ui::middle(sample, view.px(8));
    const std::array<Point, 3> slope = {{{box.x, box.bottom()}, {box.right(), box.y}, {box.right(), box.bottom()}}};
    if (n == 0) view.canvas().convex(slope, ui::mix(color, inset, 0.28f));
    if (n == 1) view.canvas().fill(box, ui::mix(color, inset, 0.58f));
    if (n == 2) view.canvas().fill(box, color);
    if (n == 3) view.canvas().stroke(box, view.theme().border, 1);
    view.canvas().text(name, Style::caption, view.theme().muted, text);
  }
}

}  // namespace

void draw_role_cycles(View& view, Rect place, const RoleTrace& roles) {
  ui::Space rest(place), title(rest.top(view.px(24)));
  ui::right_text(view.canvas(), title, Style::caption, view.theme().muted, view.say("whole CTA"), 0);
  view.canvas().text(title.rest(), Style::title, view.theme().text, view.say("Where the cycles go"));
  view.canvas().push_clip(place);
  draw_table(view, rest, roles);
  draw_producer(view, rest, roles);
  if (rest.height() >= view.px(3 * line_height)) draw_arrow_legend(view, rest, roles);
  if (rest.height() >= view.px(line_height)) draw_ring_legend(view, rest.top(view.px(line_height)));
  view.canvas().pop_clip();
}

float role_sums_height(const View& view, float width) {
  return view.px(width >= view.px(two_from) ? cycles_height : cycles_height + sums_gap + shares_height);
}

void draw_role_sums(View& view, Rect place, const RoleRuns& runs) {
  const bool two = place.width >= view.px(two_from);
  const auto [cycles, shares] = two ? ui::columns(place, view.px(2 * sums_gap), {ui::share(1), ui::share(1)})
                                    : ui::rows(place, view.px(sums_gap), {view.px(cycles_height), ui::rest()});
  draw_role_cycles(view, cycles, runs.shown().roles);
  const auto [heading, below] = ui::rows(shares, 0, {view.px(18), ui::rest()});  // the rows draw their heading
  if (runs.runs().size() > 1)
    draw_schedule_shares(view, ui::equal_rows(below, 0, runs.runs().size(), view.px(share_height)), runs, true);
}

}  // namespace explorer
