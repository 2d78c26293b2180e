#include "lessons/way.h"

#include <algorithm>

#include "sim/base/text.h"

namespace lessons {
namespace {

constexpr Chapter chapters[] = {{"00", "Why it is slow", "为什么慢"},
                                {"04", "The pieces", "零件"},
                                {"07", "FlashAttention", "FlashAttention"},
                                {"11", "The machine", "机器"},
                                {"14", "Training and serving", "训练与服务"},
                                {"17", "The newest", "最新进展"},
                                {"18", "Serving", "推理服务"},
                                {"19", "Fewer bits", "更少的位"},
                                {"21", "Beyond one GPU", "不止一个 GPU"}};

constexpr Route routes[] = {
    {"The idea", "核心想法", "00 04 06 07 09"},
    {"Kernel engineer", "内核工程师", "00 04 06 07 09 11 12 13 17 19"},
    {"Serving", "推理服务", "00 04 06 07 09 11 13 16 18"},
};

bool is_own_list() { return &summaries() != &built_in_summaries(); }

}  // namespace

const Chapter* begins_chapter(const Summary& lesson) {
  const auto* const found = std::find_if(std::begin(chapters), std::end(chapters), [&](const Chapter& chapter) {
    return lesson.id.starts_with(chapter.first) && lesson.id[chapter.first.size()] == '-';
  });
  return is_own_list() || found == std::end(chapters) ? nullptr : found;
}

std::vector<RouteLessons> shorter_routes(const std::vector<Summary>& all) {
  std::vector<RouteLessons> shown;
  if (is_own_list()) return shown;
  for (const Route& route : routes) {
    RouteLessons found{&route, {}};
    for (const Summary& lesson : all)
      if (route.numbers.find(lesson.id.substr(0, 2)) != std::string_view::npos) found.lessons.push_back(&lesson);
    const auto same = [&](const RouteLessons& other) { return other.lessons == found.lessons; };
    if (found.lessons.size() > 1 && std::none_of(shown.begin(), shown.end(), same)) shown.push_back(std::move(found));
  }
  return shown;
}

std::string numbers_of(const RouteLessons& route) {
  std::string numbers;
  for (const Summary* lesson : route.lessons)
    numbers += sim::text(numbers.empty() ? "" : "  ", lesson->id.substr(0, 2));
  return numbers;
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
