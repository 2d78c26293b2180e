// Closed standard output or error (>&-): no file takes its descriptor, and a result that cannot be shown is an error.
#include <catch2/catch.hpp>

#include "tests/support/program.h"

using Catch::Contains;
using program::Folder;
using program::read_file;
using program::shell;

namespace {

const std::string run = "\"$flashscope\" ";

/// The content that the command writes into the file when nothing is closed.
std::string expected(const std::string& command, const std::string& file) {
  const Folder folder;
  REQUIRE(shell(folder, run + command).exit_code == 0);
  return read_file(folder / file);
}

}  // namespace

TEST_CASE("with standard error closed, no file receives the warnings") {
  const std::string compare =
      "compare --algorithms flash1,flash2 --tiling paper --sram 196608 --pass backward --output c.json";
  const Folder folder;
  const program::Result result = shell(folder, run + compare + " 2>&-");
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(read_file(folder / "c.json") == expected(compare, "c.json"));
}

TEST_CASE("a closed standard error changes nothing else") {
  const std::string command = "simulate --seqlen 64 --gpu A100 --format json";
  const program::Result open = shell(Folder(), run + command), closed = shell(Folder(), run + command + " 2>&-");
  CHECK_FALSE(open.err.empty());
  CHECK(closed.err.empty());
  CHECK(closed.exit_code == open.exit_code);
  CHECK(closed.out == open.out);
}

TEST_CASE("a sweep whose result cannot be written ends before its work") {
  const Folder folder;
  const program::Result result = shell(folder, run + "sweep --over seqlen=64,128 >&-");
  CHECK(result.exit_code == 2);
  CHECK(result.err == "error: output: standard output is closed, and the result goes there\n");
  CHECK(folder.files() == 0);
}

TEST_CASE("with standard output closed, no text of a demo ends up in its pictures") {
  const std::string demo = "demo --seqlen 128 --numerics off --output-dir d";
  const Folder folder;
  const program::Result result = shell(folder, run + demo + " >&-");
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Contains("standard output is closed"));
  const std::string picture = read_file(folder / "d/tile-traffic.svg");
  CHECK((picture.empty() || picture == expected(demo, "d/tile-traffic.svg")));
}

TEST_CASE("every command that prints its result fails if standard output is closed") {
  for (const char* command :
       {"simulate --seqlen 64", "compare --seqlen 64", "sweep --over seqlen=64,128", "tune --seqlen 64", "devices",
        "algorithms", "options", "counters", "validate", "--help", "--version", "simulate --help"}) {
    INFO(command);
    const program::Result result = shell(Folder(), run + command + " >&- 2>err; code=$?; cat err; exit $code");
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.out, Contains("standard output is closed"));
  }
}

TEST_CASE("with all three standard streams closed, output files stay intact") {
  const Folder folder;
  const std::string simulate = "simulate --seqlen 64 --numerics on --output O.npy --format json";
  CHECK(shell(folder, run + simulate + " <&- >&- 2>&-").exit_code == 2);
  CHECK(shell(folder, run + "sweep --over seqlen=64,128 --output s.csv <&- >&- 2>&-").exit_code == 0);
  CHECK(read_file(folder / "s.csv") == expected("sweep --over seqlen=64,128 --output s.csv", "s.csv"));
}
