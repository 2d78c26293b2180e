// sweep --formula: a user's formula compared with the count, and the verdict.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::ordered_json;
using program::check_refused;
using Words = std::vector<std::string>;

namespace {

/// The verdict of a sweep on stderr; other lines there fail.
std::string verdict_of(Words words) {
  words.insert(words.begin(), "sweep");
  const program::Result result = program::run(words);
  INFO("stderr: " << result.err);
  REQUIRE(result.exit_code == 0);
  REQUIRE(result.err_lines() == 1);
  return result.err;
}

}  // namespace

TEST_CASE("the traffic of flash2 agrees exactly with the paper's formula") {
  CHECK(verdict_of({"--over", "seqlen=100:1000:100", "--over", "head-dim=32,64,128", "--formula",
                    "(2 + 2*Tr)*N*d*e + 4*N"}) == "formula: agrees exactly on all 30 points\n");
  CHECK(verdict_of({"--over", "seqlen-q=100,200", "--over", "seqlen-k=300,500", "--over", "dtype=fp16,fp32", "--batch",
                    "3", "--heads", "5", "--formula", "b*h*(2*Nq*d*e + 2*Tr*Nk*d*e + 4*Nq)"}) ==
        "formula: agrees exactly on all 8 points\n");
}

TEST_CASE("the traffic of flash1 with the papers' tiles agrees with formulas over Tc and M") {
  const Words words = {"--algorithm",           "flash1", "--tiling",         "paper", "--over",
                       "seqlen=1000:5000:1000", "--over", "sram=65536,196608"};
  const auto against = [&](const std::string& quantity, const std::string& formula) {
    Words more = words;
    more.insert(more.end(), {"--against", quantity, "--formula", formula});
    return verdict_of(more);
  };
  CHECK_THAT(against("tile_traffic.by_tensor.Q.read_bytes", "N*d*e*Tc"), Contains("agrees exactly on all 10 points"));
  CHECK_THAT(against("tile_traffic.by_tensor.O", "2*N*d*e*Tc + N*d*e"), Contains("agrees exactly"));
  CHECK_THAT(against("tile_traffic.by_tensor.Q.read_bytes", "N*d*e*ceil(N/Bc)"), Contains("agrees exactly"));
  CHECK_THAT(against("tile_traffic.by_tensor.Q.read_bytes", "N*d*e*ceil(N/ceil(M/(4*d)))"), Contains("agrees exactly"));
}

TEST_CASE("a formula that lacks a factor is reported as right up to a constant factor") {
  CHECK(verdict_of({"--over", "seqlen=128:1024:x2", "--against", "tile_traffic.by_tensor.K.read_bytes", "--formula",
                    "N*N*d"}) ==
        "formula: count = 0.0156 x formula on all 4 points (exactly): right up to a constant "
        "factor\n");
  CHECK_THAT(
      verdict_of({"--over", "seqlen=16384:65536:x2", "--formula", "N*N*d"}),
      Contains("count = 0.0315 x formula on all 3 points (to ") && Contains(" %): right up to a constant factor"));
}

TEST_CASE("a formula that diverges is reported with the point, the direction and the axis") {
  const std::string err =
      verdict_of({"--over", "head-dim=64,64000", "--over", "seqlen=128:1024:x2", "--tiling", "paper", "--algorithm",
                  "memory-efficient", "--against", "tile_traffic.by_tensor.K.read_bytes", "--formula", "N*d*e"});
  CHECK(err ==
        "formula: departs: the ratio count / formula grows from 256 at head-dim=64, seqlen=128 to 2.05e+03 at "
        "head-dim=64, seqlen=1024; first departs at head-dim=64, seqlen=256 (512); it varies along seqlen; not "
        "along head-dim\n");
  CHECK(verdict_of({"--over", "seqlen=128:512:x2", "--against", "tile_traffic.by_tensor.Q.read_bytes", "--formula",
                    "N*N*d*e"}) ==
        "formula: departs: the ratio count / formula falls from 0.00781 at seqlen=128 to "
        "0.00195 at seqlen=512; first departs at seqlen=256 (0.00391)\n");
}

TEST_CASE("each row has formula and ratio, and json the verdict") {
  const Json json = Json::parse(program::run({"sweep", "--over", "seqlen=128,256", "--formula", "N*d*e", "--against",
                                              "tile_traffic.by_tensor.Q.read_bytes", "--format", "json"})
                                    .out);
  CHECK(json.at("rows").at(1).at("formula") == 256 * 64 * 2);
  CHECK(json.at("rows").at(1).at("ratio") == 1.0);
  CHECK(json.at("verdict") == "agrees exactly on all 2 points");
  CHECK(json.at("sweep").at("formula") == "N*d*e");
  CHECK_THAT(program::run({"sweep", "--over", "seqlen=128", "--formula", "N"}).out,
             Contains(",bound_by,formula,ratio,error\n"));
}

TEST_CASE("points that cannot run do not count for the verdict") {
  const program::Result result = program::run(
      {"sweep", "--over", "padding=2000,0", "--formula", "N*d*e", "--against", "tile_traffic.by_tensor.Q.read_bytes"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err,
             Contains("1 of 2 points cannot run") && Contains("agrees exactly on the only point that runs"));
  CHECK(verdict_of({"--over", "seqlen=64,128", "--formula", "N", "--against", "tile_traffic.initialisation"}) ==
        "formula: the count is 0 on all 2 points\n");
  CHECK_THAT(program::run({"sweep", "--over", "padding=2000", "--formula", "N"}).err, Contains("nothing to compare"));
}

TEST_CASE("a formula that cannot be read or has no value is refused and names the point") {
  const auto refused = [](const std::string& formula, const Words& says) {
    check_refused({"sweep", "--over", "seqlen=64,128,256", "--formula", formula}, says);
  };
  refused("N*x", {"unknown name \"x\"", "column 3", "known are N, Nq"});
  refused("N*(d", {"formula: "});
  refused("", {"formula: "});
  refused("N/(N-128)", {"at seqlen=64: formula: -1 is not above 0"});
  refused("1/(N-64)", {"at seqlen=64: formula: division by zero"});
  refused("N-64", {"at seqlen=64: formula: 0 is not above 0"});
  refused("1/max(0,128-N)", {"at seqlen=128: formula: division by zero"});
  refused("sin(N)", {"sin"});
  refused("10^(-307)/N", {"too small for a ratio"});
  check_refused({"sweep", "--over", "seqlen-k=64", "--formula", "N"}, {"1024 queries and 64 keys: use Nq and Nk"});
  check_refused({"sweep", "--over", "seqlen=64", "--formula", "N", "--against", "tile_traffic.by_tensor.Z"},
                {"unknown quantity", "did you mean \"tile_traffic.by_tensor."});
  check_refused({"sweep", "--over", "seqlen=64", "--formula", "N", "--against", "time.bound_by"}, {"unknown quantity"});
  check_refused({"sweep", "--over", "seqlen=64", "--formula", "N", "--against", ""}, {"unknown quantity"});
  check_refused({"sweep", "--over", "seqlen=64", "--against", "work.exp_count"}, {"needs a --formula"});
}
