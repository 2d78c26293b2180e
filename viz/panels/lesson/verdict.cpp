// What follows an answer: right or not yet, by a shape and a word; the run's value; the reason.
#include <algorithm>

#include "sim/base/text.h"
#include "sim/report/numbers.h"
#include "viz/panels/lesson/blocks.h"
#include "viz/panels/lesson/marks.h"
#include "viz/panels/lesson/question.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using lessons::Diagnosis;
using lessons::Question;
using lessons::QuestionKind;
using ui::Rect;
using ui::Style;

/// What a wrong number says by its ratio to the right one; empty for nothing.
std::string diagnosis_of(Language language, const lessons::Verdict& verdict) {
  const auto say = [&](std::string_view english) { return std::string(words::say(language, english)); };
  switch (verdict.diagnosis) {
    case Diagnosis::twice:
      return say("Twice as much: are reads and writes counted twice, or elements for bytes?");
    case Diagnosis::half:
      return say("Half of it: are the writes there, as well as the reads?");
    case Diagnosis::elements:
      return say("These are elements; an element takes several bytes.");
    case Diagnosis::heads:
      return say("Off by the number of heads.");
    case Diagnosis::batch:
      return say("Off by the number of batch entries.");
    case Diagnosis::one_head:
      return say("This is one head of one batch entry; the run has more.");
    case Diagnosis::binary:
      return say("1,024 for 1,000, or the reverse: kB are 1,000 bytes, KiB 1,024.");
    case Diagnosis::term:
      return words::say_with(language, /*say*/ "This is missing: {}", ui::escaped(verdict.term));
    case Diagnosis::none:
      break;
  }
  if (verdict.ratio <= 0) return "";
  return words::say_with(language, /*say*/ "{} times the right number.", report::ratio(verdict.ratio));
}

/// The words of a choice, the lines of an order; numbers and tiles as they are.
std::string shown_answer(const LessonPage& page, const Question& question, const std::string& answer) {
  if (question.kind == QuestionKind::order) return {};  // the lines themselves stand below
  if (question.kind != QuestionKind::choice) return ui::escaped(answer);
  const auto label = page.page.choices.find(answer);
  return label == page.page.choices.end() ? answer : label->second;
}

/// A mark, what is said, and the answer at the right end, or below where it has no room.
void write_line(Column& column, Mark mark, std::string_view label, const std::string& answer, bool struck) {
  View& view = column.view;
  const ui::Theme& theme = view.theme();
  const float width = written_width(view, Style::title, answer), left = view.px(32);
  const bool beside = left + view.canvas().text_width(Style::body, label) + view.px(16) + width <= column.width();
  Rect line = column.take(view.px(28));
  if (column.draws()) {
    draw_mark(view, {line.x + view.px(10), line.center().y}, mark);
    if (beside) {
      const Rect place = cut_right(line, width);
      const ui::Color color = struck ? theme.muted : theme.text;
      ui::rich_text(view.canvas(), place, Style::title, {color, !struck, theme.card}, answer);
      if (struck) view.canvas().line({place.x, place.center().y}, {place.right(), place.center().y}, color, view.px(1));
    }
    cut_left(line, left);
    view.canvas().text(line, Style::body, struck ? theme.muted : theme.text, label);
  }
  if (!beside && !answer.empty())
    column.boxed(
        32, 0, [](Rect) {}, [&](Column& inner) { write(inner, Style::body, answer); });
}

/// To scale: the learner's is dashed, the run's is filled.
void write_bar(Column& column, std::string_view label, float share, bool dashed) {
  View& view = column.view;
  const ui::Theme& theme = view.theme();
  Rect line = column.take(view.px(22));
  if (!column.draws()) return;
  view.canvas().text(cut_left(line, view.px(96)), Style::caption, theme.muted, label);
  const Rect bar = line.inset(0, view.px(4)).share(std::max(share, 0.01f));
  if (!dashed) return view.canvas().fill(bar, theme.tile_done);
  for (float x = bar.x; x < bar.right(); x += view.px(8)) {
    const float width = std::min(view.px(5), bar.right() - x);
    view.canvas().fill({x, bar.y, width, view.px(1)}, theme.strong);
    view.canvas().fill({x, bar.bottom() - view.px(1), width, view.px(1)}, theme.strong);
  }
  view.canvas().fill({bar.x, bar.y, view.px(1), bar.height}, theme.strong);
  view.canvas().fill({bar.right() - view.px(1), bar.y, view.px(1), bar.height}, theme.strong);
}

