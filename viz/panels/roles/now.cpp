// Activity or wait of each role at the playhead: a box per role, always three lines.

#include "viz/panels/engineer/engineer.h"
#include "viz/panels/roles/badge.h"
#include "viz/panels/roles/roles.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float least_box = 46, full_box = 62, most_box = 84, apart = 8;  // CSS pixels

void draw_box(View& view, Rect box, const RoleTrace& roles, std::size_t role) {
  const ui::Theme& theme = view.theme();
  const RoleWords words = role_words(view.state.look.language, roles, role, view.subject().time);
  const std::string id = view.id(sim::text("roles/now/", role));
  view.ui.state.shown.emplace(
      id, sim::text(ui::plain(words.does), "; ", ui::plain(words.why), "; ", ui::plain(words.meanwhile)));
  ui::inset_panel(view.canvas(), box);
  const bool low = box.height < view.px(full_box);  // of five roles
  const Rect content = box.inset(view.px(10), view.px(low ? 1 : 5));
  const float line = std::floor(content.height / 3);
  const auto [top, why, meanwhile] = ui::rows(content, 0, {line, line, ui::rest()});
  ui::Space first(top, view.px(8));
  draw_badge_button(view, view.id(sim::text("roles/now/badge/", role)), first.left(view.px(18)),
                    roles.lanes()[role].badge, role);
  if (words.cause) {
    const std::string_view cause = cause_words(view, *words.cause);
    const float wide = view.px(19) + view.canvas().text_width(Style::caption, cause) + 1;
    if (wide < first.width() / 2) draw_swatch(view, first.right(wide, 0), *words.cause, cause);
  }
  ui::rich_text(view.canvas(), first.rest(), Style::control, {theme.text, true, theme.inset}, words.does);
  const ui::Ink ink{theme.text, true, theme.inset}, quiet{theme.muted, true, theme.inset};
  const bool fits = !low && ui::rich_width(view.canvas(), Style::body, words.why) <= why.width;
  ui::rich_text(view.canvas(), why, fits ? Style::body : Style::caption, ink, words.why);
  ui::rich_text(view.canvas(), meanwhile, Style::caption, quiet, words.meanwhile);
}

}  // namespace

float roles_now_height(const View& view, const RoleTrace& roles) {
  return static_cast<float>(roles.lanes().size()) * view.px(most_box + apart) - view.px(apart);
}

void draw_roles_now(View& view, Rect place, const RoleTrace& roles) {
  const std::vector<ui::Part> parts(roles.lanes().size(), {view.px(least_box), 1, view.px(most_box)});
  const std::vector<Rect> boxes = ui::rows(place, view.px(apart), parts);
  for (std::size_t role = 0; role < boxes.size(); ++role) draw_box(view, boxes[role], roles, role);
}

}  // namespace explorer
