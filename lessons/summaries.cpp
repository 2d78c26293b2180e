// What a list says of the lessons, from the lessons themselves: here all are compiled in.
#include "lessons/catalogue.h"

namespace lessons {
namespace {

Summary summary(const WrittenLesson& written) {
  const Lesson& lesson = written.lesson;
  Summary summary{lesson.id, lesson.version,   lesson.minutes,  {}, lesson.steps.size(),
                  0,         written.en.title, written.zh.title};
  summary.needs.assign(lesson.needs.begin(), lesson.needs.end());
  for (const Step& step : lesson.steps) summary.questions += step.questions.size();
  return summary;
}

}  // namespace

const std::vector<Summary>& summaries() {
  static const std::vector<Summary> all = [] {
    std::vector<Summary> made;
    for (const std::string& id : built_in_ids()) made.push_back(summary(built_in(id)));
    return made;
  }();
  return all;
}

}  // namespace lessons
