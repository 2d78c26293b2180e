#include <algorithm>

#include "viz/panels/lesson/cover.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/panels.h"

namespace explorer {
namespace {

using lessons::Question;

/// True if the question covers all of a panel.
bool covers(const LessonPage& page, const Question& question, const Front& front) {
  constexpr ui::Rect some{0, 0, 1, 1};
  ui::LessonLayout all;
  ui::Layout& stage = all.stage;
  for (ui::Rect* place : {&stage.matrix, &stage.memory, &stage.code, &stage.softmax, &stage.roofline}) *place = some;
  stage.counters.fill(some);
  const Covered covered = cover(all, page, question);
  if (front.tab == Tab::memory) return stage.memory.empty();
  if (front.tab == Tab::code) return stage.code.empty();
  if (front.tab == Tab::softmax) return stage.softmax.empty();
  if (front.tab == Tab::counters) {
    const auto is_hatched = [](const ui::Rect& place) { return place.empty(); };
    return stage.roofline.empty() && std::all_of(stage.counters.begin(), stage.counters.end(), is_hatched);
  }
  return stage.matrix.empty() || covers_center(covered, front.center);
}

/// First panel that the question does not cover: `front` itself, if possible.
Front left_by(const LessonPage& page, const Question& question, const Front& front) {
  if (!covers(page, question, front)) return front;
  for (const Tab tab : {Tab::matrix, Tab::code, Tab::memory, Tab::counters, Tab::softmax}) {
    const Front other{tab, Center::matrix};
    if (!covers(page, question, other)) return other;
  }
  return front;
}

void put_in_front(Look& look, const Front& front) {
  look.tab = front.tab;
  look.center = front.center;
}

}  // namespace

bool give_way(ViewModel& model, const ui::LessonLayout& layout) {
  if (!has_lesson(model) || !shows_step(model.look)) return false;
  LessonPage& page = page_of(model);
  LessonMemory& memory = memory_of(model);
  const Question* open = layout.stage.tabbed ? open_question(model, page) : nullptr;
  const std::string asked = open == nullptr ? "" : sim::text(page.step.name, "/", open->text);
  if (asked == memory.asked) return false;  // until the question changes, the learner may select any panel
  memory.asked = asked;
  const Front before{model.look.tab, model.look.center};
  const Front named = memory.hidden && before == memory.shown ? *memory.hidden : before;
  const Front front = open == nullptr ? named : left_by(page, *open, named);
  memory.shown = front;
  memory.hidden = front == named ? std::nullopt : std::optional(named);
  put_in_front(model.look, front);
  return front != before;
}

}  // namespace explorer
