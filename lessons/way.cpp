#include "lessons/way.h"

#include <algorithm>

#include "sim/base/text.h"

namespace lessons {
namespace {

constexpr Chapter chapters[] = {
    {"00", "Why it is slow", "为什么慢"}, {"04", "The pieces", "零件"}, {"07", "FlashAttention", "FlashAttention"}};

}  // namespace

const Chapter* begins_chapter(const Summary& lesson) {
  const auto& known = built_in_summaries();
  const bool is_own = &summaries() != &known;
  const auto* const found = std::find_if(std::begin(chapters), std::end(chapters), [&](const Chapter& chapter) {
    return lesson.id.starts_with(chapter.first) && lesson.id[chapter.first.size()] == '-';
  });
  return is_own || found == std::end(chapters) ? nullptr : found;
}

std::size_t answered_of(const Notebook& notebook, const Summary& lesson) {
  const LessonNotes* const notes = notebook.find(lesson.id, lesson.version);
  return notes == nullptr ? 0 : std::min(notes->answers.size(), lesson.questions);
}

Progress progress_of(const Notebook& notebook, const Summary& lesson) {
  const LessonNotes* const notes = notebook.find(lesson.id, lesson.version);
  if (notes == nullptr) return Progress::none;
  const bool ended = lesson.questions > 0 ? notes->answers.size() >= lesson.questions : notes->step.empty();
  return ended ? Progress::done : Progress::begun;
}

const Summary* next_lesson(const Notebook& notebook, const std::vector<Summary>& all) {
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Summary& lesson) { return progress_of(notebook, lesson) != Progress::done; });
  return found == all.end() ? nullptr : &*found;
}

std::string arrow_to(const Summary& lesson, std::string_view arrow) {
  std::string needs;
  for (const std::string_view need : lesson.needs) needs += sim::text(needs.empty() ? "" : ", ", need.substr(0, 2));
  return needs.empty() ? needs : sim::text(needs, " ", arrow, " ", lesson.id.substr(0, 2));
}

}  // namespace lessons
