// The memory panel: HBM, L2, shared memory and registers from top to bottom, with what one CTA holds in each and what
// moves between them at the playhead.
#include <algorithm>

#include "sim/model/busy_sms.h"
#include "sim/report/numbers.h"
#include "viz/panels/memory/levels.h"
#include "viz/panels/panels.h"

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

float height_on_chip(const View& view, const Heights& h) {
  return h.crossing + h.smem + (has_registers(view) ? h.crossing + h.registers : 0);
}

float height_of_all(const View& view, const Heights& h) {
  return h.hbm + (has_walls(view) ? wall : 0) + h.crossing + h.l2 + height_on_chip(view, h);
}

Heights heights_for(const View& view, ui::Rect body) {
  return body.height >= view.px(height_of_all(view, roomy)) ? roomy : compact;
}

bool in_two_columns(const View& view, ui::Rect body) {
  return body.width > view.px(widest_column) && body.height < view.px(height_of_all(view, roomy) + wall);
}

std::string note_of(const View& view) {
  const Subject& s = view.subject();
  const std::string sm = view.say("one SM of {}", s.scenario().gpu->sm_count);
  const std::int64_t ctas = sim::ctas_side_by_side(s.simulation(), s.kernel());
  return ctas == 1 ? sm : sm + view.say(", one CTA of {} on it", ctas);
}

/// Places on-chip memory in a column of its own.
void place_beside(const View& view, MemoryPlaces& places, ui::Rect column) {
  places.from_l2 = cut_top(column, view.px(roomy.crossing));
  if (has_registers(view)) {
    places.registers = cut_bottom(column, std::max(view.px(compact.registers), column.height * 0.35f));
    places.from_smem = cut_bottom(column, view.px(roomy.crossing));
  }
  places.smem = column;
}

/// Places on-chip memory at the bottom; `rest` keeps the remainder.
void place_below(const View& view, MemoryPlaces& places, ui::Rect& rest, const Heights& h) {
  if (has_registers(view)) {
    places.registers = cut_bottom(rest, view.px(h.registers));
    places.from_smem = cut_bottom(rest, view.px(h.crossing));
  }
  places.smem = cut_bottom(rest, view.px(h.smem));
  places.from_l2 = cut_bottom(rest, view.px(h.crossing));
}

}  // namespace

float least_height_of_levels(const View& view, float width) {
  const bool wide = width > view.px(widest_column);
  return view.px(wide ? height_on_chip(view, compact) : height_of_all(view, compact));
}

MemoryPlaces place_levels(const View& view, ui::Rect body) {
  MemoryPlaces places;
  const Heights h = heights_for(view, body);
  ui::Rect left = body, right = body;
  if (in_two_columns(view, body)) {
    left = cut_left(right, body.width / 2 - view.px(column_gap / 2));
    cut_left(right, view.px(column_gap));
    place_beside(view, places, right);
  } else {
    place_below(view, places, left, h);
  }
  places.l2 = cut_bottom(left, view.px(h.l2));
  places.from_hbm = cut_bottom(left, view.px(h.crossing));
  places.hbm = left;
  return places;
}

ui::Rect inside_of_level(const View& view, ui::Rect rect) {
  ui::Rect rest = rect.inset(view.px(padding), view.px(padding - 4));
  cut_top(rest, view.px(head));
  return rest;
}

ui::Rect draw_level(View& view, ui::Rect rect, std::string_view name, std::string_view beside, std::string_view right) {
  return draw_level(view, rect, name, beside, right, view.theme().muted);
}

ui::Rect draw_level(View& view, ui::Rect rect, std::string_view name, std::string_view beside, std::string_view right,
                    ui::Color color) {
  ui::Canvas& canvas = view.canvas();
  ui::Rect line = rect.inset(view.px(padding), view.px(padding - 4));
  line = cut_top(line, view.px(head));
  cut_left(line, canvas.text(line, ui::Style::control, view.theme().text, name) + view.px(7));
  cut_left(line, canvas.text(line, ui::Style::caption, color, beside) + view.px(12));
  if (canvas.text_width(ui::Style::caption, right) <= line.width + 1)
    canvas.text(line, ui::Style::caption, view.theme().muted, right, ui::Align::right);
  return inside_of_level(view, rect);
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
    const float whole = wide ? least : view.px(height_of_all(view, roomy));
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
  draw_hbm(view, places.hbm);
  draw_l2(view, places.l2);
  draw_smem(view, places.smem);
  if (!places.registers.empty()) draw_registers(view, places.registers);
  draw_crossings(view, places);
  if (scrolls) ui::end_scroll();
}

}  // namespace explorer
