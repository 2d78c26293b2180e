#include "viz/panels/lesson/cover.h"

#include <algorithm>
#include <utility>

namespace explorer {
namespace {

using lessons::Question;
using lessons::QuestionKind;
using ui::Rect;

void take(ui::LessonLayout& layout, Rect& place) {
  if (!place.empty()) layout.covered.push_back(std::exchange(place, Rect{}));
}

/// As one place.
void take_panels(ui::LessonLayout& layout) {
  ui::Layout& stage = layout.stage;
  Rect whole;
  const auto add = [&](Rect& place) {
    if (!place.empty()) whole = whole.empty() ? place : ui::around(whole, place);
    place = {};
  };
  for (Rect& counter : stage.counters) add(counter);
  for (Rect* panel : {&stage.roofline, &stage.memory, &stage.matrix, &stage.code, &stage.softmax}) add(*panel);
  take(layout, whole);
}

/// Whether the answer is a number of the run: of a choice, whether one of its conditions begins with it.
bool asks_for(const Question& question, std::string_view path) {
  if (question.kind == QuestionKind::number) return question.answer.starts_with(path);
  return std::any_of(question.choices.begin(), question.choices.end(),
                     [&](const lessons::Choice& choice) { return choice.when.starts_with(path); });
}

}  // namespace

void cover(ui::LessonLayout& layout, const Question& question) {
  if (question.retrieval) return take_panels(layout);
  if (question.kind == QuestionKind::order) take(layout, layout.stage.code);
  constexpr std::string_view counted[] = {"tile_traffic", "hbm_traffic", "work.", "time.", "memory."};
  for (std::size_t n = 0; n < std::size(counted); ++n) {
    if (asks_for(question, counted[n])) take(layout, layout.stage.counters[n]);
  }
  if (asks_for(question, "here.S.") || asks_for(question, "here.P.")) take(layout, layout.stage.matrix);
}

void draw_cover(View& view, Rect place) {
  const ui::Theme& theme = view.theme();
  ui::panel(view.canvas(), place);
  view.canvas().push_clip(place.inset(view.px(6)));
  for (float x = place.x - place.height; x < place.right(); x += view.px(14))
    view.canvas().line({x, place.bottom()}, {x + place.height, place.y}, theme.track, std::max(1.f, view.px(2)));
  view.canvas().pop_clip();
  const float half = view.px(20);
  const Rect middle{place.x, place.center().y - half, place.width, 2 * half};
  const Rect sign{middle.x, middle.y, middle.width, half}, words{middle.x, middle.y + half, middle.width, half};
  view.canvas().text(sign, ui::Style::number, theme.text, "?", ui::Align::center);
  view.canvas().text(words.inset(view.px(8), 0), ui::Style::caption, theme.text, view.say("covered until you answer"),
                     ui::Align::center);
}

}  // namespace explorer
