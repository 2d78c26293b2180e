#include "viz/panels/lesson/cover.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "lessons/covered.h"
#include "lessons/telling.h"

namespace explorer {
namespace {

using lessons::Question;
using lessons::QuestionKind;
using ui::Rect;

void take(ui::LessonLayout& layout, Rect& place) {
  if (!place.empty()) layout.covered.push_back(std::exchange(place, Rect{}));
}

/// Meters that have a card, in the order of the cards. A number can be derived from its meter's counts in a few steps,
/// so all of a meter is hidden.
constexpr std::string_view counted[] = {"tile_traffic", "hbm_traffic", "work", "time", "memory"};

/// The quantities that a question asks for, of meters whole.
std::vector<std::string> hidden_by(const LessonPage& page, const Question& question) {
  std::vector<std::string> hidden;
  for (const std::string& path : asked_quantities(page.lesson(), page.step, question, *page.scene)) {
    const std::string meter = path.substr(0, path.find('.'));
    const std::string& all = meter == "here" ? path : meter;
    if (std::find(hidden.begin(), hidden.end(), all) == hidden.end()) hidden.push_back(all);
  }
  return hidden;
}

/// Levels of memory whose contents are asked for.
std::vector<std::string> levels_asked(const LessonPage& page, const Question& question) {
  std::vector<std::string> levels;
  for (const std::string& path : asked_quantities(page.lesson(), page.step, question, *page.scene)) {
    if (!path.starts_with("memory.")) continue;
    levels.emplace_back(path.find("sram") == std::string::npos ? "hbm" : "shared");
  }
  return levels;
}

/// True if the answer is a number that the softmax panel shows per row, in fewer digits than the answer has.
bool asks_for_row(const Covered& covered) {
  constexpr std::string_view drawn[] = {"here.alpha.", "here.m.", "here.l.", "here.S.", "here.P."};
  return std::any_of(covered.quantities.begin(), covered.quantities.end(), [&](const std::string& path) {
    return std::any_of(std::begin(drawn), std::end(drawn),
                       [&](std::string_view start) { return path.starts_with(start); });
  });
}

/// Finds numbers in a text that reveal the answer of a question, or of a later one of the step.
std::function<Covered::Spans(std::string_view)> numbers_from(const LessonPage& page, const Question& question) {
  std::vector<std::pair<lessons::Facts::Quantity, double>> answers;
  for (const Question* one = &question; one <= &page.step.questions.back(); ++one) {
    if (one->kind == QuestionKind::number || one->kind == QuestionKind::formula)
      answers.emplace_back(page.scene->facts().quantity(one->answer), one->tolerance);
  }
  if (answers.empty()) return {};
  return [answers](std::string_view text) {
    Covered::Spans all;
    for (const auto& [answer, tolerance] : answers) {
      for (const auto& span : lessons::telling_numbers(text, answer, tolerance)) all.push_back(span);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  };
}

}  // namespace

Covered cover(ui::LessonLayout& layout, const LessonPage& page, const Question& question) {
  Covered covered;
  if (!page.scene) return covered;
  covered.quantities = hidden_by(page, question);
  covered.levels = levels_asked(page, question);
  covered.order = question.kind == QuestionKind::order || question.kind == QuestionKind::tile;
  covered.numbers = numbers_from(page, question);
  ui::Layout& stage = layout.stage;
  if (question.kind == QuestionKind::order) {
    take(layout, stage.code);
    take(layout, stage.softmax);
  }
  if (covered.hides("roofs") || covered.hides("kernels")) take(layout, stage.roofline);
  if (asks_for_row(covered)) take(layout, stage.softmax);
  return covered;
}

Covered cover_all(ui::LessonLayout& layout, const LessonPage& page) {
  Covered all;
  for (const Question& question : page.step.questions) {
    Covered covered = cover(layout, page, question);
    std::move(covered.quantities.begin(), covered.quantities.end(), std::back_inserter(all.quantities));
    std::move(covered.levels.begin(), covered.levels.end(), std::back_inserter(all.levels));
    all.order |= covered.order;
    if (!all.numbers) all.numbers = std::move(covered.numbers);  // the first one's also finds the answers of the others
  }
  return all;
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
