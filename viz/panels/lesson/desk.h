// What a learner has on the desk: the step that is open, the answers that are being tried, and the notebook.
#pragma once
#include <map>
#include <optional>

#include "lessons/catalogue.h"
#include "lessons/marking.h"
#include "lessons/notebook.h"
#include "viz/model/view_model.h"
#include "viz/ui/layout.h"

namespace explorer {

/// A question while it is answered, and after.
struct Trying {
  std::string typed;               ///< an answer as lessons::mark() reads it
  std::string unit;                ///< of the number that is typed, where it has none; empty for that of the question
  std::vector<std::size_t> order;  ///< of lines: those that were clicked, places as shown from 0
  std::size_t hints = 0;           ///< that were asked for
  std::string complaint;           ///< what was not understood
  std::optional<lessons::Verdict> verdict;  ///< of the last try
  int wrong = 0;                            ///< tries that were
  bool shown = false;                       ///< instead of an answer, or of a further one
  bool again = false;                       ///< asked again: the notebook keeps what was answered before
};

/// A step made ready: its words with the numbers of its runs. Made at once: some milliseconds.
class LessonPage : public Task {
 public:
  LessonPage(const lessons::WrittenLesson& lesson, int step, Language language);
  bool advance() override { return false; }

  const lessons::WrittenLesson& written;
  const int number;  ///< of the step, from 1
  const lessons::Step& step;
  const lessons::Language language;  ///< of the words
  lessons::Page page;
  std::optional<lessons::Scene> scene;
  std::string error;  ///< why there is no scene: the lesson is wrong
  std::map<std::string, Trying, std::less<>> tries;
  sim::OptionValues draft;  ///< of free play: chosen, and not run yet

  /// Its words with the numbers of what the learner dragged to; those of the step where nothing was, or other options
  /// were changed as well.
  const lessons::Page& following(const ViewModel& model);

  const lessons::Lesson& lesson() const { return written.lesson; }
  int steps() const { return static_cast<int>(written.lesson.steps.size()); }
  const lessons::QuestionWords& words(const lessons::Question& question) const { return page.words(question.text); }

 private:
  std::string dragged_to_;  ///< the changes whose numbers dragged_ has
  lessons::Page dragged_;
};

/// A pack that could not be had: what the server answered, 0 where none did, or what is wrong with the pack.
struct Missed {
  int status = 0;
  std::string damage;
};

/// The panel that a narrow window has in front.
struct Front {
  Tab tab;
  Center center;
  friend bool operator==(const Front&, const Front&) = default;
};

inline constexpr std::size_t last_part = static_cast<std::size_t>(-1);

/// What lasts longer than a step.
class LessonMemory : public Task {
 public:
  explicit LessonMemory(const std::string& notebook);
  bool advance() override { return false; }

