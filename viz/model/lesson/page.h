// A prepared step of a lesson: its text with the numbers of its runs.
#pragma once
#include <optional>
#include <string>

#include "lessons/catalogue.h"
#include "lessons/pieces.h"
#include "viz/model/task.h"
#include "viz/words/language.h"

namespace explorer {

using words::Language;

/// Translates sentences of lessons.
lessons::Say say_in(Language language);

/// English if the explorer lacks the words of a language.
lessons::Language lesson_language(Language language);

/// The constructor computes it in some milliseconds.
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

  const lessons::Lesson& lesson() const { return written.lesson; }
  int steps() const { return static_cast<int>(written.lesson.steps.size()); }
  const lessons::QuestionWords& words(const lessons::Question& question) const { return page.words(question.text); }
  /// A question of the step; there must be a scene.
  lessons::Asked asked(const lessons::Question& question) const { return {lesson(), step, question, page, *scene}; }
};

/// The text of a step with the numbers of other options, "seqlen=4096".
class FollowingPage : public Task {
 public:
  FollowingPage(const LessonPage& of, const std::string& changes);
  bool advance() override { return false; }

  lessons::Page page;
};

}  // namespace explorer
