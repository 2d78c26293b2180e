// Full disks, read-only folders and kills at any moment: existing files stay intact.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "tests/support/program.h"
#include "tests/support/random_scenario.h"

using Catch::Contains;
using program::Folder;
using program::possible;
using program::quoted;
using program::shell;

namespace {

void check_refused(const program::Result& result, const std::string& path, const std::string& reason) {
  INFO("stderr: " << result.err);
  CHECK(result.exit_code == 2);
  CHECK(result.err_lines() == 1);
  CHECK_THAT(result.err, Contains(path) && Contains(reason));
}

void write_old(const Folder& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) program::write_file(folder / name, "old " + name);
}

void check_old(const Folder& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) CHECK(program::read_file(folder / name) == "old " + name);
  CHECK(folder.files() == names.size());
}

// Files of more than 8192 bytes fail as on a full disk; the blocks of ulimit are 512 bytes in sh.
const std::string limited = "trap '' XFSZ; ulimit -f 16; ";
const std::string simulate = "\"$flashscope\" simulate --head-dim 1 --numerics on ";
const std::string to_file = simulate + "--seqlen 9000 --output o.npy";   // 18 KB
const std::string to_folder = simulate + "--seqlen 3000 --output-dir ";  // O 6 KB, L 12 KB

}  // namespace

TEST_CASE("an output that outgrows the disk keeps the old file and fails with an error that names it") {
  const Folder folder;
  write_old(folder, {"o.npy"});
  check_refused(shell(folder, limited + to_file), "o.npy", "File too large");
  check_old(folder, {"o.npy"});
}

TEST_CASE("if the second file of a folder outgrows the disk, the first is unchanged") {
  const Folder folder;
  write_old(folder, {"O.npy", "L.npy"});
  check_refused(shell(folder, limited + to_folder + "."), "L.npy", "File too large");
  check_old(folder, {"O.npy", "L.npy"});
  const Folder empty;
  check_refused(shell(empty, limited + to_folder + "new"), "new/L.npy", "File too large");
  CHECK(empty.files() == 0);
}

TEST_CASE("if the trace of demo outgrows the disk, the chart is unchanged") {
  const Folder folder;
  write_old(folder, {"tile-traffic.svg", "flash2-trace.txt"});
  const std::string demo = "\"$flashscope\" demo --numerics off --output-dir .";
  check_refused(shell(folder, limited + demo), "flash2-trace.txt", "File too large");
  check_old(folder, {"tile-traffic.svg", "flash2-trace.txt"});
}

TEST_CASE("a disk without space left keeps the old files") {
  const std::string mount = "unshare -Urm sh -c 'mount -t tmpfs -o size=12k tmpfs . && cd \"$PWD\" && ";
  if (!possible(mount + "test $(getconf PAGESIZE) = 4096'", "a file system of 12 KB (unshare -Urm)")) return;
  const Folder folder;
  const auto run = [&](const std::string& command, const std::string& name) {
    const program::Result result =
        shell(folder, "export flashscope; " + mount + "echo -n old > " + name + "; " + command + "; code=$?; cat " +
                          name + "; ls -A | wc -l; exit $code'");
    check_refused(result, name, "No space left on device");
    CHECK_THAT(result.out, Contains("old1\n"));
  };
  run(to_file, "o.npy");
  run(to_folder + ".", "L.npy");
}

TEST_CASE("without /proc, files are written and replaced all the same") {
  const std::string without = "unshare -Urm sh -c 'mount -t tmpfs tmpfs /proc && ";
  if (!possible(without + "test ! -e /proc/self'", "hiding /proc (unshare -Urm)")) return;
  const Folder folder;
  write_old(folder, {"O.npy", "o.npy"});
  const program::Result result = shell(
      folder, "export flashscope; " + without + to_folder + ". && " + to_file + " && " + simulate + "--trace t.json'");
  if (result.err.find("LeakSanitizer has encountered a fatal error") != std::string::npos) {
    WARN("skipped: LeakSanitizer reads /proc, from which it also takes its options");
    return;
  }
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK(folder.files() == 5);  // O.npy, L.npy, complete.json, o.npy, t.json
  for (const char* name : {"O.npy", "o.npy"}) CHECK(program::read_file(folder / name).starts_with("\x93NUMPY"));
}

