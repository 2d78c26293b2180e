// Pages of a lesson in a terminal: a step with its picture and tables, its questions, and the response to an answer.
#pragma once
#include <set>
#include <string>

#include "lessons/catalogue.h"
#include "lessons/pieces.h"
#include "viz/terminal/lesson/text.h"

namespace terminal {

/// Layout of pages. The caller maps symbols to ASCII and adds colours (in_ascii, in_colours).
struct PageStyle {
  lessons::Language language = lessons::Language::en;
  int columns = widest_text;
  bool in_explorer = true;  ///< the explorer has this lesson, with equal numbers
};

/// One step, ready to display.
struct StepPage {
  const lessons::WrittenLesson* written;
  std::size_t number;  ///< index from 0
  lessons::Scene scene;
  lessons::Page page;  ///< page with its numbers filled in
  const lessons::Step& step() const { return written->lesson.steps[number]; }
  lessons::Asked asked(const lessons::Question& question) const {
    return {written->lesson, step(), question, page, scene};
  }
};

/// Runs a step, in a few milliseconds. Throws sim::Error if the lesson is wrong.
StepPage make_step_page(const lessons::WrittenLesson& written, std::size_t number, lessons::Language language,
                        const sim::OptionValues& changes = {});

/// Heading, text, and the views that the step refers to, with the answers of open questions covered.
std::string step_text(const StepPage& step, const PageStyle& style, const std::set<std::string>& answered);

/// Text that follows the questions of a step, once all are closed; "" if there is none.
std::string told_text(const StepPage& step, const PageStyle& style);

/// A question with its choices or lines: "? Predict. ...".
std::string question_text(const StepPage& step, const lessons::Question& question, const PageStyle& style);

/// The right answer and all explanations, for readers who do not answer; answered_text() below the question,
/// answer_text() alone.
std::string answered_text(const StepPage& step, const lessons::Question& question, const PageStyle& style);
std::string answer_text(const StepPage& step, const lessons::Question& question, const PageStyle& style);

/// Replies to the last try: right or not, the reason, and once the question is over the run's value.
std::string reply_text(const StepPage& step, const lessons::Question& question, const lessons::Attempt& attempt,
                       const PageStyle& style);
/// The hint shown last.
std::string last_hint_text(const StepPage& step, const lessons::Question& question, const lessons::Attempt& attempt,
                           const PageStyle& style);

}  // namespace terminal
