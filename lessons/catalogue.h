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

/// One by its id: compiled in and read once, or shelved.
const WrittenLesson& built_in(const std::string& id);

/// Whether a folder of this name holds a lesson: "21-mine".
bool names_lesson(std::string_view folder);

/// Takes somebody's own lessons for the built-in ones. Throws sim::Error, and takes none, when one is wrong. Who reads
/// those that were there before goes on.
void replace_built_in(const std::vector<std::string>& ids, const ReadFile& read);

/// What a list says of a lesson without reading it.
struct Summary {
  std::string_view id;
  int version = 1, minutes = 0;
  std::vector<std::string_view> needs;
  std::size_t steps = 0, questions = 0;
  std::string_view en, zh;  ///< its title
  std::string_view title(Language language) const { return language == Language::zh ? zh : en; }
};
/// Of all lessons.
const std::vector<Summary>& summaries();
/// Of those that are built in. A page gets them from its build: it has not read the lessons.
const std::vector<Summary>& built_in_summaries();
Summary summary_of(const WrittenLesson& written);
const Summary& summary_of(std::string_view id);

/// Whether built_in() has a lesson with its words in a language: what is not compiled in is shelved first.
bool is_here(const std::string& id, Language language);
/// Puts a lesson in one language where built_in() looks. The lesson stays as it is when its words come in a second
/// language: who reads it goes on. Throws sim::Error, and shelves nothing, for one that is not in summaries(), is
/// another version, or lacks the words of a step.
void shelve(Language language, Lesson lesson, Words words, const std::string& file);

/// "7", "07" or "07-flash1-by-hand" as one of the ids. Throws sim::Error with the nearest.
std::string id_called(std::string_view name, const std::vector<std::string>& ids);

}  // namespace lessons
