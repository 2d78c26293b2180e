// Limits of a shell: small files, a small stack; and drawing that fails during an export of lessons.
#include <catch2/catch.hpp>

#include "tests/support/program.h"

using Catch::Contains;
using program::Folder;
using program::shell;

namespace {

/// Copies the program and places a stand-in for the one that draws next to it.
void write_stand_in(const Folder& folder, const std::string& script) {
  const program::fs::path beside = program::fs::path(FLASHSCOPE_PROGRAM);
  if (!program::fs::exists(folder / "flashscope")) program::fs::copy_file(beside, folder / "flashscope");
  program::write_file(folder / "flashscope-explorer", "#!/bin/sh\n" + script + "\n");
  program::fs::permissions(folder / "flashscope-explorer", program::fs::perms::owner_all);
}

void check_export(const std::string& script, int code, const std::string& reason) {
  const Folder folder;
  write_stand_in(folder, script);
  program::fs::create_directories(folder / "d/pictures");
  program::write_file(folder / "d/01-two-memories.md", "old");
  const program::Result result = shell(folder, "./flashscope lesson 01 --export d");
  INFO(script << '\n' << result.err);
  CHECK(result.exit_code == code);
  CHECK(result.err_lines() == 1);
  CHECK_THAT(result.err, Contains(reason));
  CHECK(program::read_file(folder / "d/01-two-memories.md") == "old");
  CHECK(program::fs::is_empty(folder / "d/pictures"));
}

}  // namespace

TEST_CASE("a file that outgrows the shell's limit is an error, not a signal") {
  const Folder folder;
  const std::string limited = "ulimit -f 8; \"$flashscope\" ";
  for (const std::string command :
       {"simulate --seqlen 9000 --head-dim 1 --output o.npy", "sweep --over seqlen=64:8192:64 --output s.csv",
        "simulate --seqlen 4096 --trace t.csv"}) {
    const program::Result result = shell(folder, limited + command);
    INFO(command << '\n' << result.err);
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Contains("File too large"));
  }
  const program::Result out = shell(folder, "(" + limited + "sweep --over seqlen=64:8192:64 > out.csv)");
  CHECK(out.exit_code == 2);
  CHECK_THAT(out.err, Contains("cannot write to stdout: File too large"));
}

TEST_CASE("commands run on a stack of 64 KiB") {
#ifdef __SANITIZE_ADDRESS__
  WARN("skipped: AddressSanitizer needs a larger stack before the program begins");
#else
  for (const std::string command :
       {"--version", "simulate --seqlen 64 --numerics on --format json", "compare --seqlen 64", "demo --seqlen 64",
        "sweep --over seqlen=64:512:64 --jobs 4", "lesson 07", "lesson --list", "tune --seqlen 64", "validate",
        "verify --algorithm flash1 --seqlen 32 --head-dim 16", "simulate --seqlen 64 --trace t.pftrace"}) {
    const Folder folder;
    const program::Result result = shell(folder, "ulimit -s 64; \"$flashscope\" " + command);
    INFO(command << '\n' << result.err);
    CHECK(result.exit_code == 0);
  }
#endif
}

TEST_CASE("an export reports why a picture could not be drawn, with its exit code, and keeps existing files") {
  check_export("echo 'error: output: no ink' >&2; exit 2", 2, "the pictures cannot be drawn: output: no ink");
  check_export("echo 'error: no display' >&2; exit 3", 3, "the pictures cannot be drawn: no display");
  check_export("kill -9 $$", 2, "was ended by signal 9");
  check_export("exit 5", 2, "exit code 5");
  check_export("echo nothing", 2, "cannot be drawn: the result is not a picture");
}

TEST_CASE("an export that outgrows the disk is an error that names the file, and leaves nothing") {
  const Folder folder;
  write_stand_in(folder, "printf '\\211PNG\\r\\n\\032\\n'; head -c 20000 /dev/zero");
  const program::Result result = shell(folder, "ulimit -f 16; ./flashscope lesson 01 --export d");
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Contains("d/pictures/01-two-memories-") && Contains("File too large"));
  CHECK_FALSE(program::fs::exists(folder / "d"));
  CHECK(shell(folder, "./flashscope lesson 01 --export d").exit_code == 0);
  CHECK_THAT(program::read_file(folder / "d/01-two-memories.md"), Contains("](pictures/01-two-memories-"));
}

TEST_CASE("grade and lessons of users read only regular files") {
  const Folder folder;
  CHECK(shell(folder, "mkfifo pipe").exit_code == 0);
  program::check_refused(folder, {"grade", "pipe"}, {"pipe: is not a regular file"});
  program::check_refused(folder, {"grade", "/dev/zero"}, {"/dev/zero: is not a regular file"});
  program::check_refused(folder, {"grade", "."}, {"holds no notebook"});
  program::check_refused(folder, {"grade", "gone.json"}, {"gone.json"});
}
