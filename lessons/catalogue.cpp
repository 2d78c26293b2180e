#include "lessons/catalogue.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <utility>

#include "lessons/names.h"
#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace lessons {

std::string_view embedded_text(std::string_view path);

namespace {

/// Lessons read so far, and the languages in which lessons were registered at run time.
struct Library {
  std::map<std::string, WrittenLesson> lessons;
  std::set<std::pair<std::string, Language>> words;
  std::vector<std::string> own;  ///< ids of the user's lessons that replace the built-in ones; usually empty
  std::vector<Summary> own_summaries;
};

Library& library() {
  static Library library;
  return library;
}

}  // namespace

std::string built_in_file(const std::string& path) { return std::string(embedded_text(path)); }

const std::vector<std::string>& built_in_ids() {
  static const std::vector<std::string> ids = [] {
    const auto names = sim::split(FLASHSCOPE_LESSONS, ",");  // the list is in CMakeLists.txt
    return std::vector<std::string>(names.begin(), names.end());
  }();
  return library().own.empty() ? ids : library().own;
}

WrittenLesson read_written(const std::string& folder, const ReadFile& read) {
  const auto words = [&](Language language) {
    const std::string path = folder + "/" + std::string(name_of(language)) + ".md";
    return read_words(read(path), language, path);
  };
  const std::string path = folder + "/lesson.toml";
  WrittenLesson written{read_lesson(read(path), path), words(Language::en), words(Language::zh)};
  for (Words* texts : {&written.en, &written.zh}) expand_names(written.lesson, *texts);
  const std::string& id = written.lesson.id;
  sim::require(id == folder, path, ": id \"", id, "\" is not the name of its folder, ", folder);
  return written;
}

const WrittenLesson& built_in(const std::string& id) {
  std::map<std::string, WrittenLesson>& known = library().lessons;
  const auto found = known.find(id);
  return found != known.end() ? found->second : known.emplace(id, read_written(id, built_in_file)).first->second;
}

bool names_lesson(std::string_view folder) {
  return folder.size() > 3 && sim::is_digit(folder[0]) && sim::is_digit(folder[1]) && folder[2] == '-';
}

void replace_built_in(const std::vector<std::string>& ids, const ReadFile& read) {
  Library own;
  for (const std::string& id : ids) {
    const auto [put, made] = own.lessons.emplace(id, read_written(id, read));
    own.own_summaries.push_back(summary_of(put->second));
    for (const Language language : {Language::en, Language::zh}) own.words.emplace(id, language);
  }
  own.own = ids;
  static std::list<Library> replaced;  // callers may still hold references to them
  replaced.push_back(std::exchange(library(), std::move(own)));
}

const std::vector<Summary>& summaries() {
  return library().own.empty() ? built_in_summaries() : library().own_summaries;
}

Summary summary_of(const WrittenLesson& written) {
  const Lesson& lesson = written.lesson;
  Summary summary{lesson.id, lesson.version,   lesson.minutes,  {}, lesson.steps.size(),
                  0,         written.en.title, written.zh.title};
  summary.needs.assign(lesson.needs.begin(), lesson.needs.end());
  for (const Step& step : lesson.steps) summary.questions += step.questions.size();
  return summary;
}

const Summary& summary_of(std::string_view id) {
  const std::vector<Summary>& all = summaries();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Summary& one) { return one.id == id; });
  sim::require(found != all.end(), "there is no lesson ", sim::quoted(id));
  return *found;
}

bool is_here(const std::string& id, Language language) {
  const auto compiled_in = sim::split(FLASHSCOPE_COMPILED_IN, ",");
  return std::find(compiled_in.begin(), compiled_in.end(), id) != compiled_in.end() ||
         library().words.contains({id, language});
}

void register_lesson(Language language, Lesson lesson, Words words, const std::string& file) {
  const Summary& summary = summary_of(lesson.id);
  std::size_t questions = 0;
  for (const Step& step : lesson.steps) {
    questions += step.questions.size();
    static_cast<void>(words.page(step.name));  // throws if the step has no page
  }
  sim::require(
      lesson.version == summary.version && lesson.steps.size() == summary.steps && questions == summary.questions, file,
      ": the lesson is another one than this program knows: version ", lesson.version, " with ", lesson.steps.size(),
      " steps and ", questions, " questions");
  const std::string id = lesson.id;
  if (is_here(id, language)) return;
  const auto [registered, first] = library().lessons.try_emplace(id, WrittenLesson{std::move(lesson), words, words});
  (language == Language::zh ? registered->second.zh : registered->second.en) = std::move(words);
  library().words.emplace(id, language);
}

Step& step_called(Lesson& lesson, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < lesson.steps.size(); ++n) {
    names.push_back(lesson.steps[n].name);
    if (names.back() == name || std::to_string(n + 1) == name) return lesson.steps[n];
  }
  throw sim::Error(sim::unknown_name_message("step", name, names));
}

std::string id_called(std::string_view name, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const std::string_view number = std::string_view(id).substr(0, 2);
    if (name == id || name == number || (number[0] == '0' && name == number.substr(1))) return id;
  }
  throw sim::Error(sim::unknown_name_message("lesson", name, ids));
}

}  // namespace lessons
