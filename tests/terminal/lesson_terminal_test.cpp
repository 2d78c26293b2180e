// A lesson in a real terminal: typed answers are graded, lines fit, and the notebook survives full disks and hang-ups.
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lessons/marking.h"
#include "lessons/notebook.h"
#include "tests/lessons/example.h"
#include "tests/support/program.h"
#include "viz/terminal/lesson/text.h"

using Catch::Contains;
using program::Folder;

namespace {

struct Seen {
  std::string text;
  int exit_code = -1;
};

/// Sets or, without a value, unsets variables.
void set_environment(const std::vector<std::pair<const char*, const char*>>& variables) {
  for (const auto& [name, value] : variables) {
    if (value == nullptr)
      ::unsetenv(name);
    else
      ::setenv(name, value, 1);
  }
}

const std::string pull_the_plug = "kill -9";  // not typed: kills the program

/// Runs flashscope in a pseudo-terminal of this width; answers each prompt with the next line, then with the end of the
/// input. Files of more than `most_bytes` fail, as on a full disk.
Seen in_terminal(const Folder& folder, const std::vector<std::string>& words, unsigned short columns,
                 const std::vector<std::string>& typed, rlim_t most_bytes = RLIM_INFINITY,
                 const std::vector<std::pair<const char*, const char*>>& environment = {{"TERM", "dumb"}}) {
  winsize size{24, columns, 0, 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    if (::chdir(folder.path().c_str()) != 0) ::_exit(126);
    ::setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
    set_environment(environment);
    if (most_bytes != RLIM_INFINITY) {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{most_bytes, most_bytes};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    std::vector<char*> argv = {const_cast<char*>("flashscope")};
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execv(FLASHSCOPE_PROGRAM, argv.data());
    ::_exit(127);
  }
  REQUIRE(child > 0);
  Seen seen;
  std::size_t next = 0;
  char piece[4096];
  for (ssize_t n; (n = ::read(terminal, piece, sizeof piece)) > 0;) {
    seen.text.append(piece, static_cast<std::size_t>(n));
    if (!seen.text.ends_with("\n> ") && !seen.text.ends_with("\r> ")) continue;
    const std::string line = next < typed.size() ? typed[next++] + "\n" : std::string("\x04");
    if (line == pull_the_plug + "\n") {
      ::kill(child, SIGKILL);
      break;
    }
    if (::write(terminal, line.data(), line.size()) < 0) break;
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  seen.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return seen;
}

/// The lines wider than the terminal, except links to copy and typed lines.
std::string too_wide(const std::string& text, int columns) {
  std::istringstream lines(text);
  std::string wide;
  for (std::string line; std::getline(lines, line);) {
    while (line.ends_with('\r')) line.pop_back();
    if (line.starts_with("> ") || line.find("explore --link") != std::string::npos) continue;
    if (terminal::columns_of(line) > static_cast<float>(columns)) wide += line + "\n";
  }
  return wide;
}

/// All lines that a perfect robot types: every right answer, and "n" after each step.
std::vector<std::string> right_answers(const lessons::WrittenLesson& written) {
  std::vector<std::string> typed;
  for (const lessons::Step& step : written.lesson.steps) {
    const lessons::Scene scene(written.lesson, step, sim::built_in_gpu);
    for (const lessons::Question& question : step.questions) typed.push_back(lessons::right_answer(question, scene));
    typed.push_back("n");
  }
  return typed;
}

lessons::LessonNotes notes_in(const Folder& folder) {
  const lessons::Notebook notebook =
      lessons::read_notebook(program::read_file(folder / "state/flashscope/notebook.json"), "notebook.json");
  REQUIRE(notebook.lessons.size() == 1);
  return notebook.lessons[0];
}

}  // namespace

TEST_CASE("a lesson in a terminal can be completed, and no line is wider than the terminal") {
  if (!program::terminals_can_be_had()) return;
  const lessons::WrittenLesson& written = lessons::built_in("06-does-it-fit");
  for (const int columns : {40, 100}) {
    const Folder folder;
    const Seen seen =
        in_terminal(folder, {"lesson", "06"}, static_cast<unsigned short>(columns), right_answers(written));
    CHECK(seen.exit_code == 0);
    CHECK_THAT(seen.text, Contains("The lesson is done."));
    CHECK(too_wide(seen.text, columns).empty());
    const lessons::LessonNotes notes = notes_in(folder);
    const lessons::Grade grade = lessons::grade(written, notes, sim::built_in_gpu);
    CHECK(grade.right == grade.of);
    const program::Result graded = program::run(folder, {"grade", "state/flashscope/notebook.json"});
    INFO(graded.err);
    CHECK(graded.exit_code == 0);
  }
}

TEST_CASE("after a quit, hang-up or end of input a session continues at the same step") {
  if (!program::terminals_can_be_had()) return;
  for (const std::vector<std::string>& typed : {std::vector<std::string>{"g 3", "q"}, {"g 3"}}) {
    const Folder folder;
    CHECK(in_terminal(folder, {"lesson", "06"}, 80, typed).exit_code == 0);
    CHECK(notes_in(folder).step == lessons::built_in("06-does-it-fit").lesson.steps[2].name);
    const Seen again = in_terminal(folder, {"lesson", "06"}, 80, {"q"});
    CHECK_THAT(again.text, Contains("resumes where you stopped: step 3"));
  }
}

TEST_CASE("on a full disk answers are not kept, one warning is printed, and the lesson continues") {
  if (!program::terminals_can_be_had()) return;
  const Folder folder;
  const lessons::WrittenLesson& written = lessons::built_in("06-does-it-fit");
  const Seen seen = in_terminal(folder, {"lesson", "06"}, 100, right_answers(written), 0);
  CHECK(seen.exit_code == 0);
  CHECK_THAT(seen.text, Contains("your answers are not kept") && Contains("The lesson is done."));
  CHECK(seen.text.find("your answers are not kept") == seen.text.rfind("your answers are not kept"));
  CHECK_FALSE(program::fs::exists(folder / "state/flashscope/notebook.json"));
  CHECK(program::fs::is_empty(folder / "state/flashscope"));
}

TEST_CASE("a session killed at any prompt has kept every answer before it") {
  if (!program::terminals_can_be_had()) return;
  const lessons::WrittenLesson& written = lessons::built_in("06-does-it-fit");
  const std::vector<std::string> right = right_answers(written);
  for (std::size_t prompts = 0; prompts < 12; ++prompts) {
    const Folder folder;
    std::vector<std::string> typed(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(prompts));
    const auto answers = static_cast<std::size_t>(
        std::count_if(typed.begin(), typed.end(), [](const auto& line) { return line != "n"; }));
    typed.push_back(pull_the_plug);
    INFO(prompts << " lines before it is killed");
    CHECK(in_terminal(folder, {"lesson", "06"}, 80, typed).exit_code == -1);
    const lessons::LessonNotes notes = notes_in(folder);
    REQUIRE(notes.answers.size() == answers);
    for (const lessons::Answer& answer : notes.answers)
      CHECK(std::find(right.begin(), right.end(), answer.given) != right.end());
    CHECK(program::fs::exists(folder / "state/flashscope/notebook.json"));
  }
}

TEST_CASE("on a disk that fills up earlier answers stay, to the byte") {
  if (!program::terminals_can_be_had()) return;
  const Folder folder;
  const lessons::WrittenLesson& written = lessons::built_in("06-does-it-fit");
  CHECK(in_terminal(folder, {"lesson", "06"}, 100, {right_answers(written)[0], "q"}).exit_code == 0);
  const std::string before = program::read_file(folder / "state/flashscope/notebook.json");
  const Seen seen = in_terminal(folder, {"lesson", "06"}, 100, {right_answers(written)[1], "n", "q"}, 0);
  CHECK_THAT(seen.text, Contains("your answers are not kept"));
  CHECK(program::read_file(folder / "state/flashscope/notebook.json") == before);
}

TEST_CASE("answers to another version of a lesson are kept, but neither shown nor graded") {
  if (!program::terminals_can_be_had()) return;
  const Folder folder;
  const std::string path = "state/flashscope/notebook.json";
  program::fs::create_directories(folder / "state/flashscope");
  program::write_file(folder / path,
                      R"({"schema": 1, "lessons": [{"id": "06-does-it-fit", "version": 999, "step": "golf",
    "answers": [{"step": "recall", "question": "grows", "given": "77"}]}]})");
  CHECK(program::run(folder, {"grade", path}).exit_code == 2);
  const lessons::WrittenLesson& written = lessons::built_in("06-does-it-fit");
  const Seen seen = in_terminal(folder, {"lesson", "06"}, 100, right_answers(written));
  CHECK_THAT(seen.text, Contains("step 1 of 13") && !Contains("resumes where you stopped") && !Contains("77"));
  const lessons::Notebook notebook = lessons::read_notebook(program::read_file(folder / path), "notebook.json");
  REQUIRE(notebook.find("06-does-it-fit", 999) != nullptr);
  CHECK(notebook.find("06-does-it-fit", 999)->answers[0].given == "77");
  CHECK(program::run(folder, {"grade", path}).exit_code == 0);
}

