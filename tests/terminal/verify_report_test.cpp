// Printed verdicts if a GPU's counters could not be read, and the list of counters.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/measurements/metrics.h"
#include "tests/support/program.h"
#include "viz/terminal/verify/report.h"

using Catch::Contains;
using Json = nlohmann::json;

namespace {

/// A row that agrees and one that was not measured.
kernels::Verdict half_measured() {
  kernels::VerdictRow known{"memory.peak", "bytes", 4096, 4096};
  kernels::VerdictRow unknown{"hbm_traffic.read_bytes", "bytes", 5000, 0, 250};
  unknown.missing = true;
  unknown.cause = "counters: need administrator rights";
  return {"a GPU", {known, unknown}};
}

}  // namespace

TEST_CASE("a row that was not measured does not count as agreeing: the table has a dash, its reason and their number") {
  const std::string table = terminal::verdict_table({"flash2", "flash2", half_measured()});
  CHECK_THAT(table, Contains("not measured") && Contains("counters: need administrator rights"));
  CHECK_THAT(table, Contains("5,000") && !Contains("-5,000"));
  CHECK_THAT(table, Contains("verified: 1 row agree, 1 row not measured"));
}

TEST_CASE("a prediction outside its tolerance is neither a failure nor an agreement") {
  kernels::Verdict verdict = half_measured();
  verdict.rows.back() = {"time", "microseconds", 10, 25, 10, true, "measured / predicted is 2.50x"};
  const std::string table = terminal::verdict_table({"flash2", "flash2", verdict});
  CHECK_THAT(table, Contains("outside") && !Contains("FAILS"));
  CHECK_THAT(table, Contains("verified: 1 row agree, 1 row outside the tolerance\n"));
}

TEST_CASE("in JSON a row that was not measured has null for measured and difference and the reason as cause") {
  const Json rows = report::verdict_json(half_measured()).at("rows");
  CHECK(rows.at(0).at("measured") == 4096);
  CHECK(rows.at(1).at("simulated") == 5000);
  CHECK(rows.at(1).at("measured").is_null());
  CHECK(rows.at(1).at("difference").is_null());
  CHECK(rows.at(1).at("ok") == true);
  CHECK(rows.at(1).at("cause") == "counters: need administrator rights");
}

TEST_CASE("a list prints each reason once, with the number of rows that lack a measurement") {
  const std::string table =
      terminal::verdicts_table("a GPU", {{"one", "flash2", half_measured()}, {"two", "flash2", half_measured()}});
  CHECK_THAT(table, Contains("not measured: 2 rows: counters: need administrator rights"));
  CHECK_THAT(table, Contains("2 scenarios, 2 rows agree"));
}

TEST_CASE("counters lists the metrics of the table, each with its quantity or as also read on a GPU") {
  const Json listed = Json::parse(program::run({"counters", "--format", "json"}).out);
  std::set<std::string> quantities;
  for (const Json& counter : listed.at("counters")) {
    const std::string quantity = counter.at("name"), text = measurements::metric_text(quantity);
    INFO(quantity);
    CHECK(counter.at("gpu_metric") == (text.empty() ? Json() : Json(text)));
    quantities.insert(quantity);
  }
  REQUIRE(listed.at("gpu_metrics").size() == measurements::metrics().size());
  const std::string overview = program::run({"counters"}).out;
  for (const Json& metric : listed.at("gpu_metrics")) {
    const std::string name = metric.at("name");
    INFO(name);
    CHECK_THAT(overview, Contains(name));
    if (!metric.at("counter").is_null()) CHECK(quantities.count(metric.at("counter")) == 1);
  }
}
