#include "viz/terminal/lesson/pages.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lessons/options_text.h"
#include "lessons/telling.h"
#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/report/numbers.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/views.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

using lessons::Question;
using lessons::QuestionKind;
using std::string;

/// Lesson, position in it, and title of the step: on one line, or on one each.
string heading(const StepPage& step, const PageStyle& style) {
  const lessons::Lesson& lesson = step.written->lesson;
  const string where = sim::text(lesson.number(), " ", step.written->words(style.language).title, "   ",
                                 say(style.language, "step {} of {}", step.number + 1, lesson.steps.size()));
  const string title = typed(step.page.title), all = where + "   " + title;
  const bool fits = columns_of(all) <= static_cast<float>(style.columns);
  return (fits ? all + "\n" : in_lines(where, style.columns) + in_lines(title, style.columns)) +
         string(static_cast<std::size_t>(style.columns), '-') + "\n";
}

/// Aim of a lesson, shown before its first step.
string aim(const StepPage& step, const PageStyle& style) {
  const std::vector<lessons::Block>& blocks = step.written->words(style.language).aim;
  if (step.number > 0 || blocks.empty()) return "";
  return in_lines(say(style.language, "What you will be able to do:"), style.columns) +
         blocks_text(blocks, style.columns).substr(1) + "\n";
}

}  // namespace

StepPage make_step_page(const lessons::WrittenLesson& written, std::size_t number, lessons::Language language,
                        const sim::OptionValues& changes) {
  const lessons::Step& step = written.lesson.steps.at(number);
  lessons::Scene scene(written.lesson, step, find_gpu, changes);
  lessons::Page page = lessons::filled(written.words(language).page(step.name), scene.facts());
  return {&written, number, std::move(scene), std::move(page)};
}

string step_text(const StepPage& step, const PageStyle& style, const std::set<string>& answered) {
  return aim(step, style) + heading(step, style) + blocks_text(step.page.blocks, style.columns) +
         views_text(step, style, answered);
}

string told_text(const StepPage& step, const PageStyle& style) {
  return step.page.told.empty() ? "" : blocks_text(step.page.told, style.columns).substr(1) + "\n";
}

namespace {

// Questions of a lesson in a terminal, and responses to answers.

using lessons::Language;

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
  return in_lines(verdict.given, style.columns, "  " + say(style.language, "read as") + " ");
}

/// Diagnosis of a wrong number from its ratio to the right one; "" if there is none.
string diagnosis_text(Language language, const lessons::Verdict& verdict) {
  if (!verdict.reason.empty()) return translated(language, verdict.reason);
  if (verdict.ratio <= 0) return "";
  const bool large = verdict.ratio > 1;
  const string times = lessons::written(large ? verdict.ratio : 1 / verdict.ratio, "number");
  return times + gap(language) + say(language, large ? /*say*/ "times too large" : /*say*/ "times too small");
}

/// The input format of a question: "a number, with or without a unit: 2.5 MB, 3*1024".
string how_to_type(Language language, std::string_view unit) {
  struct Example {
    std::string_view unit, how, example;
  };
  constexpr std::string_view with = /*say*/ "a number with its unit:",
                             either = /*say*/ "a number, with or without a unit:";
  constexpr Example examples[] = {{"bytes", either, "2.5 MB, 3*1024"},      {"exact_bytes", either, "2.5 MB, 3*1024"},
                                  {"kibibytes", with, "2.5 kB, 64 KiB"},    {"microseconds", with, "2.5 ms, 340 µs"},
                                  {"percent", either, "12.5 %, 12.5"},      {"flops", with, "2.5 GFLOP"},
                                  {"intensity", either, "2.5 FLOP/B, 5/2"}, {"flop_rate", with, "120 TFLOP/s"},
                                  {"byte_rate", with, "2.5 TB/s, 800 GB/s"}};
  for (const Example& known : examples) {
    if (known.unit == unit) return say(language, known.how) + gap(language) + string(known.example);
  }
  return say(language, "a number:") + gap(language) + "2.5, 3*1024";
}

