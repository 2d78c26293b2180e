#include "lessons/catalogue.h"

#include <map>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace lessons {

std::string_view embedded_text(std::string_view path);

std::string built_in_file(const std::string& path) { return std::string(embedded_text(path)); }

const std::vector<std::string>& built_in_ids() {
  static const std::vector<std::string> ids = [] {
    const auto names = sim::split(FLASHSCOPE_LESSONS, ",");  // the list stands in CMakeLists.txt
    return std::vector<std::string>(names.begin(), names.end());
  }();
  return ids;
}

WrittenLesson read_written(const std::string& folder, const ReadFile& read) {
  const auto words = [&](Language language) {
    const std::string path = folder + "/" + std::string(name_of(language)) + ".md";
    return read_words(read(path), language, path);
  };
  const std::string path = folder + "/lesson.toml";
  WrittenLesson written{read_lesson(read(path), path), words(Language::en), words(Language::zh)};
  const std::string& id = written.lesson.id;
  sim::require(id == folder, path, ": id \"", id, "\" is not the name of its folder, ", folder);
  return written;
}

const WrittenLesson& built_in(const std::string& id) {
  static std::map<std::string, WrittenLesson> read;
  const auto known = read.find(id);
  return known != read.end() ? known->second : read.emplace(id, read_written(id, built_in_file)).first->second;
}

std::string id_called(std::string_view name, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const std::string_view number = std::string_view(id).substr(0, 2);
    if (name == id || name == number || (number[0] == '0' && name == number.substr(1))) return id;
  }
  throw sim::Error(sim::text("unknown lesson ", sim::quoted(name), ": did you mean \"",
                             sim::joined(sim::nearest_names(name, ids, 1)), "\"? known: ", sim::joined(ids)));
}

}  // namespace lessons
