#include "viz/terminal/lesson/new_lesson.h"

#include <filesystem>

#include "lessons/catalogue.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "viz/files/output_set.h"
#include "viz/terminal/command.h"

namespace terminal {
namespace {

/// True for an id such as "21-mine".
bool is_id(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return name.size() > 3 && name.size() < 60 && sim::is_digit(name[0]) && sim::is_digit(name[1]) && name[2] == '-' &&
         name.find_first_not_of(letters) == std::string_view::npos;
}

}  // namespace

int make_new_lesson(const std::string& folder) {
  std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  const std::string id = path.filename().string();
  sim::require(is_id(id), "lesson new: ", sim::quoted(id),
               " is not a name of a lesson: two digits, - and a-z, 0-9, -, such as 21-mine");
  std::error_code error;
  sim::require(!std::filesystem::exists(path, error), "lesson new: ", sim::quoted(folder), " exists already");
  files::OutputFolder made(path);
  files::OutputSet set;
  for (const std::string name : {"lesson.toml", "en.md", "zh.md"}) {
    std::string text = lessons::built_in_file("template/" + name);
    if (const std::size_t at = text.find("NN-slug"); at != std::string::npos) text.replace(at, 7, id);
    set.add(path / name).write(text);
  }
  set.commit();
  print(as_typed(sim::text("wrote ", folder, ": lesson.toml, en.md, zh.md\n\nflashscope lesson check ", folder, "\n")));
  return exit_done;
}

}  // namespace terminal
