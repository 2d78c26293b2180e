// What can be done with the picture: share it, its colours and language, help and the tour.
#include <array>

#include "viz/panels/panels.h"
#include "viz/ui/field.h"

namespace explorer {
namespace {

struct Share {
  std::string_view name, title;
  Wish wish;
};
constexpr std::array<Share, 5> shares = {{{"link", /*say*/ "Copy the link to this view", Wish::copy_link},
                                          {"png", /*say*/ "Save the picture (PNG)", Wish::save_png},
                                          {"csv", /*say*/ "Save the numbers (CSV)", Wish::save_csv},
                                          {"json", /*say*/ "Save the numbers (JSON)", Wish::save_json},
                                          {"perfetto", /*say*/ "Save the trace (Perfetto)", Wish::save_perfetto}}};

void draw_share(View& view, ui::Rect place) {
  const std::string id = view.id("share");
  if (ui::icon_button(view.ui, id, place, ui::Icon::share)) view.ui.state.open = view.ui.state.open == id ? "" : id;
  if (view.ui.state.open != id) return;
  std::array<std::string_view, shares.size()> titles;
  for (std::size_t i = 0; i < shares.size(); ++i) titles[i] = view.say(shares[i].title);
  const auto chosen = static_cast<std::size_t>(ui::option_list(view.ui, id, place, titles, -1));
  if (chosen < shares.size()) view.model.wishes.push_back(shares[chosen].wish);
}

void draw_theme(View& view, ui::Rect place) {
  Theme& theme = view.model.look.theme;
  if (ui::icon_button(view.ui, view.id("theme"), place, ui::Icon::theme))
    theme = theme == Theme::dark ? Theme::light : Theme::dark;
}

/// The button is written in the language that it leads to.
void draw_language(View& view, ui::Rect place) {
  Language& language = view.model.look.language;
  const bool english = language == Language::en;
  if (ui::button(view.ui, view.id("language"), place, english ? "中" : "EN"))
    language = english ? Language::zh : Language::en;
}

/// What lies over the window: opened, and closed again.
void draw_overlay_button(View& view, ui::Rect place, std::string_view overlay, ui::Icon icon) {
  std::string& open = view.model.look.overlay;
  if (ui::icon_button(view.ui, view.id(overlay), place, icon)) open = open == overlay ? std::string_view() : overlay;
}

void draw_help(View& view, ui::Rect place) { draw_overlay_button(view, place, "help", ui::Icon::help); }
void draw_tour(View& view, ui::Rect place) { draw_overlay_button(view, place, "tour", ui::Icon::tour); }

}  // namespace

void draw_actions(View& view, ui::Rect rect) {
  constexpr std::array<void (*)(View&, ui::Rect), 5> actions = {draw_help, draw_tour, draw_language, draw_theme,
                                                                draw_share};
  const float side = view.px(ui::control_height);
  ui::Rect rest{rect.x, std::round(rect.center().y - side / 2), rect.width, side};
  for (const auto draw : actions) {
    draw(view, cut_right(rest, side));
    cut_right(rest, view.px(6));
  }
}

}  // namespace explorer
