// --program FILE.fscope on the command line.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace {

using Words = std::vector<std::string>;

const std::string recorded_programs = std::string(FLASHSCOPE_SOURCE) + "/tests/recorded/programs/";
const std::string recorded_flash2 = recorded_programs + "my-flash2.fscope";

/// Writes the file with `from` replaced by `to`.
std::string written_with(const std::string& from, const std::string& to) {
  std::string text = program::read_file(recorded_flash2);
  return text.replace(text.find(from), from.size(), to);
}

nlohmann::json json_of(const Words& words) {
  return nlohmann::json::parse(program::good(program::with(words, {"--format", "json"})).out);
}

}  // namespace

TEST_CASE("the option --program runs a recorded program if no algorithm is named") {
  const Words size = {"--seqlen", "2048", "--causal", "--gpu", "b200"};  // for which no kernel of flash2 is compiled
  const auto run = json_of(program::with({"simulate", "--program", recorded_flash2}, size)),
             built_in = json_of(program::with({"simulate", "--algorithm", "flash2"}, size));
  CHECK(run["scenario"]["algorithm"] == "my-flash2");
  CHECK(run["tile_traffic"]["total"] == built_in["tile_traffic"]["total"]);
  CHECK(run["time"]["microseconds"] == built_in["time"]["microseconds"]);
  CHECK(run["time"]["validated"] == false);
  CHECK(run["memory"]["published"] == nullptr);
  CHECK(json_of({"simulate", "--program", recorded_flash2, "--algorithm", "flash1"})["scenario"]["algorithm"] ==
        "flash1");
  const auto named = json_of({"simulate", "--program", recorded_flash2, "--algorithm", "my-flash2"});
  CHECK(named["scenario"]["algorithm"] == "my-flash2");
}

TEST_CASE("compare, sweep and tune take a recorded program") {
  const auto compared = json_of({"compare", "--program", recorded_flash2, "--seqlen", "512"});
  CHECK(compared.dump().find("my-flash2") != std::string::npos);
  const Words axis = {"sweep", "--over", "seqlen=256:1024:x2", "--columns", "tile_traffic.total"};
  const std::string swept = program::good(program::with(axis, {"--program", recorded_flash2})).out,
                    built_in = program::good(axis).out;
  CHECK(swept == built_in);
  const std::string both = program::good({"sweep", "--over", "algorithm=flash1,my-flash2", "--columns",
                                          "tile_traffic.total", "--program", recorded_flash2})
                               .out;
  CHECK_THAT(both, Catch::Contains("flash1,") && Catch::Contains("my-flash2,"));
  CHECK(json_of({"tune", "--gpu", "b200", "--program", recorded_flash2})["best"] ==
        json_of({"tune", "--gpu", "b200"})["best"]);
}

TEST_CASE("a program that cannot be loaded is refused in one line with the reason") {
  const program::Folder folder;
  program::write_file(folder / "v2.fscope", written_with("fscope = 1", "fscope = 2"));
  program::write_file(folder / "taken.fscope", written_with("my-flash2", "flash2"));
  program::write_file(folder / "damaged.fscope", written_with("r5 = gemm_nt", "r5 = gemm_nn_nt"));
  program::write_file(folder / "half.fscope", program::read_file(recorded_flash2).substr(0, 5000));
  const auto refused = [&](const std::string& file, const Words& says) {
    program::check_refused(folder, {"simulate", "--program", file}, says);
  };
  refused("none.fscope", {"program: none.fscope: no such file"});
  refused(".", {"program: .: is not a regular file"});
  refused("v2.fscope", {"v2.fscope: fscope = 2 is another version of the format than 1"});
  refused("taken.fscope", {"flash2 is a built-in program: give yours another name"});
  refused("damaged.fscope",
          {"damaged.fscope: kernel flash2_forward, body 1, code line 8: unknown verb \"gemm_nn_nt\""});
  refused("half.fscope", {"half.fscope:", "the text that begins here does not end"});
  program::check_refused({"verify", "--program", "x.fscope"},
                         {"verify: takes no --program", "flashscope simulate --program FILE.fscope --numerics on"});
  program::check_refused({"simulate", "--program", recorded_flash2, "--pass", "backward"},
                         {"pass: my-flash2 is a recorded program, which is forward only: it has no backward pass"});
  program::check_refused({"explore", recorded_flash2, "--program", recorded_flash2},
                         {"explore: two programs are named"});
}
