// On-chip memory of a CTA with roles: tiles in the ring, each with the barrier that is waited for next, and registers.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/machine/blocks.h"
#include "sim/report/numbers.h"
#include "viz/model/event_label.h"
#include "viz/panels/memory/levels.h"
#include "viz/panels/roles/roles.h"
#include "viz/panels/scenario/number.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float slot_height = 46, text_line = 16, between = 4, inside = 10;  // CSS pixels

/// Rows of a stage: its box, two lines on its state, two on its barrier.
std::array<Rect, 7> rows_of_stage(const View& view, Rect column) {
  const float line = view.px(text_line);
  return ui::rows(column, 0, {view.px(slot_height), view.px(3), line, line, view.px(5), line, line});
}

TileBox box_of_stage(const View& view, const RingStage& stage, const StageState& state, Rect place, bool named) {
  const char letter = letter_of(stage.tensor);
  const ui::Theme& theme = view.theme();
  TileBox box{.rect = place, .fill = theme.track, .filling = {}, .markup = "", .short_markup = "", .caption = ""};
  std::string name = stage.name;
  std::erase(name, ' ');
  box.caption = name + ", " + report::capacity(stage.bytes);
  if (named && view.canvas().text_width(Style::caption, box.caption) > place.width - view.px(4)) box.caption = name;
  if (state.filling == nullptr) return box;
  box.markup = filled_markup(stage, *state.filling);
  box.short_markup = name_on_chip(stage.tensor);
  box.active = state.is == StageState::Is::read;
  box.fill = theme.tensor(letter, box.active ? ui::Phase::active : ui::Phase::done);
  if (state.is != StageState::Is::filling) return box;
  box.fill = theme.tensor(letter, ui::Phase::future);
  box.filling = theme.tensor(letter);
  box.share = static_cast<float>(state.share);
  return box;
}

/// Badges of roles: "1, 2".
std::string badges_of(const RoleTrace& roles, const std::vector<std::uint8_t>& some) {
  std::string text;
  for (const std::uint8_t role : some) text += (text.empty() ? "" : ", ") + roles.lanes()[role].badge;
  return text;
}

/// Two lines on a stage: its state, and how far it is.
std::pair<std::string, std::string> words_on(const View& view, const RoleTrace& roles, const StageState& state) {
  switch (state.is) {
    case StageState::Is::filling:
      return {std::string(view.say("filling")), view.say("{} of it", part_text(state.share))};
    case StageState::Is::full:
      return {std::string(view.say("filled")), std::string(view.say("unread"))};
    case StageState::Is::read: {
      const std::string by = badges_of(roles, state.read_by);
      if (state.let_go > 0) return {std::string(view.say("being read")), view.say("{} let go", state.let_go)};
      return {std::string(view.say("being read")), by.empty() ? std::string() : view.say("by {}", by)};
    }
    default:
      return {std::string(view.say("free")), ""};
  }
}

/// Two lines on the barrier of a stage that is waited for next: which and its phase, and what it lacks.
std::pair<std::string, std::string> words_on_barrier(const View& view, const RoleTrace& roles, const RingStage& stage,
                                                     const StageState& state) {
  const sim::Cycles now = view.subject().time;
  const auto named = [](sim::BarrierKind kind, std::int32_t phase) {
    return sim::text(sim::name_of(kind), ", ", phase);
  };
  if (state.is == StageState::Is::full)
    return {named(sim::BarrierKind::full, state.filling->phase), std::string(view.say("complete"))};
  if (state.is == StageState::Is::read && stage.empty >= 0 && !state.filling->readers.empty()) {
    const BarrierState empty = barrier_at(roles, stage.empty, now);
    return {named(sim::BarrierKind::empty, empty.phase), view.say("{} of {}", empty.arrived, empty.needed)};
  }
  if (stage.full < 0 || state.is == StageState::Is::read) return {"", ""};
  const BarrierState full = barrier_at(roles, stage.full, now);
  const std::string lacks =
      full.bytes_due > 0 ? view.say("{} due", report::bytes(full.bytes_due)) : std::string(view.say("no copy yet"));
  return {named(sim::BarrierKind::full, full.phase), lacks};
}

