// Lesson library of a command: the lessons of --lessons DIR, else the built-in ones.
#pragma once
#include <string>
#include <vector>

#include "lessons/catalogue.h"
#include "viz/terminal/arguments.h"

namespace terminal {

inline constexpr std::size_t longest_lesson_file = std::size_t{256} * 1024;  ///< bytes

struct LessonLibrary {
  std::vector<std::string> ids;
  lessons::ReadFile read;
  lessons::WrittenLesson open(const std::string& id) const { return lessons::read_written(id, read); }
  std::string behind(const std::string& id) const;  ///< the following lesson; "" after the last
};

/// The library for the arguments. Throws sim::Error for a folder without lessons.
LessonLibrary library_of(const Arguments& arguments);

}  // namespace terminal
