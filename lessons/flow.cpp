#include "lessons/flow.h"

namespace lessons {

bool may_improve(const Attempt& attempt) {
  return attempt.right() && attempt.verdict->score > attempt.verdict->par * (1 + 1e-9);
}

bool is_over(const Question& question, const Attempt& attempt) {
  if (attempt.shown || attempt.taken || !attempt.verdict) return attempt.shown || attempt.taken;
  if (attempt.right()) return !may_improve(attempt);
  return question.kind != QuestionKind::until && attempt.wrong >= question.tries;
}

bool try_answer(Attempt& attempt, const Asked& asked, const std::string& typed, LessonNotes* notes) {
  const bool is_goal = asked.question.kind == QuestionKind::until;
  const Verdict verdict = mark(asked.lesson, asked.step, asked.question, asked.scene, typed);
  attempt.error = verdict.error;
  if (!verdict.understood) return false;
  if (!is_goal && attempt.verdict && attempt.verdict->given == verdict.given) return false;  // Enter, pressed twice
  attempt.verdict = verdict;
  attempt.wrong += verdict.right ? 0 : 1;
  if (notes != nullptr && (verdict.right || !is_goal)) keep_try(*notes, asked.step.name, asked.question.text, typed);
  return true;
}

void show_answer(Attempt& attempt, const Asked& asked, LessonNotes* notes) {
  attempt.error = {};
  if (may_improve(attempt)) {
    attempt.taken = true;
    return;
  }
  attempt.shown = true;
  attempt.verdict.reset();
  if (notes != nullptr) keep_answer(*notes, {asked.step.name, asked.question.text, "", true});
}

Attempt recalled(const Asked& asked, const Answer& answer) {
  Attempt attempt;
  if (!answer.shown || !answer.given.empty()) try_answer(attempt, asked, answer.given, nullptr);
  for (const std::string& given : answer.later) try_answer(attempt, asked, given, nullptr);
  if (answer.shown) attempt.verdict.reset();
  attempt.shown = answer.shown;
  attempt.taken = may_improve(attempt);
  attempt.error = {};
  return attempt;
}

Attempt recalled(const Asked& asked, const LessonNotes& notes) {
  const Answer* const kept = notes.answer(asked.step.name, asked.question.text);
  return kept == nullptr ? Attempt{} : recalled(asked, *kept);
}

}  // namespace lessons
