#include "viz/explorer/explorer.h"

#include <algorithm>

#include "viz/explorer/comparison_window.h"
#include "viz/explorer/keys.h"
#include "viz/explorer/race_window.h"
#include "viz/explorer/tabs.h"
#include "viz/panels/batch/batch.h"
#include "viz/panels/description.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/tour.h"
#include "viz/panels/overlay.h"
#include "viz/panels/panels.h"
#include "viz/panels/race/race.h"
#include "viz/panels/roles/roles.h"
#include "viz/panels/scenario/device_form.h"

namespace explorer {
namespace {

void draw_tab_bar(View& view, ui::Rect rect) {
  choose(view, "tab", rect, "tab", tab_titles(view), view.model.look.tab);
}

/// Draws a panel unless the layout has no space for it.
void draw_where_visible(View& view, ui::Rect rect, void (*draw)(View&, ui::Rect)) {
  if (!rect.empty()) draw(view, rect);
}

void draw_panels(View& view, const ui::Layout& layout, ui::Rect full) {
  draw_where_visible(view, layout.title, draw_title);
  draw_where_visible(view, layout.controls, draw_controls);
  draw_where_visible(view, layout.actions, draw_actions);
  draw_where_visible(view, layout.tab_bar, draw_tab_bar);
  if (!full.empty()) return draw_full_view(view, full);
  if (view.subject().is_ragged()) return;  // changed during this frame
  for (std::size_t i = 0; i < layout.counters.size(); ++i) {
    if (!layout.counters[i].empty()) draw_counter(view, layout.counters[i], i);
  }
  draw_where_visible(view, layout.roofline, draw_roofline);
  draw_where_visible(view, layout.memory, draw_memory);
  draw_where_visible(view, layout.matrix, draw_center);
  draw_where_visible(view, layout.code, draw_listing);
  draw_where_visible(view, layout.softmax, draw_softmax);
  draw_where_visible(view, layout.timeline, draw_timeline);
}

/// The panel in the middle, or the one shown instead.
ui::Rect middle_of(const ui::Layout& layout) {
  for (const ui::Rect& panel : {layout.matrix, layout.memory, layout.code, layout.softmax, layout.counters[0]}) {
    if (!panel.empty()) return panel;
  }
  return layout.window;
}

/// Area of all panels, below the top bar and the tabs.
ui::Rect below_top_bar(const ui::Layout& layout) {
  float top = layout.window.y;
  for (const ui::Rect& bar : {layout.title, layout.controls, layout.actions, layout.tab_bar}) {
    if (!bar.empty()) top = std::max(top, bar.bottom());
  }
  return {layout.window.x, top, layout.window.width, layout.window.bottom() - top};
}

/// Opens the tour at the step of the link, whose scenario it loads; other settings of the link are kept.
void open_tour(ViewModel& model) {
  const Look named = model.look;
  go_to_tour_step(model, std::max(1, named.tour_step));
  for (const LookField& field : look_fields()) {
    const std::string value = field.text(named);
    if (field.name != "tour-step" && !field.name.starts_with("lesson") && value != field.text(Look{}))
      field.set(model.look, value);
  }
  model.lesson.opens_tour = false;
}

}  // namespace

bool Explorer::update(double seconds) {
  const bool moved = model.tick(seconds);
  return model.advance() || moved;
}

void Explorer::draw(ui::Ui& ui, float width, float height, float dpr) {
  if (!begin_lesson(model, ui.state)) take_keys(model, ui.state);
  if (model.look.overlay == Overlay::tour && (model.look.tour_step == 0 || model.lesson.opens_tour)) open_tour(model);
  View view{ui, model};
  ui::LessonLayout lesson = lesson_layout(model, width, height, dpr, layout_tab(model.look.tab));
  if (give_way(model, lesson)) lesson = lesson_layout(model, width, height, dpr, layout_tab(model.look.tab));
  const ui::Layout& layout = lesson.stage;
  view.bare = lesson.presented;
  const bool ragged = model.subject(0).is_ragged();
  if (!ragged && model.plays_run() && (model.look.lesson.empty() || model.lesson.handout)) {
    draw_race(ui, model, width, height, dpr);
  } else if (!ragged && lesson.races) {
    draw_race(ui, model, layout);
    draw_lesson(view, lesson);
  } else if (!ragged && model.subjects() > 1 && lesson.panel.empty() && lesson.full.empty()) {
    draw_comparison(ui, model, width, height, dpr);
  } else {
    ui.canvas.cover_texts(&model.lesson.covered.numbers);
    draw_panels(view, layout, lesson.full);
    ui.canvas.cover_texts(nullptr);  // texts of the lesson itself stay visible
    draw_lesson(view, lesson);
    ui.canvas.cover_texts(&model.lesson.covered.numbers);
  }
  const bool paints = model.look.overlay == Overlay::pattern;
  if (!paints) draw_error(view, middle_of(layout), below_top_bar(layout));  // else the editor reports it
  draw_link_errors(view, layout.window);
  draw_why(view, layout.window, layout.tabbed);
  if (model.look.overlay == Overlay::tour) draw_tour(view, lesson);
  if (model.look.overlay == Overlay::help) draw_help(view);
  if (model.look.overlay == Overlay::palette) draw_palette(view);
  if (paints) draw_pattern_editor(view);
  if (model.look.overlay == Overlay::device) draw_device_form(view);
  draw_notice(view, {0, 0, width, height});
}

float Explorer::scale(float width, float height, float dpr) const {
  return presents(model, width, height, dpr) ? ui::presenter_scale(width, height, dpr)
                                             : ui::ui_scale(width, height, dpr);
}

std::string Explorer::description() const {
  if (model.subject(0).is_ragged()) return batch_sentence(model.look.language, model.subject(0));
  if (model.plays_run()) return race_sentence(model);
  if (model.look.center == Center::roles && !model.replay().roles.empty() && !model.lesson.covered.order)
    return model.lesson.covered.without_answer(roles_sentence(model.look.language, model.subject(0)));
  return description_text(model.look.language, model.subject(0), model.lesson.covered);
}

}  // namespace explorer
