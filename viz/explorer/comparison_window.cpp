#include "viz/explorer/comparison_window.h"

#include <algorithm>
#include <array>

#include "viz/panels/panels.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/ui/compare_layout.h"

namespace explorer {
namespace {

void draw_pane(View& view, const ui::ComparePane& pane) {
  if (pane.header.empty()) return;
  draw_run_header(view, pane.header);
  // The header's button may have taken the run away.
  if (view.index >= view.model.subjects() || !view.subject().error.empty()) return;
  if (!pane.matrix.empty()) draw_center(view, pane.matrix);
  if (!pane.memory.empty()) draw_memory(view, pane.memory);
  if (!pane.code.empty()) draw_listing(view, pane.code);
}

/// The runs by number, as tabs.
void draw_run_tabs(View& view, ui::Rect rect) {
  std::vector<std::string> names, labels;
  for (std::size_t n = 0; n < view.model.subjects(); ++n) {
    names.push_back(sim::text(n + 1));
    labels.push_back(
        sim::text(n + 1, " ", algorithm_label(view, view.model.subject(n).simulation().plan.program->name)));
  }
  const std::vector<std::string_view> name_views(names.begin(), names.end()), views(labels.begin(), labels.end());
  view.model.look.pane = ui::segmented(view.ui, "pane", rect, name_views, views, view.model.look.pane);
}

struct PanelName {
  std::string_view name, title;
  ui::Tab tab;
};
constexpr std::array<PanelName, 3> panels = {{{"matrix", /*say*/ "Matrix", ui::Tab::matrix},
                                              {"memory", /*say*/ "Memory", ui::Tab::memory},
                                              {"code", /*say*/ "Code", ui::Tab::code}}};

/// The panel of a run that takes turns with others; the first for tabs that only a run alone has.
std::size_t panel_index(const Look& look) {
  const auto found =
      std::find_if(panels.begin(), panels.end(), [&](const PanelName& panel) { return panel.name == look.tab; });
  return found == panels.end() ? 0 : static_cast<std::size_t>(found - panels.begin());
}

void draw_panel_list(View& view, ui::Rect rect) {
  std::array<std::string_view, panels.size()> names, titles;
  for (std::size_t n = 0; n < panels.size(); ++n) {
    names[n] = panels[n].name;
    titles[n] = view.say(panels[n].title);
  }
  const int now = static_cast<int>(panel_index(view.model.look));
  const int next = ui::drop_down(view.ui, "tab", rect, {}, titles, now, names);
  if (next != now) view.model.look.tab = panels[static_cast<std::size_t>(next)].name;
}

}  // namespace

void draw_comparison(ui::Ui& ui, ViewModel& model, float width, float height, float dpr) {
  View first{ui, model};
  const std::size_t runs = model.subjects();
  model.look.pane = std::min(model.look.pane, static_cast<int>(runs) - 1);
  const ui::CompareLayout layout = ui::make_compare_layout(
      width, height, dpr, runs, static_cast<std::size_t>(model.look.pane), panels[panel_index(model.look)].tab);
  draw_title(first, layout.title);
  if (!layout.controls.empty()) draw_controls(first, layout.controls);
  draw_actions(first, layout.actions);
  draw_comparison_bar(first, layout.bar);
  if (layout.tabbed) {
    draw_run_tabs(first, layout.tab_bar);
    draw_panel_list(first, layout.panel_list);
  }
  for (std::size_t n = 0; n < runs && n < model.subjects(); ++n) {
    View view{ui, model, n};
    draw_pane(view, layout.panes[n]);
  }
  draw_timeline(first, layout.timeline);
}

}  // namespace explorer
