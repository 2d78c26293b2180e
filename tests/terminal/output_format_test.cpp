// The suffix of an output decides its format in every command that has one, and a suffix without a format is refused.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

using Catch::Contains;
using Catch::StartsWith;
using program::check_refused;
using program::Folder;
using program::read_file;
using program::with;
using Words = std::vector<std::string>;

namespace {

const Words simulate = {"simulate", "--seqlen", "64", "--algorithm", "flash1", "--output"};
const Words sweep = {"sweep", "--over", "seqlen=64,128", "--output"};

std::string written(const Words& words, const std::string& name) {
  const Folder folder;
  const program::Result result = program::run(folder, with(words, {name}));
  INFO(name << ' ' << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.empty());
  CHECK(folder.files() == 1);
  return read_file(folder / name);
}

std::string printed(Words words, const std::string& format) {
  words.back() = "--format";
  return program::good(with(words, {format})).out;
}

}  // namespace

TEST_CASE("simulate --output writes the report in the format of its suffix, without values") {
  for (const auto& [name, format] :
       {std::pair{"o.json", "json"}, {"o.csv", "csv"}, {"o.txt", "table"}, {"O.MD", "markdown"}})
    CHECK(written(simulate, name) == printed(simulate, format));
  CHECK(nlohmann::json::parse(written(simulate, "o.json")).at("check").is_null());
  CHECK_THAT(written(simulate, "o.md"), Contains("| tile traffic | read | written |") && Contains("|---|---:|"));
  CHECK_THAT(written(simulate, "o.tex"), StartsWith("% made by: flashscope simulate --output o.tex") &&
                                             Contains("\\begin{tabular}{lrrrrr}") && Contains("flash1\\_forward"));
}

TEST_CASE("simulate --output O.npy writes values, and the report is printed in any format") {
  const Folder folder;
  const program::Result result = program::run(folder, with(simulate, {"o.npy", "--format", "json"}));
  CHECK(result.exit_code == 0);
  CHECK_FALSE(nlohmann::json::parse(result.out).at("check").is_null());
  CHECK_THAT(read_file(folder / "o.npy"), StartsWith("\x93NUMPY"));
}

TEST_CASE("simulate writes values into a folder and the report into a file at once") {
  const Folder folder;
  CHECK(program::run(folder, with(simulate, {"o.json", "--output-dir", "d"})).exit_code == 0);
  CHECK_FALSE(nlohmann::json::parse(read_file(folder / "o.json")).at("check").is_null());
  CHECK_THAT(read_file(folder / "d/O.npy"), StartsWith("\x93NUMPY"));
}

TEST_CASE("a derivation is written to the file of --output too") {
  const Words why = {"simulate", "--seqlen", "64", "--why", "tile_traffic.total.read_bytes", "--output"};
  CHECK(written(why, "w.json") == printed(why, "json"));
  CHECK(written(why, "w.txt") == printed(why, "table"));
  check_refused(with(why, {"w.md"}), {"allowed are .json, .csv, .txt and .npy"});
  check_refused({"simulate", "--why", "list", "--output", "w.txt"}, {"why: list"});
}

TEST_CASE("sweep --output writes the format of its suffix") {
  for (const auto& [name, format] :
       {std::pair{"s.json", "json"}, {"s.csv", "csv"}, {"s.txt", "table"}, {"s.md", "markdown"}, {"s.svg", "svg"}})
    CHECK(written(sweep, name) == printed(sweep, format));
  CHECK_THAT(written(sweep, "s.md"), StartsWith("| seqlen | tiles |"));
}

TEST_CASE("a suffix without a format in a command is refused with those that it has") {
  check_refused(with(simulate, {"o.svg"}), {"\"o.svg\"", "allowed are .json, .csv, .txt, .md, .tex and .npy"});
  for (const std::string name : {"o", "o.", "o.np", "o.jsn", ".json", "o.json.gz"})
    check_refused(with(simulate, {name}), {"allowed are"});
  for (const std::string name : {"s.npy", "s"})
    check_refused(with(sweep, {name}), {"allowed are .json, .csv, .txt, .md, .tex and .svg"});
  check_refused({"compare", "--output", "c.npy"}, {"allowed are .json, .csv, .txt, .md, .tex and .svg"});
  check_refused({"bench", "--device", "emulated", "--seqlen", "16", "--output", "r.json"}, {"allowed is .csv"});
}

TEST_CASE("a --format that contradicts the suffix is refused") {
  check_refused(with(simulate, {"o.csv", "--format", "json"}), {"format: json", "\"o.csv\"", "csv"});
  check_refused(with(sweep, {"s.json", "--format", "csv"}), {"format: csv", "\"s.json\"", "json"});
  check_refused({"compare", "--output", "c.md", "--format", "latex"}, {"format: latex", "markdown"});
  CHECK(written(with({"simulate", "--seqlen", "64", "--format", "csv"}, {"--output"}), "o.csv").size() > 100);
}

TEST_CASE("an output without a suffix takes --format, and a pipe needs no suffix") {
  const Words named = {"simulate", "--seqlen", "64", "--format", "json", "--output"};
  CHECK_THAT(written(named, "report"), StartsWith("{"));
  CHECK_THAT(program::run(Folder(), with(named, {"/dev/stdout"}), "/dev/null").err, Catch::Equals(""));
  const program::Result csv =
      program::shell(Folder(), "\"$flashscope\" sweep --over seqlen=64 --output /dev/stdout | head -n 1");
  CHECK_THAT(csv.out, StartsWith("seqlen,"));
}
