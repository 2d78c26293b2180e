#include "viz/panels/first/first.h"

#include <algorithm>
#include <cmath>

#include "viz/model/action.h"
#include "viz/model/first_view.h"
#include "viz/panels/action_button.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/palette_entries.h"
#include "viz/panels/panels.h"
#include "viz/ui/front.h"
#include "viz/ui/imgui_version.h"
#include "viz/ui/stack.h"
#include "viz/ui/text_field.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr std::size_t result_rows = 4;

/// Draws the sign of the program, its name, and below them in wide windows what it does.
void draw_first_title(View& view, Rect rect) {
  ui::Space line(rect);
  line.left(draw_sign(view, rect) + view.px(10));
  left_text(view.canvas(), line, Style::title, view.theme().text, "FlashScope", view.px(9));
  fitting_text(view.canvas(), line.rest(), Style::control, view.theme().muted,
               view.say("attention on a GPU, byte by byte"));
}

void draw_first_actions(View& view, Rect rect) {
  const float wide = view.px(view.for_fingers() ? 36 : 32);
  ui::Space rest(ui::middle(rect, view.control_height()), view.px(4));
  draw_action_button(view, rest.right(wide), "help", ui::Icon::help);
  const bool english = view.state.look.language == Language::en;
  if (ui::button(view.ui, "language", rest.right(wide), english ? "中" : "EN")) view.act("language");
  draw_action_button(view, rest.right(wide, view.px(8)), "theme", ui::Icon::theme);
  const std::string_view leaves =
      view.say(view.state.first_view.behind.empty() ? /*say*/ "Explorer" : /*say*/ "Continue");
  const float button = ui::button_width(view.canvas(), leaves) + view.px(8);
  if (ui::button(view.ui, "first/leave", rest.right(button), leaves)) view.act("close");
}

/// True if an edit of an entry keeps the first view, or replaces it itself.
bool stays_in_first(const Edit& edit) {
  if (std::holds_alternative<Follow>(edit)) return true;
  const Act* act = std::get_if<Act>(&edit);
  return act != nullptr && (act->action.starts_with("save-") || act->action == "copy-link" || act->action == "theme" ||
                            act->action == "language" || act->action == "help" || act->action == "still");
}

void take_entry(View& view, const PaletteEntry& entry) {
  if (entry.stays) {
    ui::begin_typing(view.ui.state, "first/field", entry.then_typed);
    return view.edit(TypeInPalette{entry.then_typed, 0});
  }
  view.ui.state.open.clear();
  view.edit(TypeInPalette{});
  const bool stays = std::all_of(entry.edits.begin(), entry.edits.end(), stays_in_first);
  if (!stays) return leave_by(view, entry.edits);
  view.edit(entry.edits);
}

/// Draws the rows. Returns the clicked one; null if none was.
const PaletteEntry* draw_results(View& view, Rect place, const std::vector<PaletteEntry>& entries, int chosen) {
  const PaletteEntry* clicked = nullptr;
  const std::vector<Rect> rows = ui::equal_rows(place, 0, result_rows, view.px(32));
  for (std::size_t n = 0; n < std::min(entries.size(), result_rows); ++n) {
    const Rect& row = rows[n];
    const ui::Hit hit = ui::hit(view.ui, sim::text("first/result/", n), row);
    if (hit.hovered || static_cast<int>(n) == chosen) view.canvas().fill(row, view.theme().track, view.px(6));
    draw_palette_entry(view, row.inset(view.px(8), 0), entries[n], view.px(84));
    if (hit.clicked) clicked = &entries[n];
  }
  return clicked;
}

/// Draws what doors have in common with no other panel, at the layout's scroll position.
void draw_page(View& view, const ui::FirstLayout& layout) {
  draw_film(view, layout);
  draw_learn(view, layout.learn);
  draw_ask(view, layout.ask);
  draw_build(view, layout.build);
}

}  // namespace

