// Actions of the top bar: compare, search, share, theme, language, tour and help.
#include <array>

#include "viz/model/action.h"
#include "viz/panels/action_button.h"
#include "viz/panels/panels.h"
#include "viz/ui/field.h"

namespace explorer {
namespace {

struct Share {
  std::string_view name, title;
  Request request;
};
constexpr std::array<Share, 5> shares = {{{"link", /*say*/ "Copy the link to this view", Request::copy_link},
                                          {"png", /*say*/ "Save the picture (PNG)", Request::save_png},
                                          {"csv", /*say*/ "Save the numbers (CSV)", Request::save_csv},
                                          {"json", /*say*/ "Save the numbers (JSON)", Request::save_json},
                                          {"perfetto", /*say*/ "Save the trace (Perfetto)", Request::save_perfetto}}};

void draw_share(View& view, ui::Rect place) {
  const std::string id = view.id("share");
  if (draw_icon_button(view, place, "share", ui::Icon::share, view.say("Share and save")))
    view.ui.state.open = view.ui.state.open == id ? "" : id;
  if (view.ui.state.open != id) return;
  std::array<std::string_view, shares.size()> names, titles;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    names[i] = shares[i].name;
    titles[i] = view.say(shares[i].title);
  }
  const auto chosen = static_cast<std::size_t>(ui::option_list(view.ui, id, place, titles, -1, names));
  if (chosen < shares.size()) view.edit(Ask{shares[chosen].request});
}

void draw_theme(View& view, ui::Rect place) { draw_action_button(view, place, "theme", ui::Icon::theme); }

/// Labels the button in the language that it switches to.
void draw_language(View& view, ui::Rect place) {
  const bool english = view.state.look.language == Language::en;
  if (ui::button(view.ui, view.id("language"), place, english ? "中" : "EN")) view.act("language");
}

void draw_tour(View& view, ui::Rect place) {
  if (draw_icon_button(view, place, "tour", ui::Icon::tour, view.say("Guided tour")))
    view.set([](Look& look) { look.overlay = look.overlay == Overlay::tour ? Overlay::none : Overlay::tour; });
}

void draw_help(View& view, ui::Rect place) { draw_action_button(view, place, "help", ui::Icon::help); }
void draw_search(View& view, ui::Rect place) { draw_action_button(view, place, "palette", ui::Icon::search); }

/// Draws the button as pressed while runs are compared: a click then ends the comparison.
void draw_compare(View& view, ui::Rect place) {
  const ui::Weight weight = view.state.compares() ? ui::Weight::primary : ui::Weight::normal;
  draw_action_button(view, place, "compare", ui::Icon::compare, weight);
}

}  // namespace

void draw_actions(View& view, ui::Rect rect) {
  constexpr std::array<void (*)(View&, ui::Rect), 7> actions = {draw_help,  draw_tour,   draw_language, draw_theme,
                                                                draw_share, draw_search, draw_compare};
  ui::Space rest(ui::middle(rect, view.control_height()), view.px(4));
  for (const auto draw : actions) draw(view, rest.right(view.px(view.for_fingers() ? 36 : 32)));
}

}  // namespace explorer
