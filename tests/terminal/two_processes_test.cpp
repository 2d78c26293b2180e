// Two processes at once: in one folder, on one notebook; and leftovers of killed processes.
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "tests/support/refusing.h"
#include "viz/files/output_set.h"
#include "viz/files/temporaries.h"
#include "viz/terminal/lesson/notebook_file.h"

using Catch::Contains;
using program::check_refused;
using program::Folder;
using program::fs::exists;
using Words = std::vector<std::string>;

namespace {

/// The id of a child that has ended: no process has it.
pid_t ended_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

std::string temporary_of(pid_t process) { return ".flashscope." + std::to_string(process) + "-0"; }

lessons::Notebook notebook_of(const std::string& lesson, const std::string& question, const std::string& step) {
  return {"", {{lesson, 1, step, {{step, question, "1", false}}}}};
}

}  // namespace

TEST_CASE("a second process that writes into a folder is refused while the first one works there") {
  const Folder folder;
  const Words words = {"simulate", "--seqlen", "8", "--output-dir", "d"};
  {
    files::OutputSet first;
    first.use_folder(folder.path() / "d", "flashscope first");
    check_refused(folder, words, {"output-dir d", "another process of FlashScope writes into it", "another folder"});
    files::OutputSet same_process;
    CHECK_NOTHROW(same_process.use_folder(folder.path() / "d", "flashscope second"));
  }
  CHECK(program::run(folder, words).exit_code == 0);
  CHECK(program::run(folder, words).exit_code == 0);
}

TEST_CASE("of four simultaneous runs into one folder, the successful ones leave the set of one run") {
  const Folder folder;
  const program::Result result = program::shell(folder,
                                                "for n in 1 2 3 4; do \"$flashscope\" simulate --seqlen 256 --seed $n "
                                                "--numerics on --output-dir d >/dev/null & done; "
                                                "wait; \"$flashscope\" simulate --seqlen 256 --input-q d/O.npy");
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, !Contains("complete.json"));
  const auto list = nlohmann::json::parse(program::read_file(folder / "d/complete.json"));
  CHECK(list.at("files").size() == 2);
  CHECK(std::distance(program::fs::directory_iterator(folder.path() / "d"), {}) == 3);
}

TEST_CASE("the next run into a folder removes the temporaries of ended processes, and nothing else") {
  const Folder folder;
  const std::string gone = temporary_of(ended_process());
  const Words kept = {temporary_of(::getpid()), ".flashscope.x-0", ".flashscope.1-",
                      ".flashscope.12",         ".flashscopes",    gone + "a"};
  const auto begin = [&] {
    program::write_file(folder / gone, "left");
    for (const std::string& name : kept) program::write_file(folder / name, "kept");
  };
  const auto check = [&] {
    CHECK_FALSE(exists(folder / gone));
    for (const std::string& name : kept) {
      INFO(name);
      CHECK(exists(folder / name));
    }
  };
  begin();
  CHECK(program::run(folder, {"simulate", "--seqlen", "8", "--output", "o.npy"}).exit_code == 0);
  check();
  begin();
  CHECK(program::run(folder, {"simulate", "--seqlen", "8", "--output-dir", "."}).exit_code == 0);
  check();
}

TEST_CASE("a locked temporary stays, as its process may be invisible here, and so does a folder") {
  const Folder folder;
  const pid_t gone = ended_process();
  program::write_file(folder / temporary_of(gone), "in use");
  const int holder = ::open((folder / temporary_of(gone)).c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(::flock(holder, LOCK_EX) == 0);
  files::remove_left_behind(folder.path());
  CHECK(exists(folder / temporary_of(gone)));
  ::close(holder);
  files::remove_left_behind(folder.path());
  CHECK_FALSE(exists(folder / temporary_of(gone)));
  program::fs::create_directory(folder / temporary_of(gone));
  files::remove_left_behind(folder.path());
  CHECK(exists(folder / temporary_of(gone)));
}

TEST_CASE("two lesson sessions keep the answers of both, and each lesson the step of its own session") {
  const Folder folder;
  const program::fs::path path = folder.path() / "state/notebook.json";
  const lessons::Notebook before = {"", {{"01-a", 1, "begin", {}}, {"02-b", 1, "begin", {}}}};
  REQUIRE(terminal::save_notebook(before, path));
  lessons::Notebook first = before, second = before;
  first.lessons[0] = notebook_of("01-a", "one", "half").lessons[0];
  second.lessons[1] = notebook_of("02-b", "two", "end").lessons[0];
  REQUIRE(terminal::add_to_notebook(first, before, path));
  REQUIRE(terminal::add_to_notebook(second, before, path));
  const lessons::Notebook kept = terminal::load_notebook(path);
  REQUIRE(kept.lessons.size() == 2);
  CHECK(kept.lessons[0].step == "half");
  CHECK(kept.lessons[1].step == "end");
  CHECK(kept.lessons[0].answer("half", "one") != nullptr);
  CHECK(kept.lessons[1].answer("end", "two") != nullptr);
}

TEST_CASE("many sessions that save simultaneously lose no answer") {
  const Folder folder;
  const program::fs::path path = folder.path() / "notebook.json";
  constexpr int sessions = 8, answers = 10;
  std::vector<pid_t> children;
  for (int session = 0; session < sessions; ++session) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    lessons::Notebook mine;
    mine.lessons = {{"01-a", 1, "", {}}};
    for (int n = 0; n < answers; ++n) {
      mine.lessons[0].answers.push_back({"step", std::to_string(session * answers + n), "1", false});
      terminal::add_to_notebook(mine, {}, path);
    }
    ::_exit(0);
  }
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
  const lessons::Notebook kept = terminal::load_notebook(path);
  REQUIRE(kept.lessons.size() == 1);
  CHECK(kept.lessons[0].answers.size() == sessions * answers);
}

TEST_CASE("answers of one student are not added to the notebook of another") {
  const Folder folder;
  const program::fs::path path = folder.path() / "notebook.json";
  lessons::Notebook mine = notebook_of("01-a", "one", "half");
  mine.student = "Ada";
  REQUIRE(terminal::add_to_notebook(mine, {}, path));
  CHECK(terminal::load_notebook(path).student == "Ada");
  mine.student = "Bob";
  CHECK_FALSE(terminal::add_to_notebook(mine, {}, path));
  CHECK(terminal::load_notebook(path).student == "Ada");
}
