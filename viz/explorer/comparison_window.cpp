#include "viz/explorer/comparison_window.h"

#include <algorithm>
#include <span>

#include "viz/explorer/tabs.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/ui/compare_layout.h"

namespace explorer {
namespace {

void draw_pane(View& view, const ui::ComparePane& pane) {
  if (pane.header.empty()) return;
  draw_run_header(view, pane.header);
  // The header's button may have removed the run.
  if (view.index >= view.model.subjects() || !view.subject().error.empty()) return;
  if (!pane.matrix.empty()) draw_center(view, pane.matrix);
  if (!pane.memory.empty()) draw_memory(view, pane.memory);
  if (!pane.code.empty()) draw_listing(view, pane.code);
}

/// Draws the runs by number, as tabs.
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

constexpr std::size_t panels = 3;

/// Panel of a run that shares a tab with others; the first panel for tabs that exist only for a single run.
Tab panel_of(const Look& look) { return static_cast<std::size_t>(look.tab) < panels ? look.tab : Tab::matrix; }

void draw_panel_list(View& view, ui::Rect rect) {
  const auto titles = tab_titles(view);
  const std::vector<std::string_view> names = link_words("tab");
  const int now = static_cast<int>(panel_of(view.model.look));
  const int next =
      ui::drop_down(view.ui, "tab", rect, {}, std::span(titles).first(panels), now, std::span(names).first(panels));
  if (next != now) view.model.look.tab = static_cast<Tab>(next);
}

}  // namespace

void draw_comparison(ui::Ui& ui, ViewModel& model, float width, float height, float dpr) {
  View first{ui, model};
  const std::size_t runs = model.subjects();
  model.look.pane = std::min(model.look.pane, static_cast<int>(runs) - 1);
  const ui::CompareLayout layout = ui::make_compare_layout(
      width, height, dpr, runs, static_cast<std::size_t>(model.look.pane), layout_tab(panel_of(model.look)));
  draw_title(first, layout.title);
  if (!layout.controls.empty()) draw_controls(first, layout.controls);
  draw_actions(first, layout.actions);
  draw_comparison_bar(first, layout.bar);
  if (first.subject().is_ragged()) return;  // changed during this frame
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
