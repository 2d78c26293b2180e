// The memory panel: HBM, L2, shared memory and registers from top to bottom, with what one CTA holds in each and what
// moves between them at the playhead.
#include <algorithm>

#include "sim/model/busy_sms.h"
#include "sim/report/numbers.h"
#include "viz/panels/memory/levels.h"
#include "viz/panels/panels.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

// CSS pixels.
constexpr float head = 22, padding = 10, column_gap = 28, widest_column = 620;

/// Heights in CSS pixels. The compact ones leave out the lifetimes of shared memory.
struct Heights {
  float hbm, crossing, l2, smem, registers;
};
constexpr Heights roomy = {108, 34, 52, 126, 88}, compact = {92, 32, 50, 86, 82};
constexpr float wall = 60;  // more height for HBM if it holds a score matrix

bool has_registers(const View& view) { return !view.subject().simulation().plan.capacity.paper; }

bool has_walls(const View& view) {
  const auto& strips = view.subject().replay->memory.strips;
  return std::any_of(strips.begin(), strips.end(), [](const HbmStrip& strip) { return strip.is_matrix(); });
}

/// Rows of the levels in CSS pixels, from HBM, which takes what is left, to the registers, which the machine of the
/// paper lacks.
std::array<ui::Part, 7> rows_of_levels(const View& view, const Heights& h) {
  const bool registers = has_registers(view);
  return {ui::rest(h.hbm + (has_walls(view) ? wall : 0)),
          h.crossing,
          h.l2,
          h.crossing,
          h.smem,
          registers ? h.crossing : 0,
          registers ? h.registers : 0};
}

float height_of_all(const View& view, const Heights& h) { return view.px(ui::length_of(0, rows_of_levels(view, h))); }

Heights heights_for(const View& view, ui::Rect body) {
  return body.height >= height_of_all(view, roomy) ? roomy : compact;
}

bool in_two_columns(const View& view, ui::Rect body) {
  return body.width > view.px(widest_column) && body.height < height_of_all(view, roomy) + view.px(wall);
}

std::string note_of(const View& view) {
  const Subject& s = view.subject();
  const std::string sm = view.say("one SM of {}", s.scenario().gpu->sm_count);
  const std::int64_t ctas = sim::ctas_side_by_side(s.simulation(), s.kernel());
  return ctas == 1 ? sm : sm + view.say(", one CTA of {} on it", ctas);
}

/// Places on-chip memory in a column of its own.
MemoryPlaces place_beside(const View& view, ui::Rect body, const Heights& h) {
  const auto [left, right] = ui::columns(body, view.px(column_gap), {ui::share(1), ui::share(1)});
  const float crossing = view.px(roomy.crossing), inner = has_registers(view) ? crossing : 0;
  const float outer = inner > 0 ? std::max(view.px(compact.registers), (right.height - crossing) * 0.35f) : 0;
  const auto [hbm, from_hbm, l2] = ui::rows(left, 0, {ui::rest(), view.px(h.crossing), view.px(h.l2)});
  const auto [from_l2, smem, from_smem, registers] = ui::rows(right, 0, {crossing, ui::rest(), inner, outer});
  return {hbm, from_hbm, l2, from_l2, smem, from_smem, registers};
}

/// Line of a level's name, and the rectangle below it.
std::array<ui::Rect, 2> rows_of_level(const View& view, ui::Rect rect) {
  return ui::rows(rect.inset(view.px(padding), view.px(padding - 4)), 0, {view.px(head), ui::rest()});
}

/// Hatches what a level holds while it decides an open question. True if it does.
bool draw_hidden_level(View& view, ui::Rect rect, std::string_view level, std::string_view name) {
  if (!view.world.covered.hides_level(level)) return false;
  const ui::Rect inside = draw_level(view, rect, name, {}, {});
  view.canvas().covered({inside.x, inside.y, inside.width, inside.height - view.px(padding - 4)}, ui::Style::title);
  return true;
}

}  // namespace

float least_height_of_levels(const View& view, float width) {
  const auto rows = rows_of_levels(view, compact);
  const bool wide = width > view.px(widest_column);
  return view.px(ui::length_of(0, wide ? std::span(rows).subspan(3) : std::span(rows)));
}

MemoryPlaces place_levels(const View& view, ui::Rect body) {
  const Heights h = heights_for(view, body);
  if (in_two_columns(view, body)) return place_beside(view, body, h);
  auto parts = rows_of_levels(view, h);
  for (ui::Part& part : parts) part.size = view.px(part.size);
  parts[0] = ui::rest();  // also takes what is lost by rounding
  const auto [hbm, from_hbm, l2, from_l2, smem, from_smem, registers] = ui::rows(body, 0, parts);
  return {hbm, from_hbm, l2, from_l2, smem, from_smem, registers};
}

ui::Rect inside_of_level(const View& view, ui::Rect rect) { return rows_of_level(view, rect)[1]; }

ui::Rect draw_level(View& view, ui::Rect rect, std::string_view name, std::string_view beside, std::string_view right) {
  return draw_level(view, rect, name, beside, right, view.theme().muted);
}

ui::Rect draw_level(View& view, ui::Rect rect, std::string_view name, std::string_view beside, std::string_view right,
                    ui::Color color) {
  ui::Canvas& canvas = view.canvas();
  const auto [top, inside] = rows_of_level(view, rect);
  ui::Space line(top);
  left_text(canvas, line, ui::Style::control, view.theme().text, name, view.px(7));
  left_text(canvas, line, ui::Style::caption, color, beside, view.px(12));
  fitting_text(canvas, line.rest(), ui::Style::caption, view.theme().muted, right, ui::Align::right);
  return inside;
}

void draw_memory(View& view, ui::Rect rect) {
  ui::Rect body = draw_card(view, rect, view.say("Memory"), note_of(view));
  body.height += view.px(4);
  const float least = least_height_of_levels(view, body.width);
  const bool scrolls = body.height < least;
  if (scrolls) {
    float& offset = view.ui.state.scrolled[view.id("memory")];
    // A scrolling panel need not be compact.
    const bool wide = body.width > view.px(widest_column);
    const float whole = wide ? least : height_of_all(view, roomy);
    offset = ui::begin_scroll(view.ui, view.id("memory/scroll"), body, whole, offset);
    body = {body.x, body.y - offset, body.width - view.px(10), whole};
  }
  const MemoryPlaces places = place_levels(view, body);
  for (const ui::Rect level : {places.hbm, places.l2, places.smem, places.registers}) {
    if (!level.empty()) ui::inset_panel(view.canvas(), level);
  }
  for (const auto& [name, level] :
       {std::pair("level:hbm", places.hbm), std::pair("level:l2", places.l2), std::pair("level:shared", places.smem),
        std::pair("level:registers", places.registers)})
    ui::mark_place(view.ui, name, level);
  draw_transfers(view, places);  // behind the text
  if (!draw_hidden_level(view, places.hbm, "hbm", "HBM")) draw_hbm(view, places.hbm);
  draw_l2(view, places.l2);
  if (!draw_hidden_level(view, places.smem, "shared", view.say("Shared memory"))) draw_smem(view, places.smem);
  if (!places.registers.empty()) draw_registers(view, places.registers);
  draw_crossings(view, places);
  if (scrolls) ui::end_scroll();
}

}  // namespace explorer
