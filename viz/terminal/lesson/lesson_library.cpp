#include "viz/terminal/lesson/lesson_library.h"

#include <algorithm>
#include <filesystem>

#include "sim/base/printable.h"
#include "sim/base/read_file.h"
#include "sim/base/text.h"
#include "viz/files/names_in.h"

namespace terminal {
namespace {

using std::string;

LessonLibrary folder_library(const std::filesystem::path& folder) {
  std::error_code error;
  sim::require(std::filesystem::is_directory(folder, error), "lessons: ", sim::quoted(folder.string()),
               " is not a folder");
  LessonLibrary library;
  for (const string& name : files::names_in(folder.string())) {
    if (lessons::names_lesson(name) && std::filesystem::exists(folder / name / "lesson.toml", error))
      library.ids.push_back(name);
  }
  sim::require(!library.ids.empty(), "lessons: ", sim::quoted(folder.string()),
               " holds no folder such as 21-mine with a lesson.toml");
  library.read = [folder](const string& path) { return sim::read_file(folder / path, longest_lesson_file); };
  return library;
}

}  // namespace

string LessonLibrary::behind(const string& id) const {
  const auto found = std::find(ids.begin(), ids.end(), id);
  return found == ids.end() || found + 1 == ids.end() ? "" : *(found + 1);
}

LessonLibrary library_with(const string& command, const string& folder) {
  std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  std::error_code error;
  sim::require(std::filesystem::is_directory(path, error), command, ": ", sim::quoted(folder), " is not a folder");
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
  LessonLibrary library{lessons::built_in_ids(),
                        [parent](const string& name) { return sim::read_file(parent / name, longest_lesson_file); }};
  for (const string& name : files::names_in(parent.string())) library.ids.push_back(name);
  library.ids.push_back(path.filename().string());
  return library;
}

LessonLibrary library_of(const Arguments& arguments) {
  if (const auto folder = arguments.find("lessons")) return folder_library(*folder);
  return {lessons::built_in_ids(), lessons::built_in_file};
}

}  // namespace terminal