TEST_CASE("an unreadable notebook is moved aside, with a message, before the lesson begins") {
  if (!program::terminals_can_be_had()) return;
  const Folder folder;
  program::fs::create_directories(folder / "state/flashscope");
  program::write_file(folder / "state/flashscope/notebook.json", "no JSON");
  const Seen seen = in_terminal(folder, {"lesson", "06"}, 100, {"q"});
  CHECK_THAT(seen.text, Contains("the notebook cannot be read and is kept as"));
  CHECK(program::read_file(folder / "state/flashscope/notebook.json.unreadable-1") == "no JSON");
  CHECK(notes_in(folder).id == "06-does-it-fit");
}

TEST_CASE("tensors are coloured in a terminal, but not with NO_COLOR, in a dumb terminal or in a pipe") {
  if (!program::terminals_can_be_had()) return;
  const Folder folder;
  const auto shown = [&](const std::vector<std::pair<const char*, const char*>>& environment) {
    return in_terminal(folder, {"lesson", "04"}, 80, {"q"}, RLIM_INFINITY, environment).text;
  };
  const std::string coloured = shown({{"TERM", "xterm-256color"}, {"NO_COLOR", nullptr}});
  CHECK_THAT(coloured, Contains("\x1b[38;5;100mS\x1b[39m"));
  CHECK_THAT(shown({{"TERM", "xterm-256color"}, {"NO_COLOR", "1"}}), !Contains("\x1b"));
  CHECK_THAT(shown({{"TERM", "dumb"}, {"NO_COLOR", nullptr}}), !Contains("\x1b"));
  CHECK_THAT(shown({{"TERM", nullptr}, {"NO_COLOR", nullptr}}), !Contains("\x1b"));
  CHECK_THAT(program::good({"lesson", "04"}).out, !Contains("\x1b"));
}

