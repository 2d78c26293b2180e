// Activity or wait of each role at the playhead: a box per role, always three lines.
#include <algorithm>

#include "viz/panels/engineer/engineer.h"
#include "viz/panels/roles/badge.h"
#include "viz/panels/roles/roles.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float least_box = 62, most_box = 84, apart = 8;  // CSS pixels

void draw_box(View& view, Rect box, const RoleTrace& roles, std::size_t role) {
  const ui::Theme& theme = view.theme();
  const RoleWords words = role_words(view.state.look.language, roles, role, view.subject().time);
  const std::string id = view.id(sim::text("roles/now/", role));
  view.ui.state.shown.emplace(
      id, sim::text(ui::plain(words.does), "; ", ui::plain(words.why), "; ", ui::plain(words.meanwhile)));
  ui::inset_panel(view.canvas(), box);
  Rect rest = box.inset(view.px(10), view.px(5));
  const float line = std::floor(rest.height / 3);
  Rect first = cut_top(rest, line);
  draw_badge_button(view, view.id(sim::text("roles/now/badge/", role)), cut_left(first, view.px(18)),
                    roles.lanes()[role].badge, role);
  cut_left(first, view.px(8));
  if (words.cause) {
    const std::string_view cause = cause_words(view, *words.cause);
    const float wide = view.px(19) + view.canvas().text_width(Style::caption, cause) + 1;
    if (wide < first.width / 2) draw_swatch(view, cut_right(first, wide), *words.cause, cause);
  }
  ui::rich_text(view.canvas(), first, Style::control, {theme.text, true, theme.inset}, words.does);
  const ui::Ink ink{theme.text, true, theme.inset}, quiet{theme.muted, true, theme.inset};
  const bool fits = ui::rich_width(view.canvas(), Style::body, words.why) <= rest.width;
  ui::rich_text(view.canvas(), cut_top(rest, line), fits ? Style::body : Style::caption, ink, words.why);
  ui::rich_text(view.canvas(), rest, Style::caption, quiet, words.meanwhile);
}

}  // namespace

float roles_now_height(const View& view, const RoleTrace& roles) {
  return static_cast<float>(roles.lanes().size()) * view.px(most_box + apart) - view.px(apart);
}

void draw_roles_now(View& view, Rect place, const RoleTrace& roles) {
  const auto count = static_cast<float>(roles.lanes().size());
  const float space = std::floor((place.height - (count - 1) * view.px(apart)) / count);
  const float height = std::clamp(space, view.px(least_box), view.px(most_box));
  for (std::size_t role = 0; role < roles.lanes().size(); ++role) {
    draw_box(view, cut_top(place, height), roles, role);
    cut_top(place, view.px(apart));
  }
}

}  // namespace explorer
