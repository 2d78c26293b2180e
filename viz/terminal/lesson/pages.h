// The pages of a lesson in a terminal: a step with its picture and tables, its questions, and what follows an answer.
#pragma once
#include <set>
#include <string>

#include "lessons/catalogue.h"
#include "lessons/marking.h"
#include "viz/terminal/lesson/text.h"

namespace terminal {

/// How pages look. Signs and colours are the business of who writes them (in_ascii, in_colours).
struct PageStyle {
  lessons::Language language = lessons::Language::en;
  int columns = widest_text;
  bool in_explorer = true;  ///< the explorer has this lesson as well, with the same numbers
};

/// One step, ready to be read.
struct StepPage {
  const lessons::WrittenLesson* written;
  std::size_t number;  ///< from 0
  lessons::Scene scene;
  lessons::Page page;  ///< with its numbers
  const lessons::Step& step() const { return written->lesson.steps[number]; }
};

/// Runs a step: some milliseconds. Throws sim::Error where the lesson is wrong.
StepPage make_step_page(const lessons::WrittenLesson& written, std::size_t number, lessons::Language language,
                        const sim::OptionValues& changes = {});

/// Heading, words, and what the step points at. What an open question asks for is covered in it.
std::string step_text(const StepPage& step, const PageStyle& style, const std::set<std::string>& answered);

/// Text that follows the questions of a step, once all of them are over; "" for nothing.
std::string told_text(const StepPage& step, const PageStyle& style);

/// "? Predict. ..." with its choices or lines.
std::string question_text(const StepPage& step, const lessons::Question& question, const PageStyle& style);

/// The right answer and every explanation, for who reads and does not answer; below the question, or alone.
std::string answered_text(const StepPage& step, const lessons::Question& question, const PageStyle& style);
std::string answer_text(const StepPage& step, const lessons::Question& question, const PageStyle& style);

/// What follows an answer: right or not, the run's value, the reason.
std::string verdict_text(const StepPage& step, const lessons::Question& question, const lessons::Verdict& verdict,
                         const PageStyle& style);

/// Says what follows a wrong answer while there are `left` more tries: the reason, without what would tell the answer.
std::string try_text(const StepPage& step, const lessons::Question& question, const lessons::Verdict& verdict,
                     std::size_t left, const PageStyle& style);

/// The right answer as people read it.
std::string expected_text(const StepPage& step, const lessons::Question& question);

}  // namespace terminal
