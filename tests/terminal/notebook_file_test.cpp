// The notebook on disk: whatever happens to the program or the disk, either the old answers or the new ones are kept.
#include "viz/terminal/lesson/notebook_file.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "sim/base/read_file.h"
#include "sim/base/text.h"
#include "tests/support/program.h"

using Catch::Contains;
using program::Folder;
using program::shell;

namespace {

/// A notebook with enough answers to need several writes.
lessons::Notebook notebook_of(int number, int answers = 400) {
  lessons::Notebook notebook{sim::text("student ", number), {{"05-little-memory", 1, "traffic", {}}}};
  for (int n = 0; n < answers; ++n)
    notebook.lessons[0].answers.push_back(
        {"step", sim::text("question ", n), sim::text(number, std::string(100, 'x')), false});
  return notebook;
}

/// Shell prefix of a session with its notebook in `state` below the folder; `script` gives it a pseudo-terminal.
const std::string play = "export XDG_STATE_HOME=\"$PWD/state\"; ";

}  // namespace

TEST_CASE("a notebook is saved into folders created for it, and loaded again") {
  const Folder folder;
  const program::fs::path path = folder.path() / "a/b/notebook.json";
  CHECK(terminal::load_notebook(path).lessons.empty());
  REQUIRE(terminal::save_notebook(notebook_of(1), path));
  CHECK(lessons::to_text(terminal::load_notebook(path)) == lessons::to_text(notebook_of(1)));
  REQUIRE(terminal::save_notebook(notebook_of(2, 1), path));
  CHECK(terminal::load_notebook(path).lessons[0].answers.size() == 1);
  CHECK(std::distance(program::fs::directory_iterator(path.parent_path()), {}) == 1);
}

TEST_CASE("a program killed while it saves leaves the old notebook or the new one") {
  const Folder folder;
  const program::fs::path path = folder.path() / "notebook.json";
  REQUIRE(terminal::save_notebook(notebook_of(0), path));
  for (int round = 0; round < 40; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int n = 1;; ++n) terminal::save_notebook(notebook_of(n), path);
    }
    REQUIRE(child > 0);
    ::usleep(static_cast<useconds_t>(500 + 311 * round));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    const lessons::Notebook kept = lessons::read_notebook(program::read_file(path.string()), "notebook.json");
    REQUIRE(kept.lessons.size() == 1);
    REQUIRE(kept.lessons[0].answers.size() == 400);
    const std::string& first = kept.lessons[0].answers.front().given;
    CHECK(kept.lessons[0].answers.back().given == first);  // of one save
    CHECK(kept.student == "student " + first.substr(0, first.find('x')));
  }
}

TEST_CASE("an unreadable notebook is moved aside under a free name, with all its bytes") {
  const Folder folder;
  const program::fs::path path = folder.path() / "notebook.json";
  const std::vector<std::string> unreadable = {"{\"schema\": 2}", "no JSON", std::string(2'000'000, ' ')};
  for (std::size_t n = 0; n < unreadable.size(); ++n) {
    program::write_file(path.string(), unreadable[n]);
    CHECK(terminal::load_notebook(path).lessons.empty());
    CHECK_FALSE(program::fs::exists(path));
    CHECK(program::read_file(sim::text(path.string(), ".unreadable-", n + 1)) == unreadable[n]);
    REQUIRE(terminal::save_notebook(notebook_of(1, 1), path));
    CHECK(program::read_file(sim::text(path.string(), ".unreadable-", n + 1)) == unreadable[n]);
  }
}

TEST_CASE("a notebook that the system does not let be read is an error, and is never moved aside or replaced") {
  const Folder folder;
  const program::fs::path path = folder.path() / "notebook.json";
  program::fs::create_symlink("/proc/self/mem", path);  // a file whose reading fails
  CHECK_THROWS_AS(terminal::load_notebook(path), sim::FileError);
  CHECK_THROWS_AS(terminal::peek_notebook(path), sim::FileError);
  CHECK_FALSE(terminal::add_to_notebook(notebook_of(1, 1), {}, path));
  CHECK(program::fs::is_symlink(path));
  program::fs::remove(path);
  program::fs::create_directory(path);
  CHECK_THROWS_WITH(terminal::load_notebook(path), Contains("notebook.json: is not a regular file"));
  CHECK_FALSE(terminal::add_to_notebook(notebook_of(1, 1), {}, path));
  CHECK(folder.files() == 1);
}

TEST_CASE("without a path for notebooks, as without HOME, nothing is saved and nothing fails") {
  CHECK(terminal::load_notebook({}).lessons.empty());
  CHECK_FALSE(terminal::save_notebook(notebook_of(1), {}));
}

TEST_CASE("a notebook that cannot be written is a warning, and the old one stays") {
  const Folder folder;
  program::write_file(folder / "file", "a file where a folder should be");
  CHECK_FALSE(terminal::save_notebook(notebook_of(1), folder.path() / "file/notebook.json"));
  program::fs::create_directories(folder / "taken/notebook.json/inside");
  CHECK_FALSE(terminal::save_notebook(notebook_of(1), folder.path() / "taken/notebook.json"));
  CHECK(program::read_file(folder / "file") == "a file where a folder should be");
}
