// Views of the middle: some share its panel as tabs, some fill the window.
#include <algorithm>
#include <array>

#include "viz/model/center_view.h"
#include "viz/model/gpus.h"
#include "viz/model/narrow.h"
#include "viz/model/pages.h"
#include "viz/panels/batch/batch.h"
#include "viz/panels/engineer/engineer.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/comparison.h"

namespace explorer {
namespace {

/// Drawing functions in the order of the table in viz/model/center_view.h.
using Draw = void (*)(View& view, ui::Rect line, ui::Rect body);
constexpr std::array<Draw, center_views.size()> draws = {
    draw_matrix,     draw_tiles, draw_plots, draw_roofline_view, draw_verification, draw_wall, draw_engineer,
    draw_microscope, draw_batch, draw_roles, draw_pages,         draw_numbers,      draw_gpus};
static_assert(draws.back() != nullptr, "every row of center_views has a function here");

/// True if a view has something to show of the run: the batch view if its entries differ, the roles, pages, GPUs or
/// numbers of a narrow type if it has them.
bool applies(const View& view, Center center) {
  if (center == Center::batch) return view.subject().is_ragged();
  if (center == Center::pages) return has_pages(view.subject());
  if (center == Center::gpus) return has_gpus(view.subject());
  if (center == Center::numbers) return has_narrow(view.subject());
  if (center != Center::roles) return true;
  const std::vector<sim::Trace>& traces = view.subject().simulation().traces;
  return std::any_of(traces.begin(), traces.end(), [](const sim::Trace& trace) { return !trace.roles.empty(); });
}

/// Views on offer: those that apply, and the one that is already shown.
std::vector<Center> offered_views(const View& view) {
  std::vector<Center> views;
  for (std::size_t n = 0; n < center_views.size(); ++n) {
    const auto center = static_cast<Center>(n);
    if (applies(view, center) || view.state.look.center == center) views.push_back(center);
  }
  return views;
}

/// Draws a button for each view that only some scenarios have: a list would hide it.
void offer_own_views(View& view, ui::Space& line) {
  for (const Center center : {Center::batch, Center::roles, Center::pages, Center::numbers, Center::gpus}) {
    if (!applies(view, center) || view.state.look.center == center) continue;
    const std::string_view title = view.say(center_view(center).title);
    const float width = ui::button_width(view.canvas(), title);
    if (width > line.width()) continue;
    const ui::Rect place = line.left(width, view.px(8));
    if (ui::button(view.ui, view.id(sim::text("show/", center_view(center).name)), place, title))
      view.set([&](Look& look) { show_center(look, center); });
  }
}

/// Draws segments at the left of a line, or a drop-down if they do not fit. For an audience, draws only the title.
void choose_view(View& view, ui::Space& line) {
  const std::vector<Center> offered = offered_views(view);
  std::vector<std::string_view> titles, names;
  for (const Center center : offered) {
    titles.push_back(view.say(center_view(center).title));
    names.push_back(center_view(center).name);
  }
  const Center chosen = view.state.look.center;
  const auto now = static_cast<std::size_t>(std::find(offered.begin(), offered.end(), chosen) - offered.begin());
  if (view.bare) {
    const float width = view.canvas().text_width(ui::Style::title, titles[now]) + view.px(16);
    view.canvas().text(line.left(width), ui::Style::title, view.theme().text, titles[now]);
    return;
  }
  const float wide = ui::segmented_width(view.canvas(), titles);
  const bool fits = wide <= line.width();
  const ui::Rect place =
      fits ? line.left(wide, view.px(16)) : line.left(ui::drop_down_width(view.canvas(), "", titles), view.px(8));
  if (!fits) offer_own_views(view, line);
  const int at = static_cast<int>(now);
  const int next = fits ? ui::segmented(view.ui, view.id("center"), place, names, titles, at)
                        : ui::drop_down(view.ui, view.id("center"), place, "", titles, at, names);
  if (next != at) view.set([&](Look& look) { show_center(look, offered[static_cast<std::size_t>(next)]); });
}

/// Names the run that is shown by a view with space for only one of several.
void name_run(View& view, ui::Space& line) {
  const bool lens = view.state.look.center == Center::engineer && can_compare(view);
  if (!view.state.compares() || lens) return;
  const std::string words = view.say("{} alone", run_name(view.model, view.index, true));
  ui::left_text(view.canvas(), line, ui::Style::control, view.theme().text, words, view.px(16));
}

/// Draws the view that was shown when the frame began.
void draw_shown(View& view, Center shown, ui::Rect line, ui::Rect body) {
  if (!view.bare && covers_center(view.world.covered, shown)) return view.canvas().covered(body, ui::Style::number);
  const bool panels = view.state.look.tab != Tab::matrix;
  if (view.subject().is_ragged() &&
      (panels || (shown != Center::batch && !(shown == Center::pages && has_pages(view.subject())))))
    return draw_not_of_batch(view, body);
  draws[static_cast<std::size_t>(shown)](view, line, body);
}

}  // namespace

bool covers_center(const Covered& covered, Center center) {
  if (center == Center::gpus) return false;  // it covers its times itself
  return center_view(center).compares && (!covered.quantities.empty() || covered.order);
}

void draw_center(View& view, ui::Rect rect) {
  ui::panel(view.canvas(), rect);
  const float bar = view.control_height(ui::Control::small);
  const auto [head, body] = ui::rows(rect.inset(view.px(16), view.px(12)), view.px(8), {bar, ui::rest()});
  const Center shown = view.state.look.center;
  ui::Space line(head);
  choose_view(view, line);
  draw_shown(view, shown, line.rest(), body);
}

void draw_full_view(View& view, ui::Rect place) {
  constexpr float bar = 46;  // CSS pixels, as above races
  const float height = view.control_height();
  const auto [head, space, body] =
      ui::rows(place, 0, {height, std::max(view.px(bar) - height, view.px(8)), ui::rest()});
  const Center shown = view.state.look.center;
  ui::Space line(head);
  choose_view(view, line);
  if (!center_view(shown).compares) name_run(view, line);
  draw_shown(view, shown, line.rest(), body);
}

}  // namespace explorer