/// Draws a stage with its state; `parts`: 0 of these in one line, 1 in two, 2 with its barrier too.
void draw_stage(View& view, const std::array<Rect, 7>& rows, const RoleTrace& roles, const RingStage& stage,
                int parts) {
  const ui::Theme& theme = view.theme();
  const StageState state = stage_at(roles, stage, view.subject().time);
  const Rect box = rows[0];
  draw_tile_box(view, box_of_stage(view, stage, state, box, parts == 0));
  if (state.filling == nullptr) view.canvas().stroke(box, theme.border, view.px(1), view.px(4));
  const auto [is, how] = words_on(view, roles, state);
  const auto [barrier, lacks] = words_on_barrier(view, roles, stage, state);
  view.ui.state.shown.emplace(view.id("roles/stage/" + stage.name),
                              sim::text(is, "; ", how, "; ", barrier, "; ", lacks));
  const auto centered = [&](std::size_t row, ui::Color color, std::string_view words) {
    view.canvas().text(rows[row], Style::caption, color, words, ui::Align::center);
  };
  if (parts == 0) return centered(2, theme.text, state.is == StageState::Is::read && !how.empty() ? how : is);
  centered(2, theme.text, is);
  centered(3, theme.muted, how);
  if (parts == 1) return;
  const bool due = state.is == StageState::Is::filling || state.is == StageState::Is::read;
  centered(5, due ? theme.text : theme.muted, barrier);
  centered(6, due ? theme.text : theme.muted, lacks);
}

/// Moves to the filling of the stage that follows on a click.
void use_stage(View& view, Rect place, const RingStage& stage) {
  const ui::Hit h = ui::hit(view.ui, view.id("roles/stage/" + stage.name), place);
  if (!h.clicked) return;
  const auto next = std::find_if(stage.fillings.begin(), stage.fillings.end(),
                                 [&](const StageFilling& f) { return f.begin > view.subject().time; });
  const auto& to = next != stage.fillings.end() ? next : stage.fillings.begin();
  if (to != stage.fillings.end()) view.edit(Seek{to->begin, view.index});
}

/// Draws the stages of a backward pass: half of them above the others, without their barriers.
void draw_in_two_rows(View& view, Rect place, const RoleTrace& roles) {
  const std::vector<RingStage>& ring = roles.stages();
  const std::size_t above = (ring.size() + 1) / 2;
  const std::vector<Rect> rows = ui::equal_rows(place, view.px(6), 2);
  for (std::size_t row = 0; row < 2; ++row) {
    const std::vector<Rect> places = ui::equal_columns(rows[row], view.px(between), above);
    for (std::size_t n = 0; n < above && row * above + n < ring.size(); ++n) {
      const float line = view.px(text_line), box = std::max(view.px(20), places[n].height - line - view.px(2));
      const auto [tile, words] = ui::rows(places[n], view.px(2), {box, line});
      draw_stage(view, {tile, {}, words, {}, {}, {}, {}}, roles, ring[row * above + n], 0);
      use_stage(view, tile, ring[row * above + n]);
    }
  }
}

void draw_ring(View& view, Rect card, const RoleTrace& roles) {
  const sim::Plan& plan = view.subject().simulation().plan;
  const std::int64_t stages = plan.problem.own("stages");
  const std::string held = view.say("{} of {}", report::capacity(roles.trace().peak_smem.count()),
                                    report::capacity(plan.capacity.smem.count()));
  ui::inset_panel(view.canvas(), card);
  const Rect inner = draw_level(
      view, card, view.say("Shared memory"), held,
      roles.is_backward() ? std::string(view.say("K, V loaded once")) : view.say("ring of {} stages", stages));
  if (roles.is_backward()) return draw_in_two_rows(view, inner, roles);
  const std::vector<RingStage>& ring = roles.stages();
  const std::vector<Rect> places = ui::equal_columns(inner, view.px(ring.size() > 7 ? 2 : between), ring.size());
  for (std::size_t n = 0; n < ring.size(); ++n) {
    const std::array<Rect, 7> rows = rows_of_stage(view, places[n]);
    draw_stage(view, rows, roles, ring[n], n > 0 ? 2 : 1);
    use_stage(view, rows[0], ring[n]);
    if (n > 0) continue;
    view.canvas().text(rows[5], Style::caption, view.theme().muted, view.say("mbarrier"));
    view.canvas().text(rows[6], Style::caption, view.theme().muted, view.say("and phase"));
  }
}

/// Draws a frame in dashes: registers that are allocated, with nothing in them now.
void draw_dashes(View& view, Rect place) {
  const float dash = view.px(3);
  const ui::Color color = view.theme().faint;
  for (float x = place.x; x < place.right(); x += 2 * dash) {
    const float width = std::min(dash, place.right() - x);
    view.canvas().fill({x, place.y, width, 1}, color);
    view.canvas().fill({x, place.bottom() - 1, width, 1}, color);
  }
  for (float y = place.y; y < place.bottom(); y += 2 * dash) {
    const float height = std::min(dash, place.bottom() - y);
    view.canvas().fill({place.x, y, 1, height}, color);
    view.canvas().fill({place.right() - 1, y, 1, height}, color);
  }
}

void draw_register_tile(View& view, Rect place, const RegisterTile& tile) {
  const std::string &name = tile.name, caption = sim::text(tile.registers);
  TileBox box{.rect = place,
              .fill = view.theme().inset,
              .filling = {},
              .markup = tile.turns_to_p ? "S→P" : name,
              .short_markup = name,
              .caption = caption};
  box.active = tile.holds && (tile.under_way || tile.turns_to_p);
  if (tile.holds) box.fill = view.theme().tensor(tile.letter, box.active ? ui::Phase::active : ui::Phase::done);
  draw_tile_box(view, box);
  if (!tile.holds) draw_dashes(view, place);
}