TEST_CASE("progress needs a terminal that takes escape codes") {
  if (!program::terminals_can_be_had()) return;
  const Folder folder;
  const auto seen = [&](const char* terminal) {
    const Seen run = in_terminal(folder, {"simulate", "--seqlen", "300", "--output", "o.npy"}, 80, {}, RLIM_INFINITY,
                                 {{"TERM", terminal}});
    CHECK(run.exit_code == 0);
    return run.text;
  };
  CHECK_THAT(seen("xterm-256color"), Contains("values: ") && Contains("\x1b[K"));
  for (const char* plain : {"dumb", "", static_cast<const char*>(nullptr)})
    CHECK_THAT(seen(plain), !Contains("values: ") && !Contains("\x1b") && Contains("tile traffic"));
}

TEST_CASE("option --color overrules the terminal and NO_COLOR in lesson and tour, and auto does not", "[repeats]") {
  const std::string blue_q = "\x1b[38;5;32mQ\x1b[39m";
  using Words = std::vector<std::string>;
  for (const Words& words : {Words{"lesson", "04"}, Words{"tour", "--step", "7"}}) {
    const auto with = [&](const char* choice) { return program::with(words, {"--color", choice}); };
    CHECK_THAT(program::good(with("always")).out, Contains(blue_q));
    CHECK_THAT(program::good(with("auto")).out, !Contains("\x1b"));
    CHECK_THAT(program::good(with("never")).out, !Contains("\x1b"));
    if (!program::terminals_can_be_had()) continue;
    const Folder folder;
    const auto shown = [&](const char* choice, const char* no_color) {
      return in_terminal(folder, with(choice), 80, {"q"}, RLIM_INFINITY, {{"TERM", "xterm"}, {"NO_COLOR", no_color}})
          .text;
    };
    CHECK_THAT(shown("auto", nullptr), Contains("\x1b"));
    CHECK_THAT(shown("auto", ""), Contains("\x1b"));
    CHECK_THAT(shown("auto", "1"), !Contains("\x1b"));
    CHECK_THAT(shown("never", nullptr), !Contains("\x1b"));
    CHECK_THAT(shown("always", "1"), Contains("\x1b"));
  }
}

TEST_CASE("the end of a lesson names the command of the next") {
  if (!program::terminals_can_be_had()) return;
  const Folder folder;
  CHECK_THAT(in_terminal(folder, {"lesson", "00", "--step", "24"}, 80, {"n"}).text,
             Contains("Next: ") && Contains("flashscope lesson 01\r"));
  CHECK_THAT(in_terminal(folder, {"lesson", "21", "--step", "12"}, 80, {"n"}).text,
             Contains("The lesson is done.") && !Contains("Next: "));
}
