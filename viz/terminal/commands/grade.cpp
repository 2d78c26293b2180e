// flashscope grade: marks a notebook of lessons again.
#include <nlohmann/json.hpp>

#include "lessons/notebook.h"
#include "lessons/variation.h"
#include "sim/report/run_json.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/notebook_file.h"
#include "viz/terminal/lesson/shelf.h"
#include "viz/terminal/request.h"

namespace terminal {

CommandSyntax grade_syntax() {
  return {.name = "grade",
          .summary = "Mark a notebook of lessons again, by simulating every answer",
          .scenario = false,
          .own = {{"lessons", "DIR", "lessons of your own instead of the built-in ones", {}}},
          .example = "flashscope grade answers.json",
          .word = {"answers", "", "the notebook, ANSWERS.json", {}},
          .note = "A notebook lies in the state folder: ~/.local/state/flashscope/notebook.json."};
}

int run_grade(const Arguments& arguments) {
  const auto file = arguments.find("answers");
  sim::require(file.has_value(), "grade: name the notebook: flashscope grade ANSWERS.json");
  const lessons::Notebook notebook = lessons::read_notebook(read_text_file(*file, lessons::longest_notebook), *file);
  sim::require(!notebook.lessons.empty(), *file, ": holds no answers");
  const Shelf shelf = shelf_of(arguments);
  std::vector<lessons::Grade> grades;
  bool all_right = true;
  for (const lessons::LessonNotes& notes : notebook.lessons) {
    lessons::WrittenLesson written = shelf.open(lessons::id_called(notes.id, shelf.ids));
    const int version = written.lesson.version;
    if (notes.version != version && notebook.find(notes.id, version) != nullptr) continue;  // the lesson was begun anew
    written.lesson = lessons::varied(std::move(written.lesson), notebook.student);
    sim::require(notes.version == version, *file, ": the answers are to version ", notes.version, " of ",
                 written.lesson.id, ", this program has version ", version);
    grades.push_back(lessons::grade(written, notes, find_gpu));
    all_right = all_right && grades.back().right == grades.back().of;
  }
  print(report::to_text(lessons::to_json(grades)));
  return all_right ? exit_done : exit_check_failed;
}

}  // namespace terminal
