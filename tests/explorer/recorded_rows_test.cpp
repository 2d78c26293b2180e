// Recorded figures in the rows of the verification panel.
#include <catch2/catch.hpp>

#include "tests/measurements/example.h"
#include "viz/panels/verification/recorded.h"

namespace {

using explorer::ComparedRow;

const ComparedRow& row(const std::vector<ComparedRow>& rows, std::string_view quantity) {
  for (const ComparedRow& each : rows) {
    if (each.quantity == quantity) return each;
  }
  throw sim::Error(sim::text("no row ", quantity));
}

const std::vector<measurements::Recording>& example() {  // results point into it
  static const std::vector<measurements::Recording> all = {
      measurements::parse_recording(example_recording, "example.csv")};
  return all;
}

/// Returns the scenario at which the example was measured, with overrides.
sim::Scenario recorded_scenario(const sim::OptionValues& more = {}) {
  sim::OptionValues options = more;
  options.insert({{"heads", "2"}, {"seqlen", "256"}, {"causal", "1"}, {"gpu", "h200"}});
  return sim::scenario_from(options, sim::built_in_gpu);
}

}  // namespace

TEST_CASE("recorded figures fill their column, with the tolerances of verify and no verdict") {
  const sim::Simulation s = sim::simulate(recorded_scenario());
  auto rows = explorer::simulated_rows(s);
  explorer::add_recorded(rows, s, explorer::recorded_beside(example(), s.plan.scenario));
  const ComparedRow &time = row(rows, "time"), &read = row(rows, "hbm_traffic.read_bytes");
  CHECK(time.recorded == 20.5);
  CHECK(time.simulated == s.microseconds);
  CHECK(time.tolerance == s.microseconds);  // the error is unknown
  CHECK(time.cause == "recorded: Example H200, driver 1.2.3, 2026-01-02 (example.csv), cold caches");
  CHECK(read.recorded == 200000);
  CHECK(read.tolerance == Approx(0.05 * read.simulated.value()));
  for (const ComparedRow& each : rows) {
    CHECK(each.ok);
    CHECK(each.recorded.has_value() == (&each == &time || &each == &read));
  }
}

TEST_CASE("a device verdict keeps its tolerance and cause next to a recorded figure") {
  const sim::Simulation s = sim::simulate(recorded_scenario());
  explorer::DeviceVerdict card{
      "a GPU", "", {{"time", "microseconds", s.microseconds, 9, 3, true, "predicted for h200"}}};
  auto rows = explorer::compared_rows(s, {}, card);
  explorer::add_recorded(rows, s, explorer::recorded_beside(example(), s.plan.scenario));
  CHECK(row(rows, "time").recorded == 20.5);
  CHECK(row(rows, "time").gpu == 9);
  CHECK(row(rows, "time").tolerance == 3);
  CHECK(row(rows, "time").cause == "predicted for h200");
}

TEST_CASE("a scenario with other work, another card or another kernel has no recorded figures") {
  CHECK(explorer::recorded_beside(example(), recorded_scenario()).size() == 2);
  for (const sim::OptionValues& other : std::vector<sim::OptionValues>{
           {{"seqlen", "512"}}, {{"gpu", "t4"}}, {{"dtype", "fp32"}}, {{"causal", "0"}}, {{"br", "64"}}}) {
    CHECK(explorer::recorded_beside(example(), recorded_scenario(other)).empty());
  }
  CHECK(explorer::recorded_beside({}, recorded_scenario()).empty());
}

TEST_CASE("totals that include atomic additions have no recorded counts of loads and stores") {
  const sim::Simulation s = sim::simulate(recorded_scenario({{"pass", "backward"}}));
  REQUIRE(s.totals.atomic.count() > 0);
  std::vector<measurements::Recording> recordings = example();
  measurements::Figure figure = recordings[0].figures[2];
  figure.scenario = s.plan.scenario;
  recordings[0].figures.clear();
  for (const measurements::Metric& metric : measurements::metrics()) {
    figure.quantity = metric.name;
    recordings[0].figures.push_back(figure);
  }
  auto rows = explorer::simulated_rows(s);
  explorer::add_recorded(rows, s, explorer::recorded_beside(recordings, s.plan.scenario));
  CHECK_FALSE(row(rows, "tile_traffic.total.read_bytes").recorded);
  CHECK_FALSE(row(rows, "tile_traffic.total.write_bytes").recorded);
  CHECK(row(rows, "tile_traffic.atomic_bytes").recorded == 200000 * 32);
  CHECK(row(rows, "hbm_traffic.write_bytes").recorded == 200000);
  CHECK(row(rows, "time").recorded == Approx(200));
}
