// The memory panel: HBM, L2, shared memory and registers from top to bottom, with what one CTA holds in each and what
// moves between them at the playhead.
#include "viz/panels/memory_levels.h"
#include "viz/panels/panels.h"

namespace explorer {
namespace {

// CSS pixels.
constexpr float head = 22, padding = 10, crossing = 34, l2_height = 58, smem_height = 128, register_height = 92;
constexpr float least_hbm = 104, column_gap = 28, widest_column = 620;

bool has_registers(const View& view) { return !view.subject().simulation().plan.capacity.paper; }

float fixed_height(const View& view) {
  const float registers = has_registers(view) ? crossing + register_height : 0;
  return 2 * crossing + l2_height + smem_height + registers;
}

bool in_two_columns(const View& view, ui::Rect body) {
  return body.width > view.px(widest_column) && body.height < view.px(fixed_height(view) + least_hbm);
}

std::string note_of(const View& view) {
  const Subject& s = view.subject();
  const std::string sm = view.say("one SM of {}", s.scenario().gpu->sm_count);
  const std::int64_t ctas = s.kernel().ctas_per_sm;
  return ctas == 1 ? sm : sm + view.say(", one CTA of {} on it", ctas);
}

/// On-chip memory, from the bottom up; what is left is the rest.
void place_on_chip(const View& view, MemoryPlaces& places, ui::Rect& rest) {
  if (has_registers(view)) {
    places.registers = cut_bottom(rest, view.px(register_height));
    places.from_smem = cut_bottom(rest, view.px(crossing));
  }
  places.smem = cut_bottom(rest, view.px(smem_height));
}

}  // namespace

float least_height_of_levels(const View& view, float width) {
  const float one_column = fixed_height(view) + least_hbm;
  const float on_chip = one_column - l2_height - crossing - least_hbm;
  return view.px(width > view.px(widest_column) ? on_chip : one_column);
}

MemoryPlaces place_levels(const View& view, ui::Rect body) {
  MemoryPlaces places;
  ui::Rect left = body, right = body;
  const bool wide = in_two_columns(view, body);
  if (wide) {
    left = cut_left(right, body.width / 2 - view.px(column_gap / 2));
    cut_left(right, view.px(column_gap));
    places.from_l2 = cut_top(right, view.px(crossing));
    if (has_registers(view)) {
      places.registers = cut_bottom(right, std::min(view.px(register_height) * 1.3f, right.height * 0.4f));
      places.from_smem = cut_bottom(right, view.px(crossing));
    }
    places.smem = right;
  } else {
    place_on_chip(view, places, left);
    places.from_l2 = cut_bottom(left, view.px(crossing));
  }
  places.l2 = cut_bottom(left, view.px(l2_height));
  places.from_hbm = cut_bottom(left, view.px(crossing));
  places.hbm = left;
  return places;
}

ui::Rect inside_of_level(const View& view, ui::Rect rect) {
  ui::Rect rest = rect.inset(view.px(padding), view.px(padding - 4));
  cut_top(rest, view.px(head));
  return rest;
}

ui::Rect draw_level(View& view, ui::Rect rect, std::string_view name, std::string_view beside, std::string_view right) {
  ui::Canvas& canvas = view.canvas();
  ui::inset_panel(canvas, rect);
  ui::Rect line = rect.inset(view.px(padding), view.px(padding - 4));
  line = cut_top(line, view.px(head));
  cut_left(line, canvas.text(line, ui::Style::control, view.theme().text, name) + view.px(7));
  cut_left(line, canvas.text(line, ui::Style::caption, view.theme().muted, beside) + view.px(12));
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
    float& offset = view.model.scroll[view.id("memory")];
    offset = ui::begin_scroll(view.ui, view.id("memory/scroll"), body, least, offset);
    body = {body.x, body.y - offset, body.width - view.px(10), least};
  }
  const MemoryPlaces places = place_levels(view, body);
  draw_hbm(view, places.hbm);
  draw_l2(view, places.l2);
  draw_smem(view, places.smem);
  if (!places.registers.empty()) draw_registers(view, places.registers);
  draw_transfers(view, places);
  draw_crossings(view, places);
  if (scrolls) ui::end_scroll();
}

}  // namespace explorer
