// flashscope lesson: plays, lists, checks and creates lessons.
#include <filesystem>
#include <list>
#include <nlohmann/json.hpp>
#include <string>

#include "lessons/catalogue.h"
#include "lessons/check.h"
#include "lessons/names.h"
#include "lessons/notebook.h"
#include "lessons/variation.h"
#include "lessons/way.h"
#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/read_file.h"
#include "sim/base/text.h"
#include "sim/report/run_json.h"
#include "viz/files/names_in.h"
#include "viz/files/output_set.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/lesson_library.h"
#include "viz/terminal/lesson/notebook_file.h"
#include "viz/terminal/lesson/play.h"
#include "viz/terminal/lesson/sheet.h"
#include "viz/terminal/lesson/text.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

using lessons::Language;
using std::string;

// flashscope lesson new DIR: creates a valid lesson as a starting point.

/// True for an id such as "21-mine".
bool is_id(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return name.size() > 3 && name.size() < 60 && sim::is_digit(name[0]) && sim::is_digit(name[1]) && name[2] == '-' &&
         name.find_first_not_of(letters) == std::string_view::npos;
}

/// Writes lesson.toml, en.md and zh.md into a new folder NN-slug. Throws sim::Error if it exists or has a name of
/// another form. Returns the exit code.
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

// The command.

/// Status of a lesson in the list: "done", "4 of 12", "begin here".
string state_of(const lessons::Summary& lesson, const lessons::Notebook& notebook, bool is_next, Language language) {
  const lessons::Progress progress = lessons::progress_of(notebook, lesson);
  if (progress == lessons::Progress::done) return say(language, "done");
  if (is_next)
    return say(language, progress == lessons::Progress::none ? /*say*/ "begin here" : /*say*/ "continue here");
  if (progress == lessons::Progress::none) return "";
  return say(language, "{} of {}", lessons::answered_of(notebook, lesson), lesson.questions);
}

/// Pads a text with blanks, at least two.
string padded(string text, float columns) {
  text.resize(text.size() + static_cast<std::size_t>(std::max(2.f, columns - columns_of(text))), ' ');
  return text;
}

/// Widest line of the list: that of a terminal whose user never changed it.
constexpr int list_columns = 80;

/// Two lines for a lesson: "07  FlashAttention-1 by hand   continue here", "    14 steps, 6 questions, 20 min   04, 06
/// -> 07".
string list_entry(const lessons::Summary& lesson, const string& state, Language language) {
  constexpr float second = 45;  // column of the state and of the lessons that it needs
  const auto line = [](const string& start, const string& text) {
    const string both = padded(start, second) + text;
    return kept_line(both.substr(0, both.find_last_not_of(' ') + 1), list_columns);
  };
  const auto minutes = static_cast<std::size_t>(lesson.minutes);
  const string counts = say(language, "{} steps, {} questions, {} min", lesson.steps, lesson.questions, minutes);
  return line(sim::text(lesson.id.substr(0, 2), "  ", lesson.title(language)), state) +
         line("    " + counts, lessons::arrow_to(lesson, "->"));
}

/// Prints chapters and lessons. Returns the number of the lesson to begin with.
string list_lessons(const LessonLibrary& library, Language language, bool built_in) {
  const lessons::Notebook notebook = peek_notebook(notebook_path());
  std::list<lessons::WrittenLesson> opened;  // summaries refer to it
  std::vector<lessons::Summary> all;
  for (const string& id : library.ids) all.push_back(lessons::summary_of(opened.emplace_back(library.open(id))));
  const lessons::Summary* const next = lessons::next_lesson(notebook, all);
  for (const lessons::Summary& lesson : all) {
    const lessons::Chapter* const chapter = built_in ? lessons::begins_chapter(lesson) : nullptr;
    if (chapter != nullptr) print((&lesson == &all.front() ? "" : "\n") + string(chapter->title(language)) + "\n");
    print(list_entry(lesson, state_of(lesson, notebook, &lesson == next, language), language));
  }
  const auto routes = built_in ? lessons::shorter_routes(all) : std::vector<lessons::RouteLessons>();
  if (!routes.empty()) print("\n" + say(language, "Shorter routes") + "\n");
  for (const lessons::RouteLessons& route : routes)
    print(padded("    " + string(route.route->title(language)), 24) + lessons::numbers_of(route) + "\n");
  return string((next == nullptr ? all.front() : *next).id.substr(0, 2));
}

