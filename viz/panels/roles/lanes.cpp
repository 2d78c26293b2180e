#include "viz/panels/roles/roles.h"
#include "viz/panels/roles/badge.h"
namespace explorer {
RoleRuns& role_runs_of(View& view) { const Subject& s = view.subject(); return view.model.tasks.get<RoleRuns>(view.id("role runs"), sim::text(static_cast<const void*>(s.replay.get())), s.run, s.replay); }
void draw_roles_lanes(View& view, ui::Rect card, const RoleRuns&) { ui::panel(view.canvas(), card); }
void draw_role_badge(View& view, ui::Rect place, std::string_view badge, bool) { view.canvas().fill(place.inset(0, (place.height - place.width) / 2), view.theme().strong, view.px(4)); view.canvas().text(place, ui::Style::caption, view.theme().on_strong, badge, ui::Align::center); }
}
