// The open step of a lesson or of the tour, as panels read it, and how edits change it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "viz/model/lesson/page.h"
#include "viz/model/model.h"

namespace explorer {

lessons::Language language_of(const Look& look);
inline constexpr std::string_view tour_id = "00-tour";
/// The open lesson and step; those of the tour while its card is over the window.
struct Opened {
  std::string lesson;  ///< its id, or "list"; empty if none is open
  int step = 0;        ///< from 1
};
Opened opened(const Look& look);
bool shows_tour(const Look& look);
/// True if a step is shown: a lesson is open, not the list, and its text is available.
bool shows_step(const Look& look);
/// True if a lesson is shown next to the picture: not while runs are compared, unless its step races them.
bool has_lesson(const Model& model);
/// A built-in lesson, varied by the notebook's student if it names one.
const lessons::WrittenLesson& lesson_of(const Model& model, const std::string& id);
/// The open step; there must be one.
const LessonPage& page_of(const Model& model);
/// Text with the numbers of the options that the learner dragged; the step's own if none was dragged, or other
/// options were changed as well.
const lessons::Page& following_page(const Model& model);

/// State of a question of the open step.
const Trying& trying_of(const Model& model, const lessons::Question& question);
bool is_over(const Model& model, const lessons::Question& question);
/// First question of the open step that is not over; null if there is none, or no step is open.
const lessons::Question* open_question(const Model& model);
/// Questions of the open step that can be read: up to the first open one; none if its runs are impossible.
std::vector<const lessons::Question*> readable_questions(const Model& model);
/// True if a click on the matrix answers a question, and does not navigate.
bool asks_for_tile(const Model& model);
/// Options that may be changed while a goal is tried; empty: all.
std::vector<std::string> unlocked_options(const Model& model);

/// Units in which a number may be typed, the first by default; empty if there is no choice.
std::vector<std::string_view> units_of(const LessonPage& page, const lessons::Question& question);
/// Answer to be checked: a number typed without a unit has the chosen one; for a goal, the options changed.
std::string typed_answer(const Model& model, const lessons::Question& question);

/// Options in which the explorer's scenario differs from the step's: "br=96&bc=16".
std::string changes_of(const Model& model);
/// True if options other than `allowed` differ.
bool changes_more_than(const Model& model, const std::vector<std::string>& allowed);

/// State of a question in the notebook. `wrong` is known only once its step was opened.
enum class Answered { no, wrong, yes };
Answered answered(const Model& model, const lessons::Lesson& lesson, const lessons::Step& step,
                  const lessons::Question& question);
/// Number of questions of a lesson, and of those answered or shown.
struct LessonScore {
  std::size_t answered = 0, questions = 0;
};
LessonScore score_of(const Model& model, const lessons::Lesson& lesson);
LessonScore score_of(const Model& model, const lessons::Summary& lesson);

/// Places of the words that are readable now, each once.
std::vector<std::string> shown_places(const Model& model);

/// Shows the panel that a step names: "memory".
void show_panel(Look& look, std::string_view panel);
/// Shows the panel that contains a place, such as "level:hbm" or "memory"; if panels share a tab, also that of a block.
void show_place(Look& look, std::string_view place, bool tabbed);

/// Before each frame: replaces the lesson and step of a link by existing ones and follows the step's own link; recalls
/// the answers of a step that was opened.
void settle_lesson(Model& model);
/// Follows the link of a step, from 1, keeping theme and language. Costs some simulations.
void go_to_lesson_step(Model& model, const std::string& id, int step);
void go_to_tour_step(Model& model, int step);
/// Applies an edit of a lesson.
void apply_in_lesson(Model& model, const OpenLesson& edit);
void apply_in_lesson(Model& model, const TurnTo& edit);
void apply_in_lesson(Model& model, const TypeAnswer& edit);
void apply_in_lesson(Model& model, const CheckAnswer& edit);
void apply_in_lesson(Model& model, const ShowHint& edit);
void apply_in_lesson(Model& model, const ShowAnswer& edit);
void apply_in_lesson(Model& model, const AskAgain& edit);
void apply_in_lesson(Model& model, const AnswerTile& edit);
void apply_in_lesson(Model& model, const Present& edit);
void apply_in_lesson(Model& model, const PointAt& edit);
void apply_in_lesson(Model& model, const GiveWay& edit);

}  // namespace explorer