/// Checks the variations that students get: claims, answers and numbers for each value, in the first language.
void check_variations(const lessons::WrittenLesson& written, const std::vector<Language>& languages,
                      lessons::Checked& checked) {
  for (const lessons::Variation& variation : lessons::variations(written.lesson)) {
    for (string& finding : lessons::check(written, variation, find_gpu, languages.front()))
      checked.findings.push_back(std::move(finding));
    ++checked.variations;
  }
}

/// Checks lessons; prints a line for each correct one, and one for each finding. Returns the exit code.
int check_lessons(const LessonLibrary& library, const std::vector<string>& ids, const std::vector<Language>& languages,
                  bool complete) {
  bool good = true;
  std::vector<lessons::WrittenLesson> read;
  for (const string& id : ids) {
    lessons::Checked checked;
    try {
      read.push_back(library.open(id));
      checked = lessons::check(read.back(), find_gpu, languages, library.ids, complete);
      check_variations(read.back(), languages, checked);
    } catch (const sim::Error& error) {
      checked.findings.push_back(error.what());
    }
    for (const string& finding : checked.findings) print(finding + "\n");
    good = good && checked.findings.empty();
    if (checked.findings.empty())
      print(sim::text(id, ": ", checked.steps, " steps, ", checked.claims, " claims, ", checked.questions,
                      " questions, ", checked.numbers, " numbers, ", checked.variations,
                      checked.variations == 1 ? " variation: all hold\n" : " variations: all hold\n"));
  }
  std::vector<const lessons::Lesson*> all;
  for (const lessons::WrittenLesson& written : read) all.push_back(&written.lesson);
  if (ids.size() == library.ids.size()) {
    for (const string& finding : lessons::check_needs(all)) {
      good = false;
      print(finding + "\n");
    }
  }
  return good ? exit_done : exit_check_failed;
}

std::vector<Language> languages_of(const Arguments& arguments) {
  if (arguments.find("lang")) return {language_of(arguments)};
  return {Language::en, Language::zh};
}

/// Runs `lesson check DIR` on the folder of one lesson.
int check_folder(const string& folder, const Arguments& arguments) {
  const LessonLibrary library = library_with("lesson check", folder);
  return check_lessons(library, {library.ids.back()}, languages_of(arguments), arguments.find("complete").has_value());
}

/// Runs `lesson value ID|DIR STEP FORMULA`: prints the value of a formula, or both sides of a claim. Returns the exit
/// code.
int print_value(const std::vector<string>& words, const Arguments& arguments) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(words[1], error);
  const LessonLibrary library = folder ? library_with("lesson value", words[1]) : library_of(arguments);
  lessons::WrittenLesson written =
      library.open(folder ? library.ids.back() : lessons::id_called(words[1], library.ids));
  written.lesson = lessons::varied(std::move(written.lesson), arguments.value("student", ""));
  lessons::Step& step = lessons::step_called(written.lesson, words[2]);
  const string formula = lessons::expanded(written.lesson, step, words[3]);
  const lessons::Scene scene(written.lesson, step, find_gpu);
  if (!lessons::is_claim(formula)) {
    const auto [value, unit] = scene.facts().quantity(formula);
    const string text = lessons::written(value, unit), digits = lessons::plain_number(value);
    print(text + (text.starts_with(digits) ? "\n" : " (" + digits + ")\n"));
    return exit_done;
  }
  const bool holds = scene.facts().holds(formula);
  print(scene.facts().sides(formula) + (holds ? ": holds\n" : ": does not hold\n"));
  return holds ? exit_done : exit_check_failed;
}

