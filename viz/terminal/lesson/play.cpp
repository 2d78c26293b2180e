#include "viz/terminal/lesson/play.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "lessons/variation.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/catalogue/options.h"
#include "sim/catalogue/typed_values.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/colours.h"
#include "viz/terminal/lesson/notebook_file.h"
#include "viz/terminal/lesson/phrases.h"
#include "viz/terminal/lesson/session.h"

namespace terminal {
namespace {

using lessons::Language;
using std::string;

PageStyle style_of(Language language) {
  PageStyle style{language};
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.columns = std::clamp<int>(size.ws_col, 40, widest_text);
  return style;
}

/// True if the locale limits the terminal to ASCII.
bool lacks_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const string locale = sim::in_lower_case(value);
    return locale.find("utf-8") == string::npos && locale.find("utf8") == string::npos;
  }
  return false;  // locale not set: modern terminals support UTF-8
}

/// Writes lesson texts to a terminal.
struct Writing {
  PageStyle style;
  bool ascii = false;
  void operator()(const string& text) const { print(ascii ? in_ascii(text) : text, in_colours); }
};

int play(lessons::WrittenLesson written, const Writing& writing, std::optional<std::size_t> from, const string& student,
         const string& next) {
  const std::filesystem::path path = notebook_path();
  lessons::Notebook notebook = load_notebook(path);
  const bool answered = std::any_of(notebook.lessons.begin(), notebook.lessons.end(),
                                    [](const lessons::LessonNotes& notes) { return !notes.answers.empty(); });
  sim::require(student.empty() || student == notebook.student || !answered, "lesson: the notebook ", path.string(),
               " has the answers of ", notebook.student.empty() ? "an unnamed student" : sim::quoted(notebook.student),
               ": hand it in, or move it away");
  const lessons::Notebook before = notebook;
  if (!student.empty()) notebook.student = student;
  written.lesson = lessons::varied(std::move(written.lesson), notebook.student);
  bool keeps = true;
  const SessionPorts ports{
      []() -> std::optional<string> {
        string line;
        return std::getline(std::cin, line) ? std::optional(line) : std::nullopt;
      },
      writing, [&](const lessons::Notebook& mine) { keeps = keeps && add_to_notebook(mine, before, path); }};
  play_lesson(written, notebook, writing.style, ports, from);
  if (notebook.notes(written.lesson).step.empty() && !next.empty())
    print(phrase(writing.style.language, "Next:") + gap(writing.style.language) +
          as_typed("flashscope lesson " + next.substr(0, 2) + "\n"));
  return exit_done;
}

}  // namespace

Language language_of(const Arguments& arguments) {
  return arguments.value("lang", "en") == "zh" ? Language::zh : Language::en;
}

int play_or_print(const LessonLibrary& library, lessons::WrittenLesson written, const Arguments& arguments) {
  const Language language = language_of(arguments);
  const bool ascii = arguments.find("ascii").has_value();
  sim::require(!ascii || language == Language::en,
               "lesson: Chinese cannot be written in ASCII: leave out --ascii, or --lang zh");
  const string student = arguments.value("student", "");
  const auto steps = static_cast<std::int64_t>(written.lesson.steps.size());
  std::optional<std::size_t> from;
  if (const auto step = arguments.find("step"))
    from = static_cast<std::size_t>(sim::typed_whole_number("step", *step, 1, steps));
  Writing writing{style_of(language), ascii};
  writing.style.in_explorer = !arguments.find("lessons");
  if (::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0) {
    writing.ascii |= language == Language::en && lacks_utf8();
    const string next = arguments.find("lessons") ? "" : library.behind(written.lesson.id);
    return play(std::move(written), writing, from, student, next);
  }
  require_output();
  written.lesson = lessons::varied(std::move(written.lesson), student);
  writing.style.in_explorer &= student.empty();  // a student's values differ from those there
  print_lesson(written, writing.style, writing, from);
  return exit_done;
}

}  // namespace terminal
