// Questions of a step: input by kind, and what follows an answer.
#pragma once
#include <array>

#include "viz/model/lesson/lesson.h"
#include "viz/panels/lesson/column.h"
#include "viz/panels/lesson/marks.h"
#include "viz/panels/scenario/field.h"

namespace explorer {

/// Writes all questions up to the first open one, in boxes. `pinned`: the open one stands elsewhere, and is left out.
void write_questions(Column& column, const LessonPage& page, const lessons::Question* pinned = nullptr);
/// Writes one question.
void write_question(Column& column, const LessonPage& page, const lessons::Question& question);

/// Writes the input of an answer: a field, choices, lines. True if Enter ended the typing.
bool write_input(Column& column, const LessonPage& page, const lessons::Question& question, const Trying& trying);
/// Writes options of the scenario as chips, in full rows; `draft` is as for draw_option().
void write_options(Column& column, const std::vector<std::string_view>& options, std::string_view id,
                   const ScenarioValues& values, sim::OptionValues* draft);
/// Answers that the keys 1 to 9 choose.
std::vector<std::string> keyed_answers(const LessonPage& page, const lessons::Question& question);

/// Text of an answer: the label of a choice, "(0, 1)" for a tile.
std::string label_of(const LessonPage& page, const lessons::Question& question, const std::string& answer);

/// Writes what follows the last try.
void write_reply(Column& column, const LessonPage& page, const lessons::Question& question, const Trying& trying);

/// Bars of a wrong number and the run's, to scale: "you", "the run".
std::array<Bar, 2> bars_of(const View& view, const LessonPage& page, const lessons::Question& question,
                           const lessons::Verdict& verdict);
/// Markup of a line of an order as in the listing; a line of another kernel follows its name.
std::string line_markup(std::string_view line);

/// Name of a widget: "lesson/check/halve".
std::string widget_of(std::string_view what, const lessons::Question& question);

}  // namespace explorer
