#include <algorithm>

#include "viz/panels/lesson/cover.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/panels.h"

namespace explorer {
namespace {

using lessons::Question;

/// True if the question covers all of a panel: with `docked`, of the one next to the matrix.
bool covers(const LessonPage& page, const Question& question, const Front& front, bool docked) {
  constexpr ui::Rect some{0, 0, 1, 1};
  ui::LessonLayout all;
  ui::Layout& stage = all.stage;
  for (ui::Rect* place : {&stage.memory, &stage.code, &stage.softmax, &stage.roofline}) *place = some;
  const Covered covered = cover(all, page, question);
  if (front.tab == Tab::memory) return stage.memory.empty();
  if (front.tab == Tab::softmax) return stage.softmax.empty();
  if (front.tab == Tab::counters) return docked && stage.roofline.empty();  // else with the counters, next to it
  if (front.tab == Tab::code || docked) return stage.code.empty();
  return covers_center(covered, front.center);
}

/// First panel that the question does not cover: `front` itself, if possible.
Front left_by(const LessonPage& page, const Question& question, const Front& front, bool docked) {
  if (!covers(page, question, front, docked)) return front;
  for (const Tab tab : {Tab::matrix, Tab::code, Tab::memory, Tab::counters, Tab::softmax}) {
    const Front other{tab, docked ? front.center : Center::matrix};
    if (!covers(page, question, other, docked)) return other;
  }
  return front;
}

}  // namespace

void give_way(const View& view, float width, float height, float dpr) {
  const Model& model = view.model;
  if (!has_lesson(model) || !shows_step(model.state.look)) return;
  const LessonPage& page = page_of(model);
  const LessonWork& work = model.state.lesson;
  const bool docked = !ui::is_narrow(width, height, dpr) && !presents(model, width, height, dpr);
  const bool all_shown = docked && shows_tour(model.state.look);  // the tour's window has every panel
  const Question* open = all_shown || !page.scene ? nullptr : open_question(model);
  const std::string asked = open == nullptr ? "" : sim::text(page.step.name, "/", open->text);
  if (asked == work.asked) return;  // until the question changes, the learner may select any panel
  const Front before{model.state.look.tab, model.state.look.center};
  const Front named = work.hidden && before == work.shown ? *work.hidden : before;
  const Front front = open == nullptr ? named : left_by(page, *open, named, docked);
  view.edit(GiveWay{asked, front, front == named ? std::nullopt : std::optional(named)});
}

}  // namespace explorer
