// Editor of block patterns, an overlay.
#include "viz/model/action.h"
#include "viz/panels/action_button.h"
#include "viz/panels/overlay.h"
#include "viz/panels/pattern/pattern.h"
#include "viz/panels/scenario/field.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

// CSS pixels.
constexpr float card_width = 920, card_height = 640, tall_card = 816, padding = 16, side_width = 288, column_gap = 20,
                bar = 14;

/// Draws the numbers and size of the blocks, if they fit.
void draw_size(View& view, ui::Rect line) {
  const sim::BlockedMatrix m = PatternBlocks(view.subject()).matrix();
  const std::string words = view.say("{} × {} blocks of {} × {}", m.rows(), m.cols(), m.br, m.bc);
  if (view.canvas().text_width(ui::Style::caption, words) <= line.width)
    view.canvas().text(line, ui::Style::caption, view.theme().muted, words);
}

/// Draws title, undo, redo, save and close. Returns the rest of the line.
void draw_head(View& view, ui::Rect line) {
  const float side = view.control_height();
  const ui::Rect close = cut_right(line, side);
  if (ui::icon_button(view.ui, "pattern/close", close, ui::Icon::close))
    view.set([&](Look& look) { look.overlay = Overlay::none; });
  const auto next = [&](float wide) {
    cut_right(line, view.px(6));
    return cut_right(line, wide);
  };
  if (takes_pattern(view.subject()) && view.world.error().empty()) {
    const std::string_view save = view.say("Save .pbm");
    if (ui::button(view.ui, "pattern/save", next(ui::button_width(view.canvas(), save)), save))
      view.edit(Ask{Request::save_pattern});
  }
  for (const auto& [name, icon, possible] :
       {std::tuple{"redo", ui::Icon::redo, view.model.can_redo()}, {"undo", ui::Icon::undo, view.model.can_undo()}}) {
    const ui::Rect place = next(side);
    const std::string id = sim::text("pattern/", name), tip(view.say(action(name).sentence));
    if (possible && draw_icon_button(view, place, id, icon, tip)) view.act(name);
  }
  cut_right(line, view.px(8));
  const std::string_view title = view.say("Pattern");
  cut_left(line, view.canvas().text(line, ui::Style::title, view.theme().text, title) + view.px(12));
  if (takes_pattern(view.subject()) && view.world.error().empty()) draw_size(view, line);
}

/// Lists the programs that take a pattern, to switch to one.
void draw_programs(View& view, ui::Rect rest) {
  const std::string words =
      view.say("{} has no pattern. These have one:", view.subject().simulation().plan.code->title);
  cut_top(rest, ui::paragraph(view.canvas(), rest, ui::Style::body, {.color = view.theme().text}, words) + view.px(12));
  for (const sim::Program& program : sim::built_in_programs()) {
    if (program.pattern == sim::PatternUse::none) continue;
    const std::string_view label = view.say(program.short_title);
    const ui::Rect place = cut_top(rest, view.control_height());
    cut_top(rest, view.px(8));
    const float wide = std::min(place.width, ui::button_width(view.canvas(), label));
    if (ui::button(view.ui, sim::text("pattern/take/", program.name), {place.x, place.y, wide, place.height}, label))
      view.edit(SetOptions{{{"algorithm", std::string(program.name)}}});
  }
}

/// Draws why the scenario is impossible, and what a change of the pattern can do about it.
void draw_refusal(View& view, ui::Rect rest) {
  const std::string words = ui::escaped(view.translate(view.world.error()));
  cut_top(rest, ui::paragraph(view.canvas(), rest, ui::Style::body, {.color = view.theme().text}, words) + view.px(12));
  const auto fitting = fitting_pattern(view.model);
  const auto offer = [&](std::string_view id, std::string_view label) {
    const ui::Rect place = cut_top(rest, view.control_height());
    cut_top(rest, view.px(8));
    return ui::button(view.ui, id, {place.x, place.y, ui::button_width(view.canvas(), label), place.height}, label);
  };
  if (fitting && offer("pattern/fit", view.say("Draw it with all of its blocks")))
    return view.edit(SetOptions{{{"pattern", *fitting}}});
  if (offer("pattern/none", view.say("Show all blocks"))) view.edit(SetOptions{{{"pattern", ""}}});
}

/// Places the blocks and the column side by side or, for fingers, one below the other.
void draw_parts(View& view, ui::Rect rest) {
  if (!view.for_fingers()) {
    const ui::Rect side = cut_right(rest, view.px(side_width));
    cut_right(rest, view.px(column_gap));
    draw_pattern_side(view, side);
    return draw_pattern_grid(view, rest);
  }
  draw_pattern_grid(view, cut_top(rest, std::min(rest.width, 0.55f * rest.height)));
  cut_top(rest, view.px(8));
  float& offset = view.ui.state.scrolled["pattern"];
  const float content = pattern_side_height(view);
  offset = ui::begin_scroll(view.ui, "pattern/scroll", rest, content, offset);
  draw_pattern_side(view, {rest.x, rest.y - std::round(offset), rest.width - view.px(bar), content});
  ui::end_scroll();
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
                 ui::Rect rest = card.inset(front.px(padding), front.px(padding - 4));
                 draw_head(front, cut_top(rest, front.control_height()));
                 cut_top(rest, front.px(10));
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
