// The flow of a question, equal in every player: which inputs are tries, which tries the notebook keeps, and when the
// question is over.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "lessons/notebook.h"

namespace lessons {

/// A question of a step, with what it needs to be marked and read.
struct Asked {
  const Lesson& lesson;
  const Step& step;
  const Question& question;
  const Page& page;  ///< the step's text, with its numbers
  const Scene& scene;
};

/// The state of a question while it is answered.
struct Attempt {
  std::optional<Verdict> verdict = {};  ///< on the last try
  int wrong = 0;                        ///< wrong tries
  std::size_t hints = 0;                ///< hints shown
  bool shown = false;                   ///< the answer was shown, instead of an answer or a further try
  bool taken = false;                   ///< a goal that is reached, but not at its par, was taken as it is
  sim::Sentence error = {};             ///< why the last input is not a try; empty if it is one
  friend bool operator==(const Attempt&, const Attempt&) = default;

  bool right() const { return verdict && verdict->right; }
};

/// True if a goal is reached, but its score is worse than its par: the learner may go on.
bool may_improve(const Attempt& attempt);

/// True if a question is finished: shown, answered correctly, or answered wrongly in all its tries. A goal is tried
/// until it is reached at its par, or taken.
bool is_over(const Question& question, const Attempt& attempt);

/// The first question of a step that is not over; null if there is none. `attempt_of(question)` is its Attempt.
template <class AttemptOf>
const Question* open_question(const Step& step, AttemptOf attempt_of) {
  for (const Question& question : step.questions) {
    if (!is_over(question, attempt_of(question))) return &question;
  }
  return nullptr;
}

/// The questions that can be read: up to the first open one.
template <class AttemptOf>
std::vector<const Question*> readable_questions(const Step& step, AttemptOf attempt_of) {
  std::vector<const Question*> readable;
  for (const Question& question : step.questions) {
    readable.push_back(&question);
    if (!is_over(question, attempt_of(question))) break;
  }
  return readable;
}

/// Marks an input. It is a try if it was understood, and for another kind of question than a goal if it does not repeat
/// the last try. The first try counts, and `notes` keeps all, of a goal those that reach it; null keeps none. Returns
/// true if the input is a try. Throws sim::Error only if the lesson itself is wrong.
bool try_answer(Attempt& attempt, const Asked& asked, const std::string& typed, LessonNotes* notes);

/// Shows the answer, which `notes` keep; or takes a goal that is reached, but not at its par.
void show_answer(Attempt& attempt, const Asked& asked, LessonNotes* notes);

/// The attempt that the notebook keeps: what was typed is marked again.
Attempt recalled(const Asked& asked, const Answer& answer);
/// As above; an Attempt without tries if the notes have no answer.
Attempt recalled(const Asked& asked, const LessonNotes& notes);

}  // namespace lessons