TEST_CASE("a folder or file without write permission is unchanged") {
  const std::string as_user = program::as_nobody();
  if (!possible(as_user + "\"$flashscope\" --help", "running the program as nobody (setpriv)")) return;
  const Folder folder;
  write_old(folder, {"o.npy", "O.npy", "L.npy"});
  program::fs::permissions(folder.path(), program::fs::perms(0555));
  const auto run = [&](const std::string& command) { return shell(folder, as_user + command); };
  check_refused(run(to_file), "o.npy", "Permission denied");
  check_refused(run(simulate + "--output new.npy"), "new.npy", "Permission denied");
  check_refused(run(to_folder + "."), "O.npy", "Permission denied");
  check_refused(run(to_folder + "new/a"), "new/a", "Permission denied");
  program::fs::permissions(folder.path(), program::fs::perms(0777));
  program::fs::permissions(folder / "O.npy", program::fs::perms(0666));
  program::fs::permissions(folder / "L.npy", program::fs::perms(0444));
  check_refused(run(to_folder + "."), "L.npy", "Permission denied");
  check_old(folder, {"o.npy", "O.npy", "L.npy"});
}

namespace {

using Microseconds = std::chrono::microseconds;
const std::vector<std::string> results = {"simulate", "--seqlen", "256", "--seed", "1", "--output-dir", "."};

/// Starts simulate --output-dir in `folder` and kills it after `patience`. True if it had finished.
bool survives(const Folder& folder, Microseconds patience) {
  std::string line = "cd " + quoted(folder.path().string()) + " && exec " + quoted(FLASHSCOPE_PROGRAM);
  for (const std::string& word : results) line += " " + word;
  line += " > /dev/null 2>&1";
  const char* words[] = {"sh", "-c", line.c_str(), nullptr};
  pid_t child = 0;
  REQUIRE(::posix_spawn(&child, "/bin/sh", nullptr, nullptr, const_cast<char**>(words), environ) == 0);
  std::this_thread::sleep_for(patience);
  ::kill(child, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// True if the text is that of a file of the complete run, or of an old one.
bool is_whole(const std::string& text, const Folder& complete) {
  for (const std::string name : {"O.npy", "L.npy", "complete.json"}) {
    if (text == program::read_file(complete / name)) return true;
  }
  return text == "old O.npy" || text == "old L.npy";
}

/// Checks that each result is that of `complete`, or unchanged: absent or old. Either all are of one run, or the folder
/// holds incomplete.json.
void check_results(const Folder& folder, const Folder& complete, bool survived) {
  for (const auto& entry : program::fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string(), found = program::read_file(entry.path().string());
    CHECK(is_whole(found, complete));
    if (survived) CHECK(found == program::read_file(complete / name));
    if (name.starts_with(".flashscope.")) program::fs::remove(entry.path());  // killed while files were renamed
  }
  if (survived) CHECK(folder.files() == 3);
  const auto is_new = [&](const char* name) {
    return program::read_file(folder / name) == program::read_file(complete / name);
  };
  if (program::fs::exists(folder / "complete.json")) CHECK((is_new("O.npy") && is_new("L.npy")));
  if (is_new("O.npy") != is_new("L.npy")) CHECK(program::fs::exists(folder / "incomplete.json"));
}

/// True if the file system supports unnamed files: then a kill leaves no temporary.
bool has_nameless_files(const Folder& folder) {
  const int descriptor = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (descriptor >= 0) ::close(descriptor);
  return descriptor >= 0;
}

}  // namespace

TEST_CASE("a kill at any moment leaves each result complete, either old or new, and nothing else") {
  const Folder complete, fresh, replaced;
  if (!has_nameless_files(fresh)) {
    WARN("skipped: the file system of " << fresh.path() << " has no nameless files (O_TMPFILE)");
    return;
  }
  REQUIRE(program::run(complete, results).exit_code == 0);
  sim::Dice dice(3);
  std::int64_t patience = 40'000;  // adapts so that half of the runs are killed, whatever the speed of this machine
  int killed = 0, done = 0;
  for (int round = 0; killed < 20 || done < 20; ++round) {
    for (const std::string name : {"O.npy", "L.npy", "complete.json", "incomplete.json"}) {
      program::fs::remove(fresh / name);
      program::fs::remove(replaced / name);
    }
    write_old(replaced, {"O.npy", "L.npy"});
    const Folder& folder = round % 2 == 0 ? fresh : replaced;
    const bool survived = survives(folder, Microseconds(dice.between(0, patience)));
    survived ? ++done : ++killed;
    patience = survived ? patience * 4 / 5 : patience * 5 / 4;
    check_results(folder, complete, survived);
  }
}
