// Editor of block patterns, an overlay.
#include "viz/model/action.h"
#include "viz/panels/action_button.h"
#include "viz/panels/overlay.h"
#include "viz/panels/pattern/pattern.h"
#include "viz/panels/scenario/field.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

// CSS pixels.
constexpr float card_width = 920, card_height = 640, tall_card = 816, padding = 16, side_width = 288, column_gap = 20,
                bar = 14;

/// Draws the numbers and size of the blocks, if they fit.
void draw_size(View& view, ui::Rect line) {
  const sim::BlockedMatrix m = PatternBlocks(view.subject()).matrix();
  const std::string words = view.say("{} × {} blocks of {} × {}", m.rows(), m.cols(), m.br, m.bc);
  fitting_text(view.canvas(), line, ui::Style::caption, view.theme().muted, words);
}

/// Draws title, undo, redo, save and close.
void draw_head(View& view, ui::Rect place) {
  ui::Space line(place, view.px(6));
  const float side = view.control_height();
  if (ui::icon_button(view.ui, "pattern/close", line.right(side), ui::Icon::close))
    view.set([&](Look& look) { look.overlay = Overlay::none; });
  if (takes_pattern(view.subject()) && view.world.error().empty()) {
    const std::string_view save = view.say("Save .pbm");
    if (ui::button(view.ui, "pattern/save", line.right(ui::button_width(view.canvas(), save)), save))
      view.edit(Ask{Request::save_pattern});
  }
  for (const auto& [name, icon, possible] :
       {std::tuple{"redo", ui::Icon::redo, view.model.can_redo()}, {"undo", ui::Icon::undo, view.model.can_undo()}}) {
    const ui::Rect button = line.right(side);
    const std::string id = sim::text("pattern/", name), tip(view.say(action(name).sentence));
    if (possible && draw_icon_button(view, button, id, icon, tip)) view.act(name);
  }
  left_text(view.canvas(), line, ui::Style::title, view.theme().text, view.say("Pattern"), view.px(12));
  if (takes_pattern(view.subject()) && view.world.error().empty()) draw_size(view, line.rest());
}

/// Draws a sentence. Returns the space below.
ui::Space draw_sentence(View& view, ui::Rect place, std::string_view words) {
  ui::Space rest(place, view.px(8));
  rest.top(ui::paragraph(view.canvas(), place, ui::Style::body, {.color = view.theme().text}, words), view.px(12));
  return rest;
}

/// Draws a button as wide as its label in a row of its own; true if it is clicked.
bool draw_offer(View& view, ui::Space& rest, std::string_view id, std::string_view label) {
  const ui::Rect row = rest.top(view.control_height());
  const float wide = std::min(row.width, ui::button_width(view.canvas(), label));
  return ui::button(view.ui, id, {row.x, row.y, wide, row.height}, label);
}

/// Lists the programs that take a pattern, to switch to one.
void draw_programs(View& view, ui::Rect place) {
  const std::string_view title = view.subject().simulation().plan.code->title;
  ui::Space rest = draw_sentence(view, place, view.say("{} has no pattern. These have one:", title));
  for (const sim::Program& program : sim::built_in_programs()) {
    if (program.pattern == sim::PatternUse::none) continue;
    if (draw_offer(view, rest, sim::text("pattern/take/", program.name), view.say(program.short_title)))
      view.edit(SetOptions{{{"algorithm", std::string(program.name)}}});
  }
}

/// Draws why the scenario is impossible, and what a change of the pattern can do about it.
void draw_refusal(View& view, ui::Rect place) {
  ui::Space rest = draw_sentence(view, place, ui::escaped(view.translate(view.world.error())));
  const auto fitting = fitting_pattern(view.model);
  if (fitting && draw_offer(view, rest, "pattern/fit", view.say("Draw it with all of its blocks")))
    return view.edit(SetOptions{{{"pattern", *fitting}}});
  if (draw_offer(view, rest, "pattern/none", view.say("Show all blocks"))) view.edit(SetOptions{{{"pattern", ""}}});
}

/// Places the blocks and the column side by side or, for fingers, one below the other.
void draw_parts(View& view, ui::Rect rest) {
  if (!view.for_fingers()) {
    const auto [grid, side] = ui::columns(rest, view.px(column_gap), {ui::rest(), view.px(side_width)});
    draw_pattern_side(view, side);
    return draw_pattern_grid(view, grid);
  }
  const auto [grid, below] = ui::rows(rest, view.px(8), {std::min(rest.width, 0.55f * rest.height), ui::rest()});
  draw_pattern_grid(view, grid);
  const ui::Slot side{pattern_side_height(view), [&](ui::Rect rect) { draw_pattern_side(view, rect); }};
  ui::scrolling_column(view.ui, "pattern/scroll", below, 0, view.px(bar), std::span(&side, 1));
}

void draw_locked_note(View& view, ui::Rect rest) {
  ui::paragraph(view.canvas(), rest, ui::Style::body, {.color = view.theme().text},
                view.say("Locked: this step lets you change {}.", free_options(view)));
}

}  // namespace

void draw_pattern_editor(View& view) {
  const std::size_t before = view.edits.size();
  draw_overlay(view, "pattern", card_width, view.for_fingers() ? tall_card : card_height,
               [](View& front, ui::Rect card) {
                 const auto [head, rest] = ui::rows(card.inset(front.px(padding), front.px(padding - 4)), front.px(10),
                                                    {front.control_height(), ui::rest()});
                 draw_head(front, head);
                 if (is_locked(front, "pattern")) return draw_locked_note(front, rest);
                 if (!front.model.world.error().empty())
                   return draw_refusal(front, rest);  // the run shown is an earlier one
                 if (!takes_pattern(front.subject())) return draw_programs(front, rest);
                 draw_parts(front, rest);
               });
  // The explanation of a number is below the overlay.
  const auto explains = [](const Edit& edit) {
    const SetLook* const look = std::get_if<SetLook>(&edit);
    return look != nullptr && look->field == "select";
  };
  if (std::any_of(view.edits.begin() + static_cast<std::ptrdiff_t>(before), view.edits.end(), explains))
    view.set([](Look& look) { look.overlay = Overlay::none; });
}

}  // namespace explorer