/// Instructions for a goal: "type what you change, now: br=16 bc=16 (all else is locked)".
string how_to_change(Language language, const Question& goal, const lessons::Scene& scene) {
  const nlohmann::ordered_json& now = scene.facts().run("")->at("scenario");
  string text = say(language, "type what you change, now:") + gap(language);
  for (const string& name : goal.change) {
    const nlohmann::ordered_json value = now.value(name, nlohmann::ordered_json());
    text += (&name == &goal.change.front() ? "" : " ") + name + "=" +
            (value.is_string() ? value.get<string>() : value.dump());
  }
  return text + " (" + say(language, "all else is locked") + ")";
}

/// Instructions for answering a question: "a number, with or without a unit: 2.5 MB, 3*1024"; for a goal with the
/// current values of its options.
string how_to_answer(Language language, const Question& question, const lessons::Scene& scene) {
  switch (question.kind) {
    case QuestionKind::number:
      return how_to_type(language, scene.facts().quantity(question.answer).unit);
    case QuestionKind::choice:
      return say(language, "the number of one of these");
    case QuestionKind::tile:
      return say(language, "a tile: its row block and its column block, from 0: 0, 1");
    case QuestionKind::order:
      return say(language, "the order of the lines: 3 1 2");
    case QuestionKind::formula:
      return say(language, "a formula in N d Br Bc Tr Tc M e h b: 2*N*d*e");
    case QuestionKind::until:
      break;
  }
  return how_to_change(language, question, scene);
}

/// A wrong answer in readable form.
string wrong_text(const StepPage& step, const Question& question, const lessons::Wrong& wrong) {
  const lessons::Facts& facts = step.scene.facts();
  if (question.kind != QuestionKind::number) return wrong_answer(question, wrong, step.scene);
  return lessons::written_exactly(facts.quantity(wrong.when).value, facts.quantity(question.answer).unit);
}

}  // namespace

string question_text(const StepPage& step, const Question& question, const PageStyle& style) {
  const string kind = question.retrieval                     ? say(style.language, "Recall")
                      : question.kind == QuestionKind::until ? say(style.language, "Your turn")
                                                             : say(style.language, "Predict");
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
  const bool only_size = verdict.why.empty() && verdict.reason.empty() && verdict.ratio > 0;
  const string said = !verdict.why.empty() ? reason_of(step, verdict.why)
                      : only_size ? say(style.language, verdict.ratio > 1 ? /*say*/ "Too large." : /*say*/ "Too small.")
                                  : diagnosis_text(style.language, verdict);
  const string reason = lessons::without_answer(said, question, step.scene.facts());
  const string more = left == 1 ? say(style.language, "One more try.") : say(style.language, "{} more tries.", left);
  const string space = gap(style.language);
  return read_as(question, verdict, style) +
         in_lines(say(style.language, "Not yet.") + space + reason + (reason.empty() ? "" : space) + more,
                  style.columns, "x ");
}

string verdict_text(const StepPage& step, const Question& question, const lessons::Verdict& verdict,
                    const PageStyle& style) {
  if (!verdict.understood) return in_lines(translated(style.language, verdict.error), style.columns, "  ");
  string text = read_as(question, verdict, style);
  if (verdict.score > 0)
    text += sim::text("  ", say(style.language, "score"), " ", report::thousands(std::llround(verdict.score)), ", ",
                      say(style.language, "par"), " ", report::thousands(std::llround(verdict.par)), "\n");
  if (verdict.right)
    return text + expected_lines(step, question, style, "+ " + say(style.language, "Right.") + "  = ") +
           because(step, question, style);
  if (question.kind == QuestionKind::until)
    return text + "x " + say(style.language, "The goal is not reached yet.") + "\n";
  const string reason = verdict.why.empty() ? diagnosis_text(style.language, verdict) : reason_of(step, verdict.why);
  const string space = reason.empty() ? "" : gap(style.language);
  text += in_lines(say(style.language, "Not yet.") + space + reason, style.columns, "x ");
  return text + expected_lines(step, question, style, "  " + say(style.language, "the run counted") + " = ") +
         because(step, question, style);
}

}  // namespace terminal
