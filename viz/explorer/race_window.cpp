#include "viz/explorer/race_window.h"

#include "viz/panels/panels.h"
#include "viz/panels/race/race.h"
#include "viz/panels/scenario/comparison.h"

namespace explorer {

namespace {

void draw(ui::Ui& ui, ViewModel& model, const ui::RaceLayout& layout) {
  View first{ui, model};
  draw_title(first, layout.title);
  if (!layout.controls.empty()) draw_controls(first, layout.controls);
  draw_actions(first, layout.actions);
  if (first.subject().is_ragged()) return;  // changed during this frame
  for (std::size_t n = 0; n < layout.cards.size() && n < model.subjects(); ++n) {
    View view{ui, model, n};
    ui::mark_place(ui, sim::text("run:", n), layout.cards[n].card);
    draw_race_card(view, layout.cards[n]);
  }
  draw_race_footer(first, layout);
  if (!layout.bar.empty()) draw_comparison_bar(first, layout.bar);  // last, since it may remove runs
}

}  // namespace

void draw_race(ui::Ui& ui, ViewModel& model, const ui::Layout& stage) {
  draw(ui, model, ui::make_race_layout(stage, model.subjects()));
}

void draw_race(ui::Ui& ui, ViewModel& model, float width, float height, float dpr) {
  draw(ui, model, ui::make_race_layout(width, height, dpr, model.subjects()));
}

}  // namespace explorer
