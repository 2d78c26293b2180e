// The path through the lessons: chapters, a learner's progress, and the next lesson.
#pragma once
#include <string_view>
#include <vector>

#include "lessons/catalogue.h"
#include "lessons/notebook.h"

namespace lessons {

struct Chapter {
  std::string_view first;  ///< number of its first lesson; it ends before the first of the next
  std::string_view en, zh;
  std::string_view title(Language language) const { return language == Language::zh ? zh : en; }
};

/// Returns the chapter that a built-in lesson begins; null for other lessons, and for a user's own.
const Chapter* begins_chapter(const Summary& lesson);

/// A way that leaves lessons out.
struct Route {
  std::string_view en, zh;
  std::string_view numbers;  ///< of its lessons, in their order: "00 04 06"
  std::string_view title(Language language) const { return language == Language::zh ? zh : en; }
};

/// A route and those of its lessons that exist.
struct RouteLessons {
  const Route* route;
  std::vector<const Summary*> lessons;
};

/// Returns the shorter routes through the built-in lessons, none twice while some of their lessons do not exist. Empty
/// for a user's own lessons.
std::vector<RouteLessons> shorter_routes(const std::vector<Summary>& all);

/// Formats the lessons of a route: "00  04  06".
std::string numbers_of(const RouteLessons& route);

enum class Progress { none, begun, done };
/// `done`: every question is answered; in a lesson without questions, its end was reached.
Progress progress_of(const Notebook& notebook, const Summary& lesson);

/// Number of questions of a lesson that were answered or shown.
std::size_t answered_of(const Notebook& notebook, const Summary& lesson);

/// Returns the first lesson that is not done; null if all are.
const Summary* next_lesson(const Notebook& notebook, const std::vector<Summary>& all);

/// Formats the prerequisites of a lesson, "02, 04 → 06", with `arrow` between; empty if there are none.
std::string arrow_to(const Summary& lesson, std::string_view arrow);

}  // namespace lessons
