// flashscope tune: the best tiling that fits, and the resource that limits it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using Words = std::vector<std::string>;

namespace {

Json tuned(Words words) {
  words.insert(words.begin(), "tune");
  words.insert(words.end(), {"--format", "json"});
  const program::Result result = program::run(words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return Json::parse(result.out);
}

Json simulated(Words words) {
  words.insert(words.begin(), "simulate");
  words.insert(words.end(), {"--format", "json"});
  return Json::parse(program::run(words).out);
}

}  // namespace

TEST_CASE("tune's best tiles have the costs that simulate gives", "[repeats]") {
  for (const Words& scenario : {Words{"--algorithm", "flash1", "--causal"}, Words{"--pass", "forward+backward"},
                                Words{"--algorithm", "standard", "--gpu", "t4"}}) {
    const Json best = tuned(scenario).at("best");
    Words words = scenario;
    words.insert(words.end(), {"--br", best.at("br").dump(), "--bc", best.at("bc").dump()});
    const Json s = simulated(words);
    CHECK(best.at("tile_traffic_bytes") == s.at("tile_traffic").at("total").at("read_bytes").get<std::int64_t>() +
                                               s.at("tile_traffic").at("total").at("write_bytes").get<std::int64_t>());
    CHECK(best.at("microseconds") == s.at("time").at("microseconds"));
    CHECK(best.at("smem_bytes") == s.at("memory").at("peak_sram_bytes"));
  }
}

TEST_CASE("tune ranks by its goal, and no tiling rule does better", "[repeats]") {
  for (const char* algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    for (const auto& [goal, key] : {std::pair{"bytes", "tile_traffic_bytes"}, {"time", "microseconds"}}) {
      const Json j = tuned({"--algorithm", algorithm, "--for", goal, "--seqlen", "700", "--top", "100000"});
      REQUIRE(j.at("ranked").size() == j.at("fitting"));
      CHECK(j.at("ranked").at(0) == j.at("best"));
      const auto rank = [&, of_time = goal == std::string("time"), name = key](std::size_t n) {
        const Json& tiles = j.at("ranked").at(n);
        return std::pair(of_time && tiles.at("compiled") == false, tiles.at(name).get<double>());
      };
      for (std::size_t n = 1; n < j.at("ranked").size(); ++n) REQUIRE(rank(n - 1) <= rank(n));
      CHECK(j.at("best").at(key) <= j.at("kernel_rule").at(key));
    }
  }
}

TEST_CASE("tune for time ranks tiles first that a kernel is compiled for, and marks others", "[repeats]") {
  const Words words = {"tune", "--head-dim", "128", "--seqlen", "4096", "--for", "time", "--top", "5"};
  const Json ranked = tuned({words.begin() + 1, words.end()}).at("ranked");
  std::vector<bool> compiled;
  for (const Json& tiles : ranked) compiled.push_back(tiles.at("compiled"));
  CHECK(compiled == std::vector<bool>{true, true, true, true, false});  // 128 x 64, 64 x 64, 64 x 32, 128 x 32
  const std::string table = program::run(words).out;
  CHECK_THAT(table, Contains("128 x 64 ") && Contains(" *  ") &&
                        Contains("* no flash2_mma is compiled for these tiles: instructions are estimated\n"));
  Words other = words;
  other.insert(other.end(), {"--algorithm", "flash1"});
  CHECK(tuned({other.begin() + 1, other.end()}).at("best").at("compiled").is_null());
  CHECK_THAT(program::run(other).out, !Contains("*"));
}

TEST_CASE("tune names the memory that prevents larger tiles") {
  const Json j = tuned({"--head-dim", "128", "--seqlen", "8192"});
  REQUIRE(j.at("larger").size() == 2);
  CHECK(j.at("larger").at(0).at("fits") == false);
  CHECK_THAT(j.at("larger").at(0).at("outcome").get<std::string>(), Contains("KiB registers are free"));
  CHECK_THAT(program::run({"tune", "--head-dim", "128", "--seqlen", "8192"}).out, Contains("does not fit: "));
}

TEST_CASE("tune reports if the kernels' own tiles, which differ between passes, beat every single pair") {
  const Words both = {"--pass", "forward+backward", "--seqlen", "4096", "--heads", "16", "--head-dim", "128"};
  const Json j = tuned(both);
  CHECK(j.at("kernel_rule_wins") == true);
  CHECK(j.at("kernel_rule").at("tile_traffic_bytes") < j.at("best").at("tile_traffic_bytes"));
  Words words = both;
  words.insert(words.begin(), "tune");
  CHECK_THAT(program::run(words).out, Contains("128 x 64, 64 x 128") && Contains("better than any one pair"));
}

TEST_CASE("no tiling one step larger than tune's best fits", "[repeats]") {
  const Json j = tuned({"--algorithm", "flash1", "--pass", "forward+backward", "--seqlen", "131072", "--causal"});
  CHECK(j.at("best").at("bc") == 400);
  for (const Json& larger : j.at("larger")) CHECK(larger.at("fits") == false);
}

TEST_CASE("if no multiple of 16 fits tune tries smaller tiles") {
  const Json best = tuned({"--gpu", "toy", "--head-dim", "256"}).at("best");
  CHECK(best.at("br") == 16);
  CHECK(best.at("bc") == 8);
}

TEST_CASE("tune searches the side that is not fixed") {
  const Json j = tuned({"--br", "80", "--top", "1000"});
  for (const Json& tiles : j.at("ranked")) CHECK(tiles.at("br") == 80);
  CHECK(j.at("larger").size() == 1);
  const Json rows = tuned({"--algorithm", "memory-efficient"});
  for (const Json& tiles : rows.at("ranked")) CHECK(tiles.at("br") == 1);
}

TEST_CASE("tune takes the chunk of rabe-staats as its key block") {
  Json chunk = tuned({"--algorithm", "rabe-staats", "--chunk", "64"});
  Json bc = tuned({"--algorithm", "rabe-staats", "--bc", "64"});
  for (const Json& tiles : chunk.at("ranked")) CHECK(tiles.at("bc") == 64);
  chunk.erase("scenario");
  bc.erase("scenario");
  CHECK(chunk == bc);
  check_refused({"tune", "--algorithm", "rabe-staats", "--chunk", "64", "--bc", "32"},
                {"64 and --bc 32 are the same size"});
}

TEST_CASE("tune's CSV has a row per tiling") {
  const std::string csv = program::run({"tune", "--format", "csv", "--top", "7"}).out;
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 8);
  CHECK_THAT(csv, Catch::StartsWith("br,bc,tile_traffic_bytes,"));
}

TEST_CASE("tune refuses options that leave nothing to search") {
  check_refused({"tune", "--br", "16", "--bc", "16"}, {"--br and --bc are both given"});
  check_refused({"tune", "--tiling", "paper"}, {"needs --tiling kernel"});
  check_refused({"tune", "--head-dim", "1000000"}, {"no tiles fit; the smallest: flash2.cpp:"});
  check_refused({"tune", "--seqlen", "90000000", "--br", "1"}, {"seqlen-q: 90000000 in blocks of 1 makes"});
  check_refused({"tune", "--for", "joy"}, {"bytes, time"});
  check_refused({"tune", "--top", "0"}, {"top: \"0\" is not a whole number from 1"});
}
