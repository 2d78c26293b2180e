#include "viz/panels/roles/badge.h"

#include <algorithm>
#include <cmath>

#include "viz/panels/roles/roles.h"
#include "viz/panels/tooltip.h"

namespace explorer {

using ui::Rect;
using ui::Style;

void draw_role_badge(View& view, Rect place, std::string_view badge, bool chosen) {
  const ui::Theme& theme = view.theme();
  const float side = std::min({place.width, place.height, view.px(16)});
  const Rect box{std::round(place.center().x - side / 2), std::round(place.center().y - side / 2), side, side};
  view.canvas().fill(box, chosen ? theme.strong : theme.track, view.px(4));
  view.canvas().text({box.x - side, box.y, 3 * side, side}, Style::control, chosen ? theme.on_strong : theme.text,
                     badge, ui::Align::center);
}

void draw_badge_button(View& view, std::string_view id, Rect place, std::string_view badge, std::size_t role) {
  const Look& look = view.state.look;
  const ui::Hit hit = ui::hit(view.ui, id, place);
  const bool chosen = look.role == static_cast<int>(role);
  if (hit.clicked) {
    view.set([&](Look& next) {
      next.role = chosen ? -1 : static_cast<int>(role);
      next.unit = Step::event;
    });
  }
  draw_role_badge(view, place, badge, look.role < 0 || look.role == static_cast<int>(role));
  if (!hit.hovered) return;
  const std::vector<std::string> lines = {
      chosen ? std::string(view.say("Steps stop at every role again"))
             : view.say("Steps stop at what {} begins",
                        role_name(look.language, view.subject().replay->roles.lanes()[role].name))};
  draw_tooltip(view, lines);
}

}  // namespace explorer
