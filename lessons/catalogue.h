// The lessons that there are: those that are built in, or those of a folder.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/lesson.h"
#include "lessons/page.h"

namespace lessons {

/// The bytes of a file of a lesson: "07-flash1-by-hand/en.md". Throws sim::Error where there is none.
using ReadFile = std::function<std::string(const std::string& path)>;

/// Those that are compiled in.
std::string built_in_file(const std::string& path);
const std::vector<std::string>& built_in_ids();

/// A lesson with its words in both languages.
struct WrittenLesson {
  Lesson lesson;
  Words en, zh;
  const Words& words(Language language) const { return language == Language::zh ? zh : en; }
};

/// Reads the three files of a lesson; `folder` is its name, and what its id must be.
WrittenLesson read_written(const std::string& folder, const ReadFile& read);

/// One that is compiled in, by its id. Read once.
const WrittenLesson& built_in(const std::string& id);

/// "7", "07" or "07-flash1-by-hand" as one of the ids. Throws sim::Error with the nearest.
std::string id_called(std::string_view name, const std::vector<std::string>& ids);

}  // namespace lessons
