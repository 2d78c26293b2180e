// Questions of a lesson in a terminal, and responses to answers.
#include <algorithm>

#include "lessons/telling.h"
#include "sim/base/text.h"
#include "sim/report/numbers.h"
#include "viz/terminal/lesson/pages.h"
#include "viz/terminal/lesson/phrases.h"

namespace terminal {
namespace {

using lessons::Question;
using lessons::QuestionKind;
using std::string;

string lines_of(const StepPage& step, const Question& question, const PageStyle& style) {
  string text;
  if (question.kind == QuestionKind::choice) {
    for (std::size_t n = 0; n < question.choices.size(); ++n)
      text += in_lines(typed(step.page.label(question.choices[n].name)), style.columns, sim::text("  ", n + 1, ") "));
  }
  if (question.kind == QuestionKind::order) {
    const std::vector<std::size_t> shown = shown_order(question);
    for (std::size_t n = 0; n < shown.size(); ++n)
      text += kept_line(question.lines[shown[n]], style.columns, sim::text("  ", n + 1, ") "));
  }
  return text;
}

string because(const StepPage& step, const Question& question, const PageStyle& style) {
  const string& reason = step.page.words(question.text).because;
  return reason.empty() ? "" : in_lines(typed(reason), style.columns, "  ");
}

string reason_of(const StepPage& step, const string& why) { return typed(step.page.reason(why)); }

/// "= 307,200 B" after some text; the lines of an order follow below.
string expected_lines(const StepPage& step, const Question& question, const PageStyle& style, const string& start) {
  string text = in_lines(expected_text(step, question), style.columns, start);
  if (question.kind != QuestionKind::order) return text;
  for (const string& line : question.lines) text += kept_line(line, style.columns, "      ");
  return text;
}

/// The number as it was parsed; "" for other kinds of answers.
string read_as(const Question& question, const lessons::Verdict& verdict, const PageStyle& style) {
  if (question.kind != QuestionKind::number) return "";
  return in_lines(verdict.given, style.columns, "  " + phrase(style.language, "read as") + " ");
}

/// A wrong answer in readable form.
string wrong_text(const StepPage& step, const Question& question, const lessons::Wrong& wrong) {
  const lessons::Facts& facts = step.scene.facts();
  if (question.kind != QuestionKind::number) return wrong_answer(question, wrong, step.scene);
  return lessons::written_exactly(facts.quantity(wrong.when).value, facts.quantity(question.answer).unit);
}

}  // namespace

string question_text(const StepPage& step, const Question& question, const PageStyle& style) {
  const string kind = question.retrieval                     ? phrase(style.language, "Recall")
                      : question.kind == QuestionKind::until ? phrase(style.language, "Your turn")
                                                             : phrase(style.language, "Predict");
  const string end = style.language == lessons::Language::zh ? "：" : ": ";
  return in_lines(kind + end + typed(step.page.words(question.text).question), style.columns, "? ") +
         lines_of(step, question, style) +
         in_lines(how_to_answer(style.language, question, step.scene), style.columns, "  ");
}

string expected_text(const StepPage& step, const Question& question) {
  if (question.kind == QuestionKind::number) {
    const lessons::Facts::Quantity right = step.scene.facts().quantity(question.answer);
    const string exact = lessons::written_exactly(right.value, right.unit),
                 rounded = lessons::written(right.value, right.unit);
    return exact == rounded ? exact : exact + " (" + rounded + ")";
  }
  const string text = lessons::right_answer(question, step.scene);
  return question.kind == QuestionKind::choice ? typed(step.page.label(text)) : text;
}

string answer_text(const StepPage& step, const Question& question, const PageStyle& style) {
  string text = expected_lines(step, question, style, "= ") + because(step, question, style);
  for (const lessons::Wrong& wrong : question.wrong)
    text += in_lines(wrong_text(step, question, wrong) + ": " + reason_of(step, wrong.why), style.columns, "x ");
  for (std::size_t n = 0; n < question.choices.size(); ++n) {
    const string reason = reason_of(step, question.choices[n].name);
    if (!reason.empty()) text += in_lines(reason, style.columns, sim::text("x ", n + 1, ") "));
  }
  return text;
}

string answered_text(const StepPage& step, const Question& question, const PageStyle& style) {
  return question_text(step, question, style) + answer_text(step, question, style);
}

string try_text(const StepPage& step, const Question& question, const lessons::Verdict& verdict, std::size_t left,
                const PageStyle& style) {
  const bool only_size = verdict.why.empty() && verdict.diagnosis == lessons::Diagnosis::none && verdict.ratio > 0;
  const string said = !verdict.why.empty() ? reason_of(step, verdict.why)
                      : only_size          ? phrase(style.language, verdict.ratio > 1 ? "Too large." : "Too small.")
                                           : diagnosis_text(style.language, verdict);
  const string reason = lessons::without_answer(said, question, step.scene.facts());
  const string more = left == 1 ? phrase(style.language, "One more try.")
                                : phrase(style.language, "{} more tries.", std::vector<std::size_t>{left});
  const string space = gap(style.language);
  return read_as(question, verdict, style) +
         in_lines(phrase(style.language, "Not yet.") + space + reason + (reason.empty() ? "" : space) + more,
                  style.columns, "x ");
}

string verdict_text(const StepPage& step, const Question& question, const lessons::Verdict& verdict,
                    const PageStyle& style) {
  if (!verdict.understood) return in_lines(verdict.error_in(style.language), style.columns, "  ");
  string text = read_as(question, verdict, style);
  if (verdict.score > 0)
    text += sim::text("  ", phrase(style.language, "score"), " ", report::thousands(std::llround(verdict.score)), ", ",
                      phrase(style.language, "par"), " ", report::thousands(std::llround(verdict.par)), "\n");
  if (verdict.right)
    return text + expected_lines(step, question, style, "+ " + phrase(style.language, "Right.") + "  = ") +
           because(step, question, style);
  if (question.kind == QuestionKind::until)
    return text + "x " + phrase(style.language, "The goal is not reached yet.") + "\n";
  const string reason = verdict.why.empty() ? diagnosis_text(style.language, verdict) : reason_of(step, verdict.why);
  const string space = reason.empty() ? "" : gap(style.language);
  text += in_lines(phrase(style.language, "Not yet.") + space + reason, style.columns, "x ");
  return text + expected_lines(step, question, style, "  " + phrase(style.language, "the run counted") + " = ") +
         because(step, question, style);
}

}  // namespace terminal
