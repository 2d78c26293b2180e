#include "viz/panels/lesson/cover.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lessons/telling.h"
#include "sim/base/text.h"

namespace explorer {
namespace {

using lessons::Question;
using lessons::QuestionKind;
using ui::Rect;

void take(ui::LessonLayout& layout, Rect& place) {
  if (!place.empty()) layout.covered.push_back(std::exchange(place, Rect{}));
}

/// Left side of a claim: "A" of "A < 0.8 * B", which makes a claim on A's size.
std::string_view subject_of(std::string_view claim) {
  std::size_t end = claim.size();
  for (const std::string_view sign : {" < ", " > ", " = ", " within "}) end = std::min(end, claim.find(sign));
  return claim.substr(0, end);
}

/// Paths of the step's own run in formulas, and whether other runs are named as well.
struct Named {
  std::vector<std::string> paths;
  bool others = false;
};

bool is_in_path(char c) { return sim::is_letter(c) || sim::is_digit(c) || std::string_view("_.-").find(c) < 3; }

void add_names(Named& named, std::string_view formula, const LessonPage& page) {
  const auto is_run = [&](std::string_view word) {
    const auto is = [&](const lessons::Other& other) { return other.name == word; };
    const auto &all = page.lesson().others, &here = page.step.others;
    return std::any_of(all.begin(), all.end(), is) || std::any_of(here.begin(), here.end(), is);
  };
  bool of_other = false;
  while (!formula.empty()) {
    const auto end =
        static_cast<std::size_t>(std::find_if_not(formula.begin(), formula.end(), is_in_path) - formula.begin());
    const std::string_view word = formula.substr(0, end);
    formula.remove_prefix(std::max<std::size_t>(1, end));
    if (word.empty()) continue;
    if (is_run(word)) {
      named.others = of_other = true;
      continue;
    }
    if (!of_other && sim::is_letter(word.front())) named.paths.emplace_back(word);
    of_other = false;
  }
}

Named asked_by(const LessonPage& page, const Question& question) {
  Named named;
  if (question.kind == QuestionKind::number || question.kind == QuestionKind::formula)
    add_names(named, std::string_view(question.answer).substr(0, question.answer.find(" |")), page);
  for (const lessons::Choice& choice : question.choices) add_names(named, subject_of(choice.when), page);
  return named;
}

/// Meters that have a card, in the order of the cards. A number can be derived from its meter's counts in a few steps,
/// a ratio to another run cannot.
constexpr std::string_view counted[] = {"tile_traffic", "hbm_traffic", "work", "time", "memory"};

std::vector<std::string> meters_of(const LessonPage& page, const Question& question) {
  const Named named = asked_by(page, question);
  const bool number = question.kind == QuestionKind::number, alone = named.paths.size() == 1 && !named.others;
  std::vector<std::string> meters;
  for (const std::string& path : named.paths) {
    const std::string meter = path.substr(0, path.find('.'));
    const bool is_count = std::find(std::begin(counted), std::end(counted), meter) != std::end(counted);
    const bool is_operand = meter == "roofs" || meter == "kernels" || meter == "here";
    const bool asked = number ? (is_count && !named.others) || (is_operand && alone) : is_count || is_operand;
    const bool known = std::find(meters.begin(), meters.end(), meter) != meters.end();
    if (asked && !known) meters.push_back(meter);
  }
  return meters;
}

/// True if the answer is an entry of a matrix that the step shows.
bool asks_for_entry(const Question& question) {
  const auto is_entry = [](std::string_view formula) {
    return formula.starts_with("here.S.") || formula.starts_with("here.P.");
  };
  return is_entry(question.answer) || std::any_of(question.choices.begin(), question.choices.end(),
                                                  [&](const auto& choice) { return is_entry(choice.when); });
}

/// True if the answer is a number that the softmax panel shows per row, in fewer digits than the answer has.
bool asks_for_row(const Question& question) {
  const auto& answer = question.answer;
  return answer.starts_with("here.alpha.") || answer.starts_with("here.m.") || answer.starts_with("here.l.");
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
  covered.quantities = meters_of(page, question);
  covered.order = question.kind == QuestionKind::order || question.kind == QuestionKind::tile;
  covered.numbers = numbers_from(page, question);
  ui::Layout& stage = layout.stage;
  if (question.kind == QuestionKind::order) {
    take(layout, stage.code);
    take(layout, stage.softmax);
  }
  for (std::size_t n = 0; n < std::size(counted); ++n) {
    if (covered.hides(counted[n])) take(layout, stage.counters[n]);
  }
  if (question.retrieval && question.kind == QuestionKind::choice && covered.hides("memory"))
    take(layout, stage.memory);
  if (covered.hides("roofs") || covered.hides("kernels")) take(layout, stage.roofline);
  if (asks_for_entry(question)) take(layout, stage.matrix);
  if (asks_for_entry(question) || asks_for_row(question)) take(layout, stage.softmax);
  return covered;
}

Covered cover_all(ui::LessonLayout& layout, const LessonPage& page) {
  Covered all;
  for (const Question& question : page.step.questions) {
    Covered covered = cover(layout, page, question);
    std::move(covered.quantities.begin(), covered.quantities.end(), std::back_inserter(all.quantities));
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