void draw_search(View& view, const ui::FirstLayout& layout) {
  std::string text = view.state.palette.typed;
  int chosen = view.state.palette.chosen;
  const bool typing = ui::is_typing(view.ui, "first/field");
  const auto pressed = [&](ImGuiKey key) { return typing && ImGui::IsKeyPressed(key); };
  const bool entered = pressed(ImGuiKey_Enter) || pressed(ui::imgui::keypad_enter);
  const bool in_front = layout.results.empty();
  const float rows = static_cast<float>(result_rows);
  const Rect list{layout.field.x, layout.field.bottom() + view.px(4), layout.field.width,
                  rows * view.px(32) + view.px(16)};
  if (ui::text_field(view.ui, "first/field", layout.field, view.say("Ask or find: an idea, a view, a number"), text,
                     in_front ? list : layout.results))
    chosen = 0;
  const std::vector<PaletteEntry> entries =
      text.empty() ? example_entries(view, result_rows) : find_entries(view, text, result_rows);
  const int last = static_cast<int>(entries.size()) - 1;
  chosen = std::clamp(chosen + (pressed(ImGuiKey_DownArrow) ? 1 : 0) - (pressed(ImGuiKey_UpArrow) ? 1 : 0), 0, last);
  const PaletteEntry* taken = entered && !entries.front().near ? &entries[static_cast<std::size_t>(chosen)] : nullptr;
  const auto draw_rows = [&](View& on, Rect rest) {
    if (const PaletteEntry* clicked = draw_results(on, rest, entries, typing ? chosen : -1)) taken = clicked;
  };
  if (!typing && text.empty()) {
    const Rect inside = layout.field.inset(view.px(12), 0);
    view.canvas().text(inside, Style::table, view.theme().muted, "/", ui::Align::right);
  }
  if (!in_front) {
    ui::push_view(layout.page);
    ui::panel(view.canvas(), layout.results);
    const auto [head, below] = ui::rows(layout.results.inset(view.px(10), view.px(8)), 0, {view.px(24), ui::rest()});
    ui::Space line(head.inset(view.px(8), 0));
    right_text(view.canvas(), line, Style::caption, view.theme().muted, view.say("Enter opens it"), 0);
    view.canvas().text(line.rest(), Style::title, view.theme().text, view.say("Type an idea, get its answer"));
    draw_rows(view, below);
    ui::pop_view();
  } else if (typing) {
    ui::in_front(view.ui, "first results", list, [&](ui::Ui& ui) {
      View front{ui, view, view.index};
      draw_rows(front, list.inset(view.px(6), view.px(8)));
    });
  }
  if (taken != nullptr) return take_entry(view, *taken);
  if (text != view.state.palette.typed || chosen != view.state.palette.chosen) view.edit(TypeInPalette{text, chosen});
}

void draw_first_view(View& view, float width, float height, float dpr) {
  const std::size_t runs = view.world.subjects();
  float& offset = view.ui.state.scrolled["first"];
  const ui::FirstLayout still = ui::make_first_layout(width, height, dpr, runs, 0);
  draw_first_title(view, still.title);
  draw_first_actions(view, still.actions);
  offset = ui::begin_scroll(view.ui, "first/scroll", still.page, still.height, offset);
  const ui::FirstLayout layout = ui::make_first_layout(width, height, dpr, runs, offset);
  draw_page(view, layout);
  ui::end_scroll();
  draw_search(view, layout);
}

std::string first_view_text(const Model& model) {
  const auto say = [&](std::string_view english) { return words::say(model.state.look.language, english); };
  std::string text = film_headline(model);
  text += sim::text(" ", say(/*say*/ "Type an idea, get its answer"), ": ");
  for (std::size_t n = 0; n < result_rows; ++n) text += sim::text(n == 0 ? "" : ", ", say(ideas()[n].label));
  for (const std::string_view door : {/*say*/ "Learn: a question, a guess, then the picture that answers it",
                                      /*say*/ "Ask: each question opens the view that answers it",
                                      /*say*/ "Build: replace a part by your own, and watch what changes"})
    text += sim::text(". ", say(door));
  return text + ".";
}

}  // namespace explorer
