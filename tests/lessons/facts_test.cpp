#include "lessons/facts.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "sim/catalogue/options.h"

namespace {

sim::Simulation simulated(const std::string& algorithm) {
  return sim::simulate(sim::scenario_from(
      {{"algorithm", algorithm}, {"batch", "4"}, {"heads", "32"}, {"seqlen", "2048"}}, sim::built_in_gpu));
}

}  // namespace

TEST_CASE("facts are the numbers of the runs") {
  const sim::Simulation flash2 = simulated("flash2"), standard = simulated("standard");
  lessons::Facts facts;
  facts.add("", flash2);
  facts.add("standard", standard);
  const auto total = static_cast<double>(flash2.totals.total.read.count() + flash2.totals.total.written.count());
  CHECK(facts.value("tile_traffic.total") == total);
  CHECK(facts.value("standard hbm_traffic.read_bytes / 2") == static_cast<double>(standard.hbm.read.count()) / 2);
  CHECK(facts.value("max(standard time.microseconds, time.microseconds)") == standard.microseconds);
  CHECK(facts.value("gpu.sm_count + 1") == 133);
  CHECK(facts.value("scenario.head-dim - 1") == 63);
  CHECK(facts.text("gpu.hbm_bytes_per_second") == "3.35 TB/s");
  CHECK(facts.text("tile_traffic.by_tensor.O.write_bytes") == "33.6 MB");
  CHECK(facts.text("1 / 3 | percent") == "33.3 %");
  CHECK(facts.text("200 / 3 | number") == "66.7");
  CHECK(facts.text("2e6 | number") == "2,000,000");
  CHECK(facts.filled("e^{m - m'} at {gpu.sm_count} SMs, x_{ij}") == "e^{m - m'} at 132 SMs, x_{ij}");
}

TEST_CASE("unknown names, units and invalid claims are rejected") {
  lessons::Facts facts;
  CHECK_THROWS_AS(facts.value("time.microseconds"), sim::Error);  // no run was added
  facts.add("", simulated("flash2"));
  CHECK_THROWS_WITH(facts.value("time.microsecond"), Catch::Contains("did you mean \"time.microseconds\""));
  CHECK_THROWS_WITH(facts.value("gpus.sent_bytes"), Catch::Contains("one GPU has no number \"gpus.sent_bytes\""));
  CHECK_THROWS_WITH(facts.text("1 | parsec"), Catch::Contains("\"parsec\""));
  CHECK_THROWS_WITH(facts.holds("time.microseconds"), Catch::Contains("claims nothing"));
  CHECK_FALSE(facts.holds("2 < 1"));
  CHECK(facts.holds("1 = 1"));
}

TEST_CASE("a claim may allow a tolerance in percent") {
  const lessons::Facts facts;
  CHECK(facts.holds("101 within 1 % of 100"));
  CHECK_FALSE(facts.holds("101.1 within 1 % of 100"));
  CHECK(facts.holds("99 within 1 % of 100"));
  CHECK_THROWS_WITH(facts.holds("1 within 2"), Catch::Contains("FORMULA within 5 % of FORMULA"));
}

TEST_CASE("both sides of a claim are written so that they differ") {
  const lessons::Facts facts;
  CHECK(facts.sides("2 * 1000 < 3 / 2") == "2,000 < 1.5");
  CHECK(facts.sides("101.12 within 1 % of 100") == "101.1 within 1 % of 100");
  CHECK(facts.sides("1 / 3 = 0.33333") == "0.33333333333333331 = 0.33333000000000002");
  CHECK(lessons::is_claim("1 within 5 % of 2"));
  CHECK(lessons::is_claim("1 > 2"));
  CHECK_FALSE(lessons::is_claim("1 / 2 | percent"));
}

TEST_CASE("values at the cursor are facts of the main run") {
  lessons::Facts facts;
  facts.add("", simulated("flash2"));
  facts.add_here({{"O", {{"0", {{"1", 0.25}}}}}, {"m", {{"0", 3}}}});
  CHECK(facts.value("here.O.0.1 * 4") == 1);
  CHECK(facts.text("here.m.0") == "3");
  CHECK_THROWS_AS(facts.value("here.O.1.1"), sim::Error);
}
