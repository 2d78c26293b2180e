// lesson --list: chapters, progress from the notebook, its width, and notebooks that cannot be read.
#include <catch2/catch.hpp>
#include <sstream>

#include "lessons/catalogue.h"
#include "tests/lessons/example.h"
#include "tests/support/program.h"
#include "viz/terminal/lesson/text.h"

using Catch::Contains;
using program::Folder;
using program::run;
using program::shell;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Writes the files of the example lesson into a folder.
void write_example(const Folder& folder, const example::Files& files = {}) {
  program::fs::create_directories(folder / "mine/50-example");
  program::write_file(folder / "mine/50-example/lesson.toml", files.toml);
  program::write_file(folder / "mine/50-example/en.md", files.en);
  program::write_file(folder / "mine/50-example/zh.md", files.zh);
}

/// The lines of a command whose notebook has these lessons.
std::vector<std::string> listed(const Folder& folder, const std::string& lessons, const std::string& options = "") {
  program::fs::create_directories(folder / "state/flashscope");
  program::write_file(folder / "state/flashscope/notebook.json",
                      R"({"schema": 1, "student": "", "lessons": [)" + lessons + "]}");
  return lines_of(shell(folder, "XDG_STATE_HOME=\"$PWD/state\" $flashscope lesson --list " + options).out);
}

/// The notes of a lesson whose first `count` questions are answered.
std::string notes_of(const std::string& id, std::size_t count) {
  const lessons::Lesson& lesson = lessons::built_in(id).lesson;
  std::string answers;
  for (const lessons::Step& step : lesson.steps) {
    for (const lessons::Question& question : step.questions) {
      if (count == 0) break;
      --count;
      answers += sim::text(answers.empty() ? "" : ",", R"({"step": ")", step.name, R"(", "question": ")", question.text,
                           R"(", "shown": true})");
    }
  }
  return sim::text(R"({"id": ")", id, R"(", "version": )", lesson.version, R"(, "step": "", "answers": [)", answers,
                   "]}");
}

/// The line of a lesson, after its title.
std::string state_in(const std::vector<std::string>& list, const std::string& number) {
  const auto line = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.starts_with(number); });
  REQUIRE(line != list.end());
  const std::size_t gap = line->find("  ", 4);
  return gap == std::string::npos ? "" : line->substr(line->find_first_not_of(' ', gap));
}

constexpr std::size_t all = 1000;  // questions

}  // namespace

TEST_CASE("lesson --list shows chapters, minutes, the lessons that each needs, and where to begin") {
  const std::vector<std::string> lines = listed(Folder(), "");
  CHECK(lines.front() == "Why it is slow");
  std::size_t next = 0;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (lines[n].size() < 2 || !sim::is_digit(lines[n][0])) continue;
    INFO(lines[n]);
    REQUIRE(next < lessons::built_in_ids().size());
    const lessons::Lesson& lesson = lessons::built_in(lessons::built_in_ids()[next++]).lesson;
    CHECK(lines[n].starts_with(std::string(lesson.number()) + "  "));
    CHECK((lines[n].find("begin here") != std::string::npos) == (lesson.number() == "00"));
    REQUIRE(n + 1 < lines.size());
    CHECK_THAT(lines[n + 1],
               Contains(" steps, ") && Contains(" questions, ") && Contains(sim::text(lesson.minutes, " min")));
    CHECK((lines[n + 1].find("-> " + std::string(lesson.number())) != std::string::npos) == !lesson.needs.empty());
  }
  CHECK(next == lessons::built_in_ids().size());
  CHECK(listed(Folder(), "", "--lang zh").size() == lines.size());
  CHECK(listed(Folder(), "", "--lang zh").front() == "为什么慢");
}

TEST_CASE("lesson --list fits in 80 columns, whatever is done, begun or titled", "[repeats]") {
  const std::vector<std::string>& ids = lessons::built_in_ids();
  for (const std::size_t answered : {std::size_t{0}, std::size_t{1}, all}) {
    for (std::size_t first = 0; first < ids.size(); ++first) {  // the one to continue with is another each time
      std::string notes;
      for (std::size_t n = 0; n < ids.size(); ++n)
        notes += (n == 0 ? "" : ",") + notes_of(ids[n], n < first ? all : answered);
      for (const char* language : {"--lang en", "--lang zh"}) {
        for (const std::string& line : listed(Folder(), notes, language)) {
          INFO(line);
          CHECK(terminal::columns_of(line) <= 80);
        }
      }
    }
  }
  const Folder folder;
  write_example(folder, {.en = example::with(example::en, "# An example",
                                             "# " + std::string(60, 'a') + " " + std::string(60, 'b'))});
  for (const std::string& line : listed(folder, "", "--lessons mine")) CHECK(terminal::columns_of(line) <= 80);
}

TEST_CASE("lesson --list shows which lessons are done, and where to continue") {
  const Folder folder;
  const std::string tour = notes_of("00-tour", all), begun = notes_of("01-two-memories", 1);
  const std::vector<std::string> first = listed(folder, tour);
  CHECK(state_in(first, "00") == "done");
  CHECK(state_in(first, "01") == "begin here");
  CHECK(state_in(listed(folder, tour + "," + begun), "01") == "continue here");
  CHECK(state_in(listed(folder, begun), "00") == "begin here");
  CHECK(state_in(listed(folder, begun), "01") == "1 of 12");
  CHECK_THAT(shell(folder, "XDG_STATE_HOME=\"$PWD/state\" $flashscope lesson").out, Contains("flashscope lesson 00\n"));
}

TEST_CASE("lesson --list of a damaged notebook warns, and leaves it where it is") {
  const Folder folder;
  CHECK(state_in(listed(folder, "no JSON"), "00") == "begin here");
  const program::Result list = shell(folder, "XDG_STATE_HOME=\"$PWD/state\" $flashscope lesson --list");
  CHECK_THAT(list.err, Contains("warning: the notebook is damaged: ") && Contains("notebook.json"));
  CHECK(list.err_lines() == 1);
  CHECK(program::read_file(folder / "state/flashscope/notebook.json").find("no JSON") != std::string::npos);
}

TEST_CASE("a notebook that may not be read is an error of every command that needs it, not an empty notebook") {
  const std::string prefix = program::as_nobody();
  if (!program::possible(prefix + "true", "another user")) return;
  for (const char* closed : {"state/flashscope/notebook.json", "state/flashscope"}) {
    const Folder folder;
    listed(folder, notes_of("00-tour", all));
    const std::string before = program::read_file(folder / "state/flashscope/notebook.json");
    program::fs::permissions(folder.path(), program::fs::perms(0755));
    program::fs::permissions(folder / closed, program::fs::perms::none);
    const program::Result list = shell(folder, "XDG_STATE_HOME=\"$PWD/state\" " + prefix + "$flashscope lesson --list");
    program::fs::permissions(folder / closed, program::fs::perms(0755));
    INFO(list.err);
    CHECK(list.exit_code == 2);
    CHECK(list.out.empty());
    CHECK(list.err_lines() == 1);
    CHECK_THAT(list.err, Contains("notebook.json: cannot be read: Permission denied") && Contains("XDG_STATE_HOME"));
    CHECK(program::read_file(folder / "state/flashscope/notebook.json") == before);
  }
}
