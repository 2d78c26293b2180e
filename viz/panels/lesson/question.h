// The questions of a step: how each kind is answered, and what follows an answer.
#pragma once
#include <array>

#include "viz/panels/lesson/column.h"
#include "viz/panels/lesson/desk.h"
#include "viz/panels/lesson/marks.h"
#include "viz/panels/scenario/field.h"

namespace explorer {

/// All up to the first that is open, in boxes.
void write_questions(Column& column, LessonPage& page);
/// One of them.
void write_question(Column& column, LessonPage& page, const lessons::Question& question);

/// What an answer is given with: a field, choices, lines. Writes into Trying::typed; true when Enter ended the typing.
bool write_input(Column& column, LessonPage& page, const lessons::Question& question, Trying& trying);
/// Options of the scenario as chips, as many in a row as there is room for; `draft` is as for draw_option().
void write_options(Column& column, const std::vector<std::string_view>& options, std::string_view id,
                   const ScenarioValues& values, sim::OptionValues* draft);
/// The choices that the keys 1 to 9 stand for.
std::vector<std::string> keyed_answers(const LessonPage& page, const lessons::Question& question);

/// What is checked: a number that was typed without a unit has the one that was chosen.
std::string typed_answer(const LessonPage& page, const lessons::Question& question, const Trying& trying);

/// An answer in words: the label of a choice, "(0, 1)" of a tile.
std::string label_of(const LessonPage& page, const lessons::Question& question, const std::string& answer);

/// What follows an answer, or comes instead of it.
void write_verdict(Column& column, const LessonPage& page, const lessons::Question& question, const Trying& trying);

/// The answer of the run as people read it; of an order nothing: its lines are shown.
std::string expected_answer(const LessonPage& page, const lessons::Question& question);
/// A wrong number and that of the run, to scale: "you", "the run".
std::array<Bar, 2> bars_of(const View& view, const LessonPage& page, const lessons::Question& question,
                           const lessons::Verdict& verdict);
/// Why an answer was wrong: the lesson's reason for it, or what its ratio to the right one says.
std::string reason_of(Language language, const LessonPage& page, const lessons::Verdict& verdict);

/// Gives the reason while there is another try: without the ratio, and without numbers that tell the answer.
std::string reason_of_try(Language language, const LessonPage& page, const lessons::Question& question,
                          const lessons::Verdict& verdict);
/// "One more try."
std::string tries_left(Language language, const lessons::Question& question, const Trying& trying);
/// Writes what follows a wrong answer that leaves another try.
void write_try(Column& column, const LessonPage& page, const lessons::Question& question, const Trying& trying);

/// A line of an order as the listing has it; that of another kernel after its name.
std::string line_markup(std::string_view line);

/// Of a goal: "score 919,552 B, par 919,552 B".
std::string score_text(const View& view, const LessonPage& page, const lessons::Question& question,
                       const lessons::Verdict& verdict);

/// A name of a widget: "lesson/check/halve".
std::string widget_of(std::string_view what, const lessons::Question& question);

}  // namespace explorer
