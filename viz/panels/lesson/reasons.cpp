// Reasons that an answer is wrong, as text.
#include "lessons/telling.h"
#include "viz/panels/lesson/question.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using lessons::Question;

/// Explains a wrong number by its ratio to the right one; empty if no cause is known.
std::string diagnosis_of(Language language, const lessons::Verdict& verdict) {
  if (!verdict.reason.empty()) return ui::escaped(words::translate(language, verdict.reason));
  if (verdict.ratio <= 0) return "";
  return words::say_with(language, /*say*/ "{} times the right number.", lessons::written(verdict.ratio, "number"));
}

}  // namespace

std::string reason_of(Language language, const LessonPage& page, const lessons::Verdict& verdict) {
  return verdict.why.empty() ? diagnosis_of(language, verdict) : std::string(page.page.reason(verdict.why));
}

std::string reason_of_try(Language language, const LessonPage& page, const Question& question,
                          const lessons::Verdict& verdict) {
  if (verdict.why.empty() && verdict.reason.empty() && verdict.ratio > 0)
    return std::string(words::say(language, verdict.ratio > 1 ? /*say*/ "Too large." : /*say*/ "Too small."));
  return lessons::without_answer(reason_of(language, page, verdict), question, page.scene->facts());
}

std::string tries_left(Language language, const Question& question, const Trying& trying) {
  const int left = question.tries - trying.wrong;
  return left == 1 ? std::string(words::say(language, /*say*/ "One more try."))
                   : words::say_with(language, /*say*/ "{} more tries.", left);
}

}  // namespace explorer
