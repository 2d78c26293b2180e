#include "viz/terminal/lesson/pages.h"

#include "sim/base/text.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/views.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

using lessons::Question;
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

using Kind = lessons::Piece::Kind;

lessons::Say say_in(lessons::Language language) {
  return [language](const sim::Sentence& sentence) { return said(language, sentence); };
}

/// Mark at the start of a piece: answers are told apart by a sign as well as by words.
string mark_of(Kind kind) {
  if (kind == Kind::question) return "? ";
  if (kind == Kind::right) return "+ ";
  if (kind == Kind::wrong || kind == Kind::mistake) return "x ";
  if (kind == Kind::expected) return "= ";
  return kind == Kind::shown ? "- " : "  ";
}

/// Text between the label of a piece and its text.
string between(Kind kind, lessons::Language language) {
  if (kind == Kind::choice || kind == Kind::line) return ") ";
  if (kind == Kind::solution) return "  ";
  const bool sentence = kind == Kind::right || kind == Kind::wrong || kind == Kind::shown;
  return sentence ? gap(language) : language == lessons::Language::zh ? "：" : ": ";
}

string piece_text(const lessons::Piece& piece, const PageStyle& style) {
  const string text = piece.markup ? typed(piece.text) : piece.text;
  const bool both = !piece.label.empty() && !text.empty();
  const string words = piece.label + (both ? between(piece.kind, style.language) : "") + text;
  const bool kept = piece.kind == Kind::line || piece.kind == Kind::solution;
  return kept ? kept_line(words, style.columns, mark_of(piece.kind))
              : in_lines(words, style.columns, mark_of(piece.kind));
}

string pieces_text(const lessons::Pieces& pieces, const PageStyle& style) {
  string text;
  for (const lessons::Piece& piece : pieces) text += piece_text(piece, style);
  return text;
}

}  // namespace

string question_text(const StepPage& step, const Question& question, const PageStyle& style) {
  return pieces_text(lessons::question_pieces(step.asked(question), say_in(style.language)), style);
}

string answer_text(const StepPage& step, const Question& question, const PageStyle& style) {
  return pieces_text(lessons::key_pieces(step.asked(question), say_in(style.language)), style);
}

string answered_text(const StepPage& step, const Question& question, const PageStyle& style) {
  return question_text(step, question, style) + answer_text(step, question, style);
}

string reply_text(const StepPage& step, const Question& question, const lessons::Attempt& attempt,
                  const PageStyle& style) {
  return pieces_text(lessons::reply_pieces(step.asked(question), attempt, say_in(style.language)), style);
}

string last_hint_text(const StepPage& step, const Question& question, const lessons::Attempt& attempt,
                      const PageStyle& style) {
  return piece_text(lessons::hint_pieces(step.asked(question), attempt, say_in(style.language)).back(), style);
}

}  // namespace terminal