void write_bars(Column& column, double ratio) {
  const auto yours = static_cast<float>(ratio / std::max(1.0, ratio)),
             run = static_cast<float>(1 / std::max(1.0, ratio));
  column.space(10);
  write_bar(column, column.view.say("you"), yours, true);
  write_bar(column, column.view.say("the run"), run, false);
}

/// Behind the first full stop that a space follows, or that is Chinese; numbers and links have others.
std::size_t end_of_sentence(std::string_view text) {
  const std::string_view stop = "。";
  const std::size_t dot = text.find(". "), chinese = text.find(stop);
  return std::min({dot == std::string_view::npos ? dot : dot + 1,
                   chinese == std::string_view::npos ? chinese : chinese + stop.size(), text.size()});
}

/// The reason as a headline and the rest of it, behind a bar.
void write_reason(Column& column, const std::string& reason) {
  if (reason.empty()) return;
  View& view = column.view;
  column.space(10);
  const auto bar = [&](Rect rect) {
    view.canvas().fill({rect.x, rect.y, view.px(3), rect.height}, view.theme().strong);
  };
  const std::size_t end = end_of_sentence(reason);
  column.boxed(16, 0, bar, [&](Column& inner) {
    write(inner, Style::title, reason.substr(0, end));
    if (end < reason.size()) write(inner, Style::body, sim::trimmed(std::string_view(reason).substr(end)));
  });
}

void write_because(Column& column, const LessonPage& page, const Question& question) {
  const std::string& because = page.words(question).because;
  if (because.empty()) return;
  column.space(10);
  write(column, Style::body, because);
}

/// The lines in the order that the run has.
void write_lines(Column& column, const Question& question) {
  if (question.kind != QuestionKind::order) return;
  for (std::size_t n = 0; n < question.lines.size(); ++n) {
    column.space(2);
    const auto number = [&](Rect rect) {
      column.view.canvas().text({rect.x, rect.y, column.view.px(20), rect.height}, Style::caption,
                                column.view.theme().muted, sim::text(n + 1));
    };
    column.boxed(24, 0, number, [&](Column& inner) { write_equation(inner, line_markup(question.lines[n])); });
  }
}

void write_wrong(Column& column, const LessonPage& page, const Question& question, const lessons::Verdict& verdict) {
  const View& view = column.view;
  write(column, Style::title, view.say("Not yet."));
  column.space(4);
  write_line(column, Mark::wrong, view.say("you said"), shown_answer(page, question, verdict.given), true);
  write_line(column, Mark::right, view.say("the run counted"), expected_answer(page, question), false);
  write_lines(column, question);
  write_reason(column, reason_of(view.model.look.language, page, verdict));
  if (question.kind == QuestionKind::number && verdict.ratio > 0) write_bars(column, verdict.ratio);
  write_because(column, page, question);
}

}  // namespace

std::string expected_answer(const LessonPage& page, const Question& question) {
  if (!page.scene) return {};
  if (question.kind == QuestionKind::number) {
    const lessons::Facts::Quantity right = page.scene->facts().quantity(question.answer);
    return lessons::written_exactly(right.value, right.unit);
  }
  const std::string answer = lessons::right_answer(question, *page.scene);
  return shown_answer(page, question, answer);
}

std::string reason_of(Language language, const LessonPage& page, const lessons::Verdict& verdict) {
  if (verdict.why.empty()) return diagnosis_of(language, verdict);
  const auto found = page.page.reasons.find(verdict.why);
  return found == page.page.reasons.end() ? "" : found->second;
}

void write_verdict(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  const View& view = column.view;
  if (trying.verdict && !trying.verdict->right) return write_wrong(column, page, question, *trying.verdict);
  const bool right = trying.verdict.has_value();
  const std::string answer =
      right ? shown_answer(page, question, trying.verdict->given) : expected_answer(page, question);
  write_line(column, right ? Mark::right : Mark::shown, right ? view.say("Right.") : view.say("Shown."), answer, false);
  if (right && question.kind == QuestionKind::number && answer != expected_answer(page, question))
    write_line(column, Mark::right, view.say("the run counted"), expected_answer(page, question), false);
  if (right && trying.verdict->score > 0) write_muted(column, score_text(view, page, question, *trying.verdict));
  write_lines(column, question);
  write_because(column, page, question);
}

}  // namespace explorer
