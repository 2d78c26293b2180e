// Limited threads and memory: work continues with fewer, or ends with one line.
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/support/program.h"

using Catch::Contains;
using program::Folder;
using program::shell;

namespace {

/// True if the program runs under such a limit. Builds with sanitizers do not.
bool runs_under(const std::string& limit) {
  return program::possible(limit + "exec \"$flashscope\" --version", "running the program under \"" + limit + "\"");
}

/// The command limited to one thread: root is not limited, so it runs as nobody. The leak check, which some builds make
/// at the end, needs its own thread and is left out.
std::string without_threads(const std::string& command) {
  return "export flashscope; " + program::as_nobody() +  // sh may lack ulimit -u
         "bash -c 'export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0; ulimit -u 1; " + command + "'";
}

/// True if the command runs: the user nobody may have no access to root's folder.
bool runs_without_threads() {
  return program::possible(without_threads("\"$flashscope\" --version"),
                           "running the program (as nobody) with one thread");
}

const std::string sweep = "\"$flashscope\" sweep --over seqlen=64:600:1 ";

/// Checks that the output is all rows, or one line that names the shortage; never a signal.
void check_done_or_said(const program::Result& result, const std::string& all) {
  INFO(result.exit_code << " " << result.err);
  if (result.exit_code == 0) {
    CHECK(result.out == all);
  } else {
    CHECK(result.exit_code == 3);
    CHECK_THAT(result.err, Contains("error: out of memory"));
  }
}

}  // namespace

TEST_CASE("a sweep with more threads than memory allows runs on fewer, with a warning") {
  const std::string limit = "ulimit -v 2000000; ";
  if (!runs_under(limit)) return;
  const program::Result all = shell(Folder(), sweep), limited = shell(Folder(), limit + sweep + "--jobs 1024");
  check_done_or_said(limited, all.out);
  if (limited.exit_code == 0) CHECK_THAT(limited.err, Contains("warning: jobs: 1,024 threads requested, "));
}

TEST_CASE("with little memory a sweep ends with its rows or with one error line") {
  const std::string all = shell(Folder(), sweep).out;
  for (const int megabytes : {20, 56, 104, 260}) {  // for one thread, for some, for all but their heaps
    const std::string limit = "ulimit -v " + std::to_string(megabytes * 1024) + "; ";
    if (shell(Folder(), limit + "exec \"$flashscope\" --version").exit_code != 0) continue;
    CAPTURE(megabytes);
    check_done_or_said(shell(Folder(), limit + sweep + "--jobs 8"), all);
  }
}

TEST_CASE("if no thread can be started, a sweep runs on one, with a warning") {
  if (!runs_without_threads()) return;
  const program::Result all = shell(Folder(), sweep), alone = shell(Folder(), without_threads(sweep + "--jobs 4"));
  CHECK(alone.exit_code == 0);
  CHECK(alone.out == all.out);
  CHECK_THAT(alone.err, Contains("warning: jobs: 4 threads requested, 1 ran: this machine gives no more"));
}

TEST_CASE("if no thread can be started, kernels are verified and timed all the same") {
  if (!runs_without_threads()) return;
  for (const char* command : {"verify --seqlen 64", "bench --device emulated --seqlen 64 --runs 3"}) {
    INFO(command);
    const program::Result alone = shell(Folder(), without_threads("\"$flashscope\" " + std::string(command)));
    INFO(alone.err);
    CHECK(alone.exit_code == 0);
  }
}

TEST_CASE("with little memory a picture is drawn or not, with one error line") {
  for (int megabytes = 24; megabytes <= 64; megabytes += 4) {
    const std::string limit = "ulimit -v " + std::to_string(megabytes * 1024) + "; ";
    // the system cannot load the program's libraries
    if (shell(Folder(), limit + "exec \"$flashscope-explorer\" --version").exit_code != 0) continue;
    CAPTURE(megabytes);
    const Folder folder;
    const program::Result result = shell(folder, limit + "\"$flashscope\" screenshot --link seqlen=512 a.png");
    INFO(result.err);
    CHECK((result.exit_code == 0 || result.exit_code == 3));
    CHECK(folder.files() == (result.exit_code == 0 ? 1 : 0));
    if (result.exit_code == 3) CHECK_THAT(result.err, Contains("error: out of memory"));
  }
}
