// flashscope grade: marks notebooks of lessons.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lessons/notebook.h"
#include "lessons/variation.h"
#include "sim/base/printable.h"
#include "sim/base/read_file.h"
#include "sim/report/run_json.h"
#include "viz/files/names_in.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/lesson_library.h"
#include "viz/terminal/request.h"

namespace terminal {

/// Assigned field by field: g++ 12 frees parts of a braced list twice if memory runs out in it.
CommandSyntax grade_syntax() {
  CommandSyntax syntax;
  syntax.name = "grade";
  syntax.summary = "Mark a notebook of lessons again, or all of a folder, by simulating every answer";
  syntax.scenario = false;
  syntax.own.push_back({"lessons", "DIR", "lessons of your own instead of the built-in ones", {}});
  const std::vector<std::string> formats = {"json", "csv"};
  syntax.own.push_back({"format", "json|csv", "every answer, or a row per notebook [json; csv of a folder]", formats});
  syntax.example = "flashscope grade answers.json";
  syntax.word = {"answers", "", "the notebook, ANSWERS.json, or a folder of them", {}};
  syntax.note = "The notebook is in the state folder: ~/.local/state/flashscope/notebook.json.";
  return syntax;
}

namespace {

/// One marked notebook, or the error that prevents it.
struct Marked {
  std::string file, student, broken;
  std::vector<lessons::Grade> grades;
  bool all_right() const {
    return std::all_of(grades.begin(), grades.end(), [](const lessons::Grade& each) { return each.right == each.of; });
  }
};

Marked mark(const std::string& file, const LessonLibrary& library) {
  const lessons::Notebook notebook = lessons::read_notebook(sim::read_file(file, lessons::longest_notebook), file);
  sim::require(!notebook.lessons.empty(), file, ": holds no answers");
  Marked marked{file, notebook.student, "", {}};
  for (const lessons::LessonNotes& notes : notebook.lessons) {
    lessons::WrittenLesson written = library.open(lessons::id_called(notes.id, library.ids));
    const int version = written.lesson.version;
    if (notes.version != version && notebook.find(notes.id, version) != nullptr) continue;  // the lesson was restarted
    written.lesson = lessons::varied(std::move(written.lesson), notebook.student);
    sim::require(notes.version == version, file, ": the answers are to version ", notes.version, " of ",
                 written.lesson.id, ", this program has version ", version);
    marked.grades.push_back(lessons::grade(written, notes, find_gpu));
  }
  return marked;
}

/// Marks the notebooks of a folder in the order of their names. An error in one does not stop the others.
std::vector<Marked> mark_folder(const std::string& folder, const LessonLibrary& library) {
  std::vector<std::string> notebooks;
  for (const std::string& name : files::names_in(folder))
    if (name.ends_with(".json")) notebooks.push_back((std::filesystem::path(folder) / name).string());
  sim::require(!notebooks.empty(), "grade: ", sim::quoted(folder), " holds no notebook: their names end in .json");
  std::vector<Marked> all;
  for (const std::string& file : notebooks) {
    try {
      all.push_back(mark(file, library));
    } catch (const sim::Error& error) {
      all.push_back({file, "", error.what(), {}});
    }
  }
  return all;
}

/// Rows notebook,student,right,of, then right answers of each lesson (empty if not begun), and the error of a notebook
/// that cannot be marked.
std::string rows_of(const std::vector<Marked>& all, const LessonLibrary& library) {
  std::string text = "notebook,student,right,of";
  for (const std::string& id : library.ids) text += "," + report::csv_cell(id);
  text += ",broken\n";
  for (const Marked& marked : all) {
    std::size_t right = 0, of = 0;
    std::string of_lessons;
    for (const std::string& id : library.ids) {
      const auto grade = std::find_if(marked.grades.begin(), marked.grades.end(),
                                      [&](const lessons::Grade& each) { return each.id == id; });
      of_lessons += ',';
      if (grade == marked.grades.end()) continue;
      right += grade->right;
      of += grade->of;
      of_lessons += std::to_string(grade->right);
    }
    text += report::csv_cell(marked.file) + "," + report::csv_cell(marked.student) + "," +
            (marked.broken.empty() ? sim::text(right, ",", of) : ",") + of_lessons + "," +
            (marked.broken.empty() ? "" : report::csv_cell(marked.broken)) + "\n";
  }
  return text;
}

}  // namespace

int run_grade(const Arguments& arguments) {
  const auto place = arguments.find("answers");
  sim::require(place.has_value(), "grade: name the notebook: flashscope grade ANSWERS.json");
  const LessonLibrary library = library_of(arguments);
  std::error_code error;
  const bool folder = std::filesystem::is_directory(*place, error);
  const std::string format = arguments.value("format", folder ? "csv" : "json");
  sim::require(!folder || format == "csv", "grade: of a folder there is --format csv, a row per notebook");
  const std::vector<Marked> all = folder ? mark_folder(*place, library) : std::vector{mark(*place, library)};
  print(format == "csv" ? rows_of(all, library) : report::to_text(lessons::to_json(all.front().grades)));
  std::vector<std::string> broken;
  for (const Marked& marked : all)
    if (!marked.broken.empty()) broken.push_back(marked.broken);
  print_warnings(broken);
  if (!broken.empty()) return exit_wrong_use;
  return std::all_of(all.begin(), all.end(), [](const Marked& marked) { return marked.all_right(); })
             ? exit_done
             : exit_check_failed;
}

}  // namespace terminal
