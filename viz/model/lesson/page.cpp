#include "viz/model/lesson/page.h"

#include <utility>

#include "lessons/options_text.h"
#include "viz/words/languages.h"
#include "viz/words/words.h"

namespace explorer {

lessons::Language lesson_language(Language language) {
  return language == Language::zh && words::speaks(language) ? lessons::Language::zh : lessons::Language::en;
}

lessons::Say say_in(Language language) {
  return [language](const sim::Sentence& sentence) {
    const std::string text = words::translate(language, sentence);
    return language == Language::zh ? words::spaced(text) : text;
  };
}

LessonPage::LessonPage(const lessons::WrittenLesson& lesson, int step_number, Language language_shown)
    : written(lesson),
      number(step_number),
      step(written.lesson.steps.at(static_cast<std::size_t>(step_number - 1))),
      language(lesson_language(language_shown)),
      page(written.words(language).page(step.name)) {
  try {
    scene.emplace(written.lesson, step, sim::built_in_gpu);
    page = lessons::filled(std::move(page), scene->facts());
  } catch (const sim::Error& problem) {
    error = words::translate(language_shown, problem.sentence());
  }
}

FollowingPage::FollowingPage(const LessonPage& of, const std::string& changes) : page(of.page) {
  try {
    const lessons::Scene there(of.lesson(), of.step, sim::built_in_gpu, lessons::read_options(changes));
    page = lessons::filled(of.written.words(of.language).page(of.step.name), there.facts());
  } catch (const sim::Error&) {  // impossible: the window explains it
  }
}

}  // namespace explorer
