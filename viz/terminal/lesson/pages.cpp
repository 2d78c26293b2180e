#include "viz/terminal/lesson/pages.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lessons/options_text.h"
#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/report/numbers.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/phrases.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

using lessons::Question;
using lessons::QuestionKind;
using std::string;

string heading(const StepPage& step, const PageStyle& style) {
  const lessons::Lesson& lesson = step.written->lesson;
  const string left = sim::text(lesson.number(), " ", step.written->words(style.language).title, "   ",
                                phrase(style.language, "step {} of {}", {step.number + 1, lesson.steps.size()}), "   ",
                                typed(step.page.title));
  return in_lines(left, style.columns) + string(static_cast<std::size_t>(style.columns), '-') + "\n";
}

/// Whether an open question asks for a quantity: then it is covered.
bool is_asked(const StepPage& step, std::string_view path, const std::set<string>& answered) {
  const auto names = [&](const string& formula) { return formula.find(path) != string::npos; };
  return std::any_of(step.step().questions.begin(), step.step().questions.end(), [&](const Question& question) {
    const auto& choices = question.choices;
    const bool in_choice =
        std::any_of(choices.begin(), choices.end(), [&](const lessons::Choice& choice) { return names(choice.when); });
    return answered.count(question.text) == 0 && (names(question.answer) || names(question.until) || in_choice);
  });
}

/// Bytes of each tensor across the SRAM boundary, and what comes of it. A sum with a covered part is covered as well.
string traffic_table(const StepPage& step, const PageStyle& style, const std::set<string>& answered) {
  const lessons::Facts& facts = step.scene.facts();
  report::Table table({phrase(style.language, "tile traffic"), "B"});
  bool covered = is_asked(step, "tile_traffic.total", answered) || is_asked(step, "tile_traffic.matrix", answered);
  const bool all = covered;
  const auto row = [&](const string& name, const string& path, bool hidden) {
    covered |= hidden;
    table.row({name, hidden ? "?" : report::thousands(std::llround(facts.value(path)))});
  };
  for (const auto& [tensor, traffic] : step.scene.run().totals.by_tensor) {
    if (traffic.total().count() == 0) continue;
    const string name(sim::name_of(tensor)), path = "tile_traffic.by_tensor." + name;
    row("  " + name, path, all || is_asked(step, path, answered));
  }
  row(phrase(style.language, "all tensors"), "tile_traffic.total", covered);
  table.rule();
  row(phrase(style.language, "HBM traffic"), "hbm_traffic", is_asked(step, "hbm_traffic", answered));
  return table.text() + (covered ? "? " + phrase(style.language, "covered until it is answered") + "\n" : "");
}

/// The first, the current and the last row blocks; all where they are few.
std::vector<std::int64_t> shown_rows(std::int64_t rows, std::int64_t current) {
  constexpr std::int64_t few = 8;
  std::vector<std::int64_t> shown;
  for (std::int64_t i = 0; i < std::min(rows, few); ++i) shown.push_back(i);
  if (rows <= few) return shown;
  shown = {0, 1, current - 1, current, current + 1, rows - 1};
  std::erase_if(shown, [&](std::int64_t i) { return i < 0 || i >= rows; });
  std::sort(shown.begin(), shown.end());
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  return shown;
}

/// The tiles of S: done, current and to come at the cursor.
string tile_picture(const StepPage& step, const PageStyle& style) {
  const sim::Problem& problem = step.scene.run().plan.problem;
  const std::int64_t rows = sim::ceil_div(problem.shape.seqlen_q, problem.tiling.br);
  const std::int64_t cols = sim::ceil_div(problem.shape.seqlen_k, problem.tiling.bc);
  const auto& cursor = step.scene.cursor();
  if (!cursor || cursor->i < 0 || cursor->j < 0 || cols > style.columns - 20) return "";
  const sim::GridShape& grid = step.scene.run().plan.launches[cursor->kernel].grid;
  const bool columns_outside = grid.of_heads() && !grid.by_kv_head();
  const auto order = [&](std::int64_t i, std::int64_t j) { return columns_outside ? j * rows + i : i * cols + j; };
  const auto line = [&](std::int64_t i) {
    const string number = std::to_string(i), widest = std::to_string(rows - 1);
    string text = "    Q " + string(widest.size() - number.size(), ' ') + number + " |";
    for (std::int64_t j = 0; j < cols; ++j) {
      const bool here = i == cursor->i && j == cursor->j;
      text += here ? '@' : order(i, j) < order(cursor->i, cursor->j) ? '#' : '.';
    }
    return text + "|\n";
  };
  string text = "\n";
  std::int64_t next = 0;
  for (const std::int64_t i : shown_rows(rows, cursor->i)) {
    if (i > next) text += sim::text("    : ", i - next, " ", phrase(style.language, "more rows"), "\n");
    text += line(i);
    next = i + 1;
  }
  return text +
         in_lines(phrase(style.language, "tiles of S") + ": " + phrase(style.language, "# done  @ current  . to do"),
                  style.columns, "    ");
}

