// State of the lesson panel: the open step, the answers in progress, and the notebook.
#pragma once
#include <map>
#include <optional>

#include "lessons/catalogue.h"
#include "lessons/marking.h"
#include "lessons/notebook.h"
#include "viz/model/view_model.h"
#include "viz/ui/layout.h"

namespace explorer {

/// State of a question, during and after answering.
struct Trying {
  std::string typed;                        ///< an answer as lessons::mark() reads it
  std::string unit;                         ///< unit chosen for a number typed without one; empty for the question's
  std::vector<std::size_t> order;           ///< lines clicked for an order: positions as shown, from 0
  std::size_t hints = 0;                    ///< number of hints shown
  std::string error;                        ///< why the input was not understood
  std::optional<lessons::Verdict> verdict;  ///< verdict on the last try
  int wrong = 0;                            ///< wrong tries
  bool shown = false;                       ///< the answer was shown, instead of an answer or a further try
  bool asks = false;                        ///< Enter without an answer: a second Enter shows the answer
  bool again = false;                       ///< asked again: the notebook keeps the earlier answer
};

/// A prepared step: its text with the numbers of its runs. The constructor computes it in some milliseconds.
class LessonPage : public Task {
 public:
  LessonPage(const lessons::WrittenLesson& lesson, int step, Language language);
  bool advance() override { return false; }

  const lessons::WrittenLesson& written;
  const int number;  ///< step number, from 1
  const lessons::Step& step;
  const lessons::Language language;  ///< language of the text
  lessons::Page page;
  std::optional<lessons::Scene> scene;
  std::string error;  ///< why there is no scene: the lesson is wrong
  std::map<std::string, Trying, std::less<>> tries;
  sim::OptionValues draft;  ///< options chosen in free play but not run yet

  /// Text with the numbers of the options that the learner dragged; the step's own if none was dragged, or other
  /// options were changed as well.
  const lessons::Page& following(const ViewModel& model);

  const lessons::Lesson& lesson() const { return written.lesson; }
  int steps() const { return static_cast<int>(written.lesson.steps.size()); }
  const lessons::QuestionWords& words(const lessons::Question& question) const { return page.words(question.text); }

 private:
  std::string dragged_to_;  ///< the changes that dragged_ was computed for
  lessons::Page dragged_;
};

/// A pack that is unavailable: the server's status, 0 if no server answered, or the damage of the pack.
struct Missed {
  int status = 0;
  std::string damage;
};

/// The panel in front in a narrow window.
struct Front {
  Tab tab;
  Center center;
  friend bool operator==(const Front&, const Front&) = default;
};

inline constexpr std::size_t last_part = static_cast<std::size_t>(-1);

/// State that outlasts a step.
class LessonMemory : public Task {
 public:
  explicit LessonMemory(const std::string& notebook);
  bool advance() override { return false; }

  lessons::Notebook notebook;
  std::map<std::string, lessons::WrittenLesson> varied;  ///< lessons varied for the notebook's student
  bool to_top = false;                                   ///< the text of a new step begins at its top
  char key = 0;                                          ///< key pressed for the panel in this frame; 0 if none
  bool can_present = false, presents = false;            ///< the last frame's window is large enough; it presents
  bool is_sheet = false, drawn_up = false;               ///< the panel is a sheet below the picture; drawn up over it
  std::string field;                                     ///< answer field that the last frame drew; empty if none
  std::string first;                                     ///< place of the first link on the page presented
  std::string asked;                                     ///< question that the front panel was chosen for
  std::optional<Front> hidden, shown;                    ///< the panel hidden for that question, and its replacement
  std::size_t part = 0;                                  ///< first part of the step on the page presented
  ui::Rect to_scale;          ///< rectangle of a wrong number below the picture; empty if there is none
  ui::Rect values;            ///< rectangle of the numbers on chip; empty if they are not drawn
  std::string pointed;        ///< place of the linked word under the pointer in this frame; empty if none
  std::string chosen;         ///< place of the word clicked last in this step; empty if none
  std::string was_lit;        ///< place highlighted in the last frame
  std::vector<ui::Rect> lit;  ///< its rectangles
  ui::Layout whole;           ///< below the card of the tour, including the parts that its question covers
  bool turns = false;         ///< panels share a tab in this frame
  std::map<std::string, bool, std::less<>> right;     ///< verdicts on answers, by lesson/step/question
  std::map<std::string, Missed, std::less<>> missed;  ///< by name of the pack
  bool hands_out = false, handed_out = false;         ///< the list offers the notebook as a file; the user requested it
  int read = 0;                                       ///< number of notebooks read later: steps are then prepared again
};

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
bool has_lesson(ViewModel& model);
LessonMemory& memory_of(ViewModel& model);
/// A built-in lesson, varied by the notebook's student if it names one.
const lessons::WrittenLesson& lesson_of(ViewModel& model, const std::string& id);
/// The open step; there must be one.
LessonPage& page_of(ViewModel& model);
/// State of a question; on first access, the notebook's answer is marked again.
Trying& trying_of(ViewModel& model, LessonPage& page, const lessons::Question& question);
/// True if the question is finished: shown, answered correctly, or answered wrongly in all its tries. A goal is tried
/// until it is reached.
bool is_over(const lessons::Question& question, const Trying& trying);
/// First question that is not over; null if there is none.
const lessons::Question* open_question(ViewModel& model, LessonPage& page);

/// Stores the notebook.
void keep_notebook(ViewModel& model);
/// Opens a step of the open lesson, from 1. After the last one, the notebook records that the end was reached, and the
/// list is shown or the tour closed.
void turn_to(ViewModel& model, const LessonPage& page, int step);
/// Marks an answer, and stores it in the notebook.
void answer(ViewModel& model, LessonPage& page, const lessons::Question& question, const std::string& text);
/// Shows the answer instead of a try.
void show_answer(ViewModel& model, LessonPage& page, const lessons::Question& question);
/// Resets a question; the notebook keeps the first answer.
void ask_again(LessonPage& page, const lessons::Question& question);

/// Options in which the explorer's scenario differs from the step's: "br=96&bc=16".
std::string changes_of(const ViewModel& model, const LessonPage& page);
/// True if options other than `allowed` differ.
bool changes_more_than(const ViewModel& model, const LessonPage& page, const std::vector<std::string>& allowed);

/// State of a question in the notebook. `wrong` is known only once its step was opened.
enum class Answered { no, wrong, yes };
Answered answered(ViewModel& model, const lessons::Lesson& lesson, const lessons::Step& step,
                  const lessons::Question& question);
/// Number of questions of a lesson, and of those answered or shown.
struct LessonScore {
  std::size_t answered = 0, questions = 0;
};
LessonScore score_of(ViewModel& model, const lessons::Lesson& lesson);
LessonScore score_of(ViewModel& model, const lessons::Summary& lesson);

/// Starts or ends presenting the step to an audience. The picture plays in a loop, unless motion is off.
void present(ViewModel& model, bool on);
/// Shows the panel that a step names: "memory".
void show_panel(Look& look, std::string_view panel);
/// Shows the panel that contains a place, such as "level:hbm" or "memory"; if panels share a tab, also that of a block.
void show_place(ViewModel& model, std::string_view place);
/// Highlighted place: of the word under the pointer, else of the word clicked last, else the step's first.
std::string lit_place(ViewModel& model, LessonPage& page);
/// Highlights the place of the next (direction +1) or the previous (-1) word, as a click on that word would.
void choose_place(ViewModel& model, LessonPage& page, int direction);

}  // namespace explorer
