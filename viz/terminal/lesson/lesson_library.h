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

/// The library of `command` for the folder of one lesson, whose id is the last: with its neighbours, and the built-in
/// lessons, which it may need. Throws sim::Error if there is no such folder.
LessonLibrary library_with(const std::string& command, const std::string& folder);
/// The library for the arguments. Throws sim::Error for a folder without lessons.
LessonLibrary library_of(const Arguments& arguments);

}  // namespace terminal
