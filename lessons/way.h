// The way through the lessons: chapters, what a learner has done, and where to begin.
#pragma once
#include <string_view>
#include <vector>

#include "lessons/catalogue.h"
#include "lessons/notebook.h"

namespace lessons {

struct Chapter {
  std::string_view first;  ///< the number of its first lesson; it ends before the first of the next
  std::string_view en, zh;
  std::string_view title(Language language) const { return language == Language::zh ? zh : en; }
};

/// The chapter that a built-in lesson begins; null for the others, and for lessons of one's own.
const Chapter* begins_chapter(const Summary& lesson);

enum class Progress { none, begun, done };
/// `done`: every question is answered; of a lesson without questions, its end was reached.
Progress progress_of(const Notebook& notebook, const Summary& lesson);

/// The questions of a lesson that were answered or shown.
std::size_t answered_of(const Notebook& notebook, const Summary& lesson);

/// The first lesson that is not done; null if all are.
const Summary* next_lesson(const Notebook& notebook, const std::vector<Summary>& all);

/// "02, 04 → 06": the lessons that one needs, with an arrow to it; empty if it needs none.
std::string arrow_to(const Summary& lesson, std::string_view arrow);

}  // namespace lessons
