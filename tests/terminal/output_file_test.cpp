// Owners, permissions, file systems that cannot do everything, and signals.
#include <signal.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "sim/base/npy.h"
#include "tests/support/program.h"
#include "tests/support/refusing.h"

using program::Folder;
using program::Refused;
using Words = std::vector<std::string>;

namespace {

struct stat status_of(const std::string& path) {
  struct stat status {};
  CHECK(::stat(path.c_str(), &status) == 0);
  return status;
}

unsigned mode_of(const std::string& path) { return status_of(path).st_mode & 07777; }

const Words small = {"simulate", "--seqlen", "8", "--output", "o.npy"};

/// Replaces a file of these permissions; returns those of the result.
unsigned replaced(unsigned mode) {
  const Folder folder;
  program::write_file(folder / "o.npy", "old");
  REQUIRE(::chmod((folder / "o.npy").c_str(), mode) == 0);
  REQUIRE(program::run(folder, small).exit_code == 0);
  CHECK(sim::read_npy(folder / "o.npy").shape.size() == 4);
  return mode_of(folder / "o.npy");
}

}  // namespace

TEST_CASE("an output keeps the permissions of the file it replaces, without setuid and setgid") {
  CHECK(replaced(0640) == 0640);
  CHECK(replaced(0777) == 0777);
  CHECK(replaced(04755) == 0755);
  CHECK(replaced(06755) == 0755);
}

TEST_CASE("a file that root overwrites keeps its owner") {
  if (::geteuid() != 0) {
    WARN("skipped: only root may write over everybody's files");
    return;
  }
  const Folder folder;
  program::write_file(folder / "o.npy", "old");
  REQUIRE(::chmod((folder / "o.npy").c_str(), 0600) == 0);
  if (::chown((folder / "o.npy").c_str(), 65534, 65533) != 0) {
    WARN("skipped: this root cannot give files away");
    return;
  }
  REQUIRE(program::run(folder, small).exit_code == 0);
  CHECK(sim::read_npy(folder / "o.npy").shape.size() == 4);
  CHECK(status_of(folder / "o.npy").st_uid == 65534);
  CHECK(status_of(folder / "o.npy").st_gid == 65533);
  CHECK(mode_of(folder / "o.npy") == 0600);
}

TEST_CASE("if the owner cannot be kept, no user gains permissions") {
  const std::string as_user = program::as_nobody();
  if (::geteuid() != 0 || !program::possible(as_user + "\"$flashscope\" --help", "another user (root, setpriv)")) {
    WARN("skipped: needs root");
    return;
  }
  const Folder folder;
  REQUIRE(::chmod(folder.path().c_str(), 0777) == 0);
  program::write_file(folder / "o.npy", "old");
  REQUIRE(::chmod((folder / "o.npy").c_str(), 0662) == 0);
  REQUIRE(program::shell(folder, as_user + "\"$flashscope\" simulate --seqlen 8 --output o.npy").exit_code == 0);
  CHECK(status_of(folder / "o.npy").st_gid == 65534);
  CHECK(mode_of(folder / "o.npy") == 0622);  // the group of the user nobody could only write
  REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
  program::write_file(folder / "root.npy", "old");
  REQUIRE(::chmod((folder / "root.npy").c_str(), 0666) == 0);
  REQUIRE(::chown((folder / "root.npy").c_str(), 1, 1) == 0);
  const auto sticky = program::shell(folder, as_user + "\"$flashscope\" simulate --seqlen 8 --output root.npy");
  CHECK(sticky.exit_code == 2);
  CHECK_THAT(sticky.err, Catch::Contains("root.npy: cannot be replaced"));
  CHECK(program::read_file(folder / "root.npy") == "old");
}

TEST_CASE("files are written without support for permissions, unnamed files or atomic exchange") {
  for (const Refused refused : {Refused::fchmod, Refused::nameless_files, Refused::exchange}) {
    const Folder folder;
    const int code =
        program::wait_for(program::start_silently(folder, {"simulate", "--seqlen", "8", "--output-dir", "."}, refused));
    if (code == 77) {
      WARN("skipped: calls cannot be refused here (seccomp)");
      return;
    }
    CHECK(code == 0);
    CHECK(folder.files() == 3);
    program::fs::remove(folder / "L.npy");
    program::write_file(folder / "O.npy", "old");
    CHECK(program::wait_for(
              program::start_silently(folder, {"simulate", "--seqlen", "8", "--output-dir", "."}, refused)) == 0);
    CHECK(sim::read_npy(folder / "O.npy").shape.size() == 4);
    CHECK(folder.files() == 3);
  }
}

TEST_CASE("a signal that ends the program leaves no temporary, even if temporaries have names") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Folder folder;
    program::write_file(folder / "o.npy", "old");
    const Words large = {"simulate", "--seqlen", "100000", "--head-dim", "256", "--output", "o.npy"};
    const pid_t child = program::start_silently(folder, large, Refused::nameless_files);
    program::wait_until([&] { return folder.files() > 1; }, child);
    const std::size_t files = folder.files();
    ::kill(child, signal);
    const int code = program::wait_for(child);
    if (code == 77) {
      WARN("skipped: calls cannot be refused here (seccomp)");
      return;
    }
    CHECK(files == 2);
    CHECK(code == 128 + signal);
    CHECK(folder.files() == 1);
    CHECK(program::read_file(folder / "o.npy") == "old");
  }
}
