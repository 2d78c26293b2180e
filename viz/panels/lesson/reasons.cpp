// Why an answer was wrong, in words.
#include "lessons/telling.h"
#include "viz/panels/lesson/question.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using lessons::Diagnosis;
using lessons::Question;

/// Explains a wrong number by its ratio to the right one; empty for nothing.
std::string diagnosis_of(Language language, const lessons::Verdict& verdict) {
  const auto say = [&](std::string_view english) { return std::string(words::say(language, english)); };
  switch (verdict.diagnosis) {
    case Diagnosis::twice:
      return say("Twice as much: are reads and writes counted twice, or elements for bytes?");
    case Diagnosis::half:
      return say("Half of it: are the writes there, as well as the reads?");
    case Diagnosis::elements:
      return say("These are elements; an element takes several bytes.");
    case Diagnosis::heads:
      return say("Off by the number of heads.");
    case Diagnosis::batch:
      return say("Off by the number of batch entries.");
    case Diagnosis::one_head:
      return say("This is one head of one batch entry; the run has more.");
    case Diagnosis::binary:
      return say("1,024 for 1,000, or the reverse: kB are 1,000 bytes, KiB 1,024.");
    case Diagnosis::term:
      return words::say_with(language, /*say*/ "This is missing: {}", ui::escaped(verdict.term));
    case Diagnosis::none:
      break;
  }
  if (verdict.ratio <= 0) return "";
  return words::say_with(language, /*say*/ "{} times the right number.", lessons::written(verdict.ratio, "number"));
}

}  // namespace

std::string reason_of(Language language, const LessonPage& page, const lessons::Verdict& verdict) {
  if (verdict.why.empty()) return diagnosis_of(language, verdict);
  const auto found = page.page.reasons.find(verdict.why);
  return found == page.page.reasons.end() ? "" : found->second;
}

std::string reason_of_try(Language language, const LessonPage& page, const Question& question,
                          const lessons::Verdict& verdict) {
  if (verdict.why.empty() && verdict.diagnosis == Diagnosis::none && verdict.ratio > 0)
    return std::string(words::say(language, verdict.ratio > 1 ? /*say*/ "Too large." : /*say*/ "Too small."));
  return lessons::without_answer(reason_of(language, page, verdict), question, page.scene->facts());
}

std::string tries_left(Language language, const Question& question, const Trying& trying) {
  const int left = question.tries - trying.wrong;
  return left == 1 ? std::string(words::say(language, /*say*/ "One more try."))
                   : words::say_with(language, /*say*/ "{} more tries.", left);
}

}  // namespace explorer