string lines_of(const StepPage& step, const Question& question, const PageStyle& style) {
  string text;
  if (question.kind == QuestionKind::choice) {
    for (std::size_t n = 0; n < question.choices.size(); ++n) {
      const auto label = step.page.choices.find(question.choices[n].name);
      text += in_lines(typed(label == step.page.choices.end() ? question.choices[n].name : label->second),
                       style.columns, sim::text("  ", n + 1, ") "));
    }
  }
  if (question.kind == QuestionKind::order) {
    const std::vector<std::size_t> shown = shown_order(question);
    for (std::size_t n = 0; n < shown.size(); ++n) text += sim::text("  ", n + 1, ") ", question.lines[shown[n]], "\n");
  }
  return text;
}

const lessons::QuestionWords& words_of(const StepPage& step, const Question& question) {
  static const lessons::QuestionWords none;
  const auto found = step.page.questions.find(question.text);
  return found == step.page.questions.end() ? none : found->second;
}

string because(const StepPage& step, const Question& question, const PageStyle& style) {
  const string& reason = words_of(step, question).because;
  return reason.empty() ? "" : in_lines(typed(reason), style.columns, "  ");
}

string reason_of(const StepPage& step, const string& why) {
  const auto found = step.page.reasons.find(why);
  return found == step.page.reasons.end() ? "" : typed(found->second);
}

/// "+ Right.  = 307,200 B"; the lines of an order stand below it.
string right_lines(const StepPage& step, const Question& question, const PageStyle& style) {
  const string text = phrase(style.language, "Right.") + "  = " + expected_text(step, question);
  const std::size_t end = std::min(text.find('\n'), text.size());
  return in_lines(text.substr(0, end), style.columns, "+ ") + text.substr(std::min(end + 1, text.size())) +
         (end < text.size() ? "\n" : "");
}

/// A wrong answer as people read it.
string wrong_text(const StepPage& step, const Question& question, const lessons::Wrong& wrong) {
  const lessons::Facts& facts = step.scene.facts();
  if (question.kind != QuestionKind::number) return wrong_answer(question, wrong, step.scene);
  return lessons::written_exactly(facts.quantity(wrong.when).value, facts.quantity(question.answer).unit);
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
  string text = heading(step, style);
  for (const lessons::Block& block : step.page.blocks) text += "\n" + block_text(block, style.columns);
  const string& point = step.step().point;
  text += tile_picture(step, style);
  if (point == "counters" || point == "memory") text += "\n" + traffic_table(step, style, answered);
  return text;
}

string question_text(const StepPage& step, const Question& question, const PageStyle& style) {
  const string kind = question.retrieval                     ? phrase(style.language, "Recall")
                      : question.kind == QuestionKind::until ? phrase(style.language, "Your turn")
                                                             : phrase(style.language, "Predict");
  const string end = style.language == lessons::Language::zh ? "：" : ": ";
  return in_lines(kind + end + typed(words_of(step, question).question), style.columns, "? ") +
         lines_of(step, question, style) + in_lines(how_to_answer(style.language, question), style.columns, "  ");
}

string expected_text(const StepPage& step, const Question& question) {
  if (question.kind == QuestionKind::number) {
    const lessons::Facts::Quantity right = step.scene.facts().quantity(question.answer);
    const string exact = lessons::written_exactly(right.value, right.unit),
                 rounded = lessons::written(right.value, right.unit);
    return exact == rounded ? exact : exact + " (" + rounded + ")";
  }
  string text = lessons::right_answer(question, step.scene);
  if (question.kind == QuestionKind::choice) {
    const auto label = step.page.choices.find(text);
    if (label != step.page.choices.end()) text = typed(label->second);
  }
  if (question.kind == QuestionKind::order) {
    for (const string& line : question.lines) text += "\n      " + line;
  }
  return text;
}

string answered_text(const StepPage& step, const Question& question, const PageStyle& style) {
  string text = question_text(step, question, style) + "= " + expected_text(step, question) + "\n" +
                because(step, question, style);
  for (const lessons::Wrong& wrong : question.wrong)
    text += in_lines(wrong_text(step, question, wrong) + ": " + reason_of(step, wrong.why), style.columns, "x ");
  for (const lessons::Choice& choice : question.choices) {
    const string reason = reason_of(step, choice.name);
    if (!reason.empty()) text += in_lines(choice.name + ": " + reason, style.columns, "x ");
  }
  return text;
}

string verdict_text(const StepPage& step, const Question& question, const lessons::Verdict& verdict,
                    const PageStyle& style) {
  if (!verdict.understood) return in_lines(verdict.complaint, style.columns, "  ");
  string text;
  if (question.kind == QuestionKind::number)
    text += "  " + phrase(style.language, "read as") + " " + verdict.given + "\n";
  if (verdict.score > 0)
    text += sim::text("  ", phrase(style.language, "score"), " ", report::thousands(std::llround(verdict.score)), ", ",
                      phrase(style.language, "par"), " ", report::thousands(std::llround(verdict.par)), "\n");
  if (verdict.right) return text + right_lines(step, question, style) + because(step, question, style);
  if (question.kind == QuestionKind::until)
    return text + "x " + phrase(style.language, "the goal is not reached yet") + "\n";
  const string reason = verdict.why.empty() ? diagnosis_text(style.language, verdict) : reason_of(step, verdict.why);
  text += in_lines(phrase(style.language, "Not yet.") + " " + reason, style.columns, "x ");
  return text + "  " + phrase(style.language, "the run counted") + " = " + expected_text(step, question) + "\n" +
         because(step, question, style);
}

}  // namespace terminal