  lessons::Notebook notebook;
  std::map<std::string, lessons::WrittenLesson> varied;  ///< lessons as the notebook's student gets them
  char key = 0;                                          ///< that was pressed for the panel in this frame; 0 for none
  bool can_present = false, presents = false;            ///< the window of the last frame has room for it; shows it
  bool is_sheet = false, drawn_up = false;               ///< the panel lies below the picture; it covers that
  std::string first;                                     ///< the place of the first link of the page that is presented
  std::string asked;                                     ///< the question that the panel in front was chosen for
  std::optional<Front> hidden, shown;                    ///< what gave way to what for it
  std::size_t part = 0;                                  ///< of the step that is presented: on the page that is shown
  ui::Rect to_scale;          ///< below the picture, where a wrong number is drawn; empty for none
  ui::Rect values;            ///< where the numbers on the chip are drawn; empty if they are not
  std::string pointed;        ///< the place that a word under the pointer leads to in this frame; empty for none
  std::string chosen;         ///< the place of the word that was clicked last in this step; empty for none
  std::string was_lit;        ///< the place that the picture of the last frame lit
  std::vector<ui::Rect> lit;  ///< where that was
  ui::Layout whole;           ///< below the card of the tour, with what its question covers
  bool turns = false;         ///< panels share a tab in the window of this frame
  std::map<std::string, bool, std::less<>> right;     ///< how answers were marked, by lesson/step/question
  std::map<std::string, Missed, std::less<>> missed;  ///< by the names of packs
  bool hands_out = false, handed_out = false;         ///< the list offers the notebook as a file; that was asked for
  int read = 0;                                       ///< notebooks that came later: steps are made anew
};

lessons::Language language_of(const Look& look);
inline constexpr std::string_view tour_id = "00-tour";
/// Lesson and step that are open: those of the tour while its card lies over the window.
struct Opened {
  std::string lesson;  ///< its id, or "list"; empty for none
  int step = 0;        ///< from 1
};
Opened opened(const Look& look);
bool shows_tour(const Look& look);
/// True if a step is shown: a lesson is open, not the list, and it is here with its words.
bool shows_step(const Look& look);
/// A lesson is beside the picture: not while runs are compared, unless its step races them.
bool has_lesson(ViewModel& model);
LessonMemory& memory_of(ViewModel& model);
/// A built-in lesson, with the parameters of the notebook's student where it names one.
const lessons::WrittenLesson& lesson_of(ViewModel& model, const std::string& id);
/// The step that is open, which there is.
LessonPage& page_of(ViewModel& model);
/// What is tried of a question; what the notebook has of it is marked again when it is first asked for.
Trying& trying_of(ViewModel& model, LessonPage& page, const lessons::Question& question);
/// True if it needs nothing more: shown, answered rightly, or wrongly as often as there are tries. A goal is tried
/// until it is reached.
bool is_over(const lessons::Question& question, const Trying& trying);
/// The first question that is not over; null for none.
const lessons::Question* open_question(ViewModel& model, LessonPage& page);

/// Hands the notebook to where it stays.
void keep_notebook(ViewModel& model);
/// To a step of the lesson that is open, from 1. Behind the last one the notebook says that the end was reached; the
/// list is shown, or the tour closed.
void turn_to(ViewModel& model, const LessonPage& page, int step);
/// Marks an answer, and keeps it in the notebook.
void answer(ViewModel& model, LessonPage& page, const lessons::Question& question, const std::string& text);
/// The answer without trying.
void show_answer(ViewModel& model, LessonPage& page, const lessons::Question& question);
/// Asks again; the notebook keeps the first answer.
void ask_again(LessonPage& page, const lessons::Question& question);

/// What the explorer's scenario changes of the step's: "br=96&bc=16".
std::string changes_of(const ViewModel& model, const LessonPage& page);
/// Whether it changes anything but these options.
bool changes_more_than(const ViewModel& model, const LessonPage& page, const std::vector<std::string>& allowed);

/// What the notebook has of a question. `wrong` is known once its step was opened.
enum class Answered { no, wrong, yes };
Answered answered(ViewModel& model, const lessons::Lesson& lesson, const lessons::Step& step,
                  const lessons::Question& question);
/// How many questions of a lesson there are, and how many of them were answered or shown.
struct LessonScore {
  std::size_t answered = 0, questions = 0;
};
LessonScore score_of(ViewModel& model, const lessons::Lesson& lesson);
LessonScore score_of(ViewModel& model, const lessons::Summary& lesson);

/// Shows the step to a room, or ends that. What it shows moves, unless things are to stand still.
void present(ViewModel& model, bool on);
/// Shows the panel that a step names: "memory".
void show_panel(Look& look, std::string_view panel);
/// Shows the panel that has a place, such as "level:hbm" or "memory"; where panels share a tab, that of a block as
/// well.
void show_place(ViewModel& model, std::string_view place);
/// The place that is lit: of the word under the pointer, else of the one that was clicked, else of the step's first.
std::string lit_place(ViewModel& model, LessonPage& page);
/// Lights the place of the next (direction +1) or the previous (-1) word, as a click on it would.
void choose_place(ViewModel& model, LessonPage& page, int direction);

}  // namespace explorer