int export_to(const string& folder, const LessonLibrary& library, const std::vector<string>& words,
              const Arguments& arguments) {
  sim::require(!arguments.find("handout") || !arguments.find("key"),
               "lesson: --handout has no answers, --key nothing else: choose one");
  std::vector<lessons::WrittenLesson> all;
  for (const string& id : library.ids) {
    if (words.empty() || id == lessons::id_called(words[0], library.ids)) all.push_back(library.open(id));
  }
  const string student = arguments.value("student", "");
  for (lessons::WrittenLesson& written : all) written.lesson = lessons::varied(std::move(written.lesson), student);
  const Sheet sheet = arguments.find("handout") ? Sheet::handout : arguments.find("key") ? Sheet::key : Sheet::all;
  export_lessons(all, {folder, sheet, language_of(arguments), student, arguments.value("lessons", "")});
  return exit_done;
}

}  // namespace

/// Assigned field by field: g++ 12 frees parts of a braced list twice if memory runs out in it.
CommandSyntax lesson_syntax() {
  CommandSyntax syntax;
  syntax.name = "lesson";
  syntax.summary = "Step-through lessons, from why attention is slow to the roles of FlashAttention-3";
  syntax.scenario = false;
  syntax.own = {{"list", "", "the lessons by chapters: minutes, what each needs, what is done, where to begin", {}},
                {"check", "", "run every lesson and assert its claims, numbers and answers", {}},
                {"complete", "", "check DIR, --check: ask also for what every lesson of the catalogue has", {}},
                {"lang", "en|zh", "language [en; --check: both]", {"en", "zh"}},
                {"step", "N", "begin with this step; into a pipe: only this step", {}},
                {"ascii", "", "only characters of ASCII; the default if a terminal lacks UTF-8", {}},
                {"student", "NAME", "the parameters that this student gets; the notebook keeps the name", {}},
                {"export", "DIR", "write Markdown and HTML with pictures, of one lesson or of all", {}},
                {"handout", "", "--export without answers", {}},
                {"key", "", "--export only the answers", {}},
                {"lessons", "DIR", "lessons of your own instead of the built-in ones", {}}};
  syntax.example = "flashscope lesson 00";
  syntax.word = {
      "word", "", "ID (07, 7 or 07-flash1-by-hand); or new DIR; check DIR; value ID|DIR STEP FORMULA", {}, true};
  syntax.note = "In a terminal a lesson asks and marks; into a pipe it prints all, answers included.";
  return syntax;
}

namespace {

/// Runs a command with words behind its name: new DIR, check DIR, value ID STEP FORMULA. Returns the exit code.
int run_words(const std::vector<string>& words, const Arguments& arguments) {
  const bool value = words[0] == "value";
  sim::require(words.size() == (value ? 4 : 2), "lesson ", words[0],
               value ? ": name the lesson or its folder, the step and the formula: lesson value 04 half \"here.m.0\""
                     : ": name the folder, such as lessons/21-mine");
  if (value) return print_value(words, arguments);
  return words[0] == "check" ? check_folder(words[1], arguments) : make_new_lesson(words[1]);
}

}  // namespace

int run_lesson(const Arguments& arguments) {
  const auto found = arguments.repeated.find("word");
  const std::vector<string> words = found == arguments.repeated.end() ? std::vector<string>() : found->second;
  if (!words.empty() && (words[0] == "new" || words[0] == "check" || words[0] == "value"))
    return run_words(words, arguments);
  sim::require(words.size() <= 1, "lesson: one lesson at a time, see flashscope lesson --help");
  const Language language = language_of(arguments);
  const LessonLibrary library = library_of(arguments);
  if (arguments.find("check")) {
    const std::vector<string> ids =
        words.empty() ? library.ids : std::vector<string>{lessons::id_called(words[0], library.ids)};
    const bool complete = arguments.find("complete") || !arguments.find("lessons");
    return check_lessons(library, ids, languages_of(arguments), complete);
  }
  if (const auto folder = arguments.find("export")) return export_to(*folder, library, words, arguments);
  for (const char* sheet : {"handout", "key"})
    sim::require(!arguments.find(sheet), "lesson: --", sheet, " goes with --export DIR");
  if (arguments.find("list") || words.empty()) {
    const string first = list_lessons(library, language, !arguments.find("lessons"));
    if (words.empty() && !arguments.find("list")) print(as_typed("\nflashscope lesson " + first + "\n"));
    return exit_done;
  }
  return play_or_print(library, library.open(lessons::id_called(words[0], library.ids)), arguments);
}

}  // namespace terminal
