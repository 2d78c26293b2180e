// Catalogue of the available lessons: the built-in ones, or those of a folder.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/lesson.h"
#include "lessons/page.h"

namespace lessons {

/// Returns the bytes of a lesson's file: "07-flash1-by-hand/en.md". Throws sim::Error if there is none.
using ReadFile = std::function<std::string(const std::string& path)>;

/// Files and ids of the lessons that are compiled in.
std::string built_in_file(const std::string& path);
const std::vector<std::string>& built_in_ids();

/// A lesson with its text in both languages.
struct WrittenLesson {
  Lesson lesson;
  Words en, zh;
  const Words& words(Language language) const { return language == Language::zh ? zh : en; }
};

/// Reads the three files of a lesson. `folder` is the folder's name, which the lesson's id must equal.
WrittenLesson read_written(const std::string& folder, const ReadFile& read);

/// Returns a lesson by its id: compiled in and read once, or registered by register_lesson().
const WrittenLesson& built_in(const std::string& id);

/// True if a folder of this name holds a lesson: "21-mine".
bool names_lesson(std::string_view folder);

/// Replaces the built-in lessons by the user's own. Throws sim::Error, and replaces none, if one is wrong. References
/// to the previous lessons stay valid.
void replace_built_in(const std::vector<std::string>& ids, const ReadFile& read);

/// Summary of a lesson for lists, available without reading the lesson.
struct Summary {
  std::string_view id;
  int version = 1, minutes = 0;
  std::vector<std::string_view> needs;
  std::size_t steps = 0, questions = 0;
  std::string_view en, zh;  ///< title
  std::string_view title(Language language) const { return language == Language::zh ? zh : en; }
};
/// Summaries of all lessons.
const std::vector<Summary>& summaries();
/// Summaries of the built-in lessons. The web page gets them from its build, as it has not read the lessons.
const std::vector<Summary>& built_in_summaries();
Summary summary_of(const WrittenLesson& written);
const Summary& summary_of(std::string_view id);

/// True if built_in() has a lesson in a language. A lesson that is not compiled in must be registered by
/// register_lesson() first.
bool is_here(const std::string& id, Language language);
/// Registers a lesson in one language for built_in(). Registering its second language adds only the text: references to
/// the lesson stay valid. Throws sim::Error, and registers nothing, if the lesson is not in summaries(), has another
/// version, or lacks the text of a step.
void register_lesson(Language language, Lesson lesson, Words words, const std::string& file);

/// Resolves "7", "07" or "07-flash1-by-hand" to one of the ids. Throws sim::Error that names the nearest.
std::string id_called(std::string_view name, const std::vector<std::string>& ids);

}  // namespace lessons