/// Draws the registers of a role in `place`, whose width is that of its registers, and the words below them.
void draw_registers_of(View& view, Rect place, const RoleTrace& roles, std::size_t role, Rect words) {
  const RoleLane& lane = roles.lanes()[role];
  const float each = place.width / static_cast<float>(lane.registers);
  view.canvas().fill(place, lane.computes ? view.theme().track : view.theme().tile_done, view.px(3));
  std::int64_t used = 0;
  ui::Space rest(place);
  for (const RegisterTile& tile : registers_at(roles, role, view.subject().time)) {
    used += tile.registers;
    if (tile.registers == 0) continue;
    const Rect box = rest.left(std::floor(each * static_cast<float>(tile.registers)));
    draw_register_tile(view, {box.x, box.y, box.width - 1, box.height}, tile);
  }
  const std::string count = used > 0 ? view.say("{} of {}", used, lane.registers) : sim::text(lane.registers);
  view.ui.state.shown.emplace(view.id(sim::text("roles/registers/", role)), count);
  const auto [first, second] = ui::rows(words, 0, {view.px(text_line), view.px(text_line)});
  view.canvas().text(first, Style::table, view.theme().text, count, ui::Align::center);
  const std::string name = role_name(view.state.look.language, lane.name);
  const std::string_view fitting = ui::first_that_fits(view.canvas(), Style::caption, words.width, {name, lane.badge});
  view.canvas().text(second, Style::caption, view.theme().muted, fitting,
                     lane.computes ? ui::Align::center : ui::Align::left);
}

/// Space for the text on a producer next to its few registers: up to the centred name of the role after it.
float free_beside(const View& view, const RoleTrace& roles, std::size_t role, float each) {
  if (roles.lanes()[role].computes || role + 1 == roles.lanes().size()) return 0;
  const RoleLane& next = roles.lanes()[role + 1];
  const float width = each * static_cast<float>(next.registers * next.threads);
  const float named = view.canvas().text_width(Style::caption, role_name(view.state.look.language, next.name));
  return std::max(0.f, (width - named) / 2 - view.px(6));
}

/// Sentence on a second CTA, from the registers.
std::string fit_words(const View& view) {
  const std::int64_t fits = view.subject().kernel().ctas_per_sm;
  return fits == 1 ? std::string(view.say("a second CTA does not fit")) : view.say("{} CTAs fit", fits);
}

void draw_all_registers(View& view, Rect card, const RoleTrace& roles) {
  const std::int64_t all = view.subject().scenario().gpu->register_bytes_per_sm / 4;
  std::int64_t used = 0;
  for (const RoleLane& lane : roles.lanes()) used += lane.registers * lane.threads;
  const std::string held = view.say("{} of {}", report::thousands(used), report::thousands(all));
  view.ui.state.shown.emplace(view.id("roles/registers"), held);
  ui::inset_panel(view.canvas(), card);
  const Rect inner = draw_level(view, card, view.say("Registers"), held, fit_words(view));
  const auto [row, below] = ui::rows(inner, view.px(3), {view.px(38), ui::rest()});
  view.canvas().fill(row, view.theme().inset, view.px(3));
  ui::Space space(row);
  const float each = row.width / static_cast<float>(std::max(all, used));
  for (std::size_t role = 0; role < roles.lanes().size(); ++role) {
    const std::int64_t registers = roles.lanes()[role].registers * roles.lanes()[role].threads;
    const Rect place = space.left(std::floor(each * static_cast<float>(registers)));
    const Rect words{place.x, below.y, place.width + free_beside(view, roles, role, each), below.height};
    draw_registers_of(view, {place.x, place.y, place.width - view.px(2), place.height}, roles, role, words);
  }
}

}  // namespace

std::string filled_markup(const RingStage& stage, const StageFilling& filling) {
  const std::string name = name_on_chip(stage.tensor);
  return filling.block < 0 ? name : sim::text(name, "_{", filling.block, "}");
}

void draw_roles_chip(View& view, Rect card, const RoleTrace& roles) {
  std::int64_t threads = 0;  // a warp that writes dQ belongs to the producer's warpgroup
  for (const RoleLane& lane : roles.lanes()) threads += lane.threads;
  const Rect inner = draw_card(view, card, view.say("One CTA, {} warpgroups", threads / sim::warpgroup_threads),
                               view.say("{} on each SM", view.subject().kernel().ctas_per_sm));
  const auto [ring, registers] =
      ui::rows(inner.inset(-view.px(5), 0), view.px(inside), {ui::share(0.585f), ui::share(0.415f)});
  draw_ring(view, ring, roles);
  draw_all_registers(view, registers, roles);
}

}  // namespace explorer
