// A program that lives in one file of the test tree, two_pass.cpp, has all that others have, and no other file names
// it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/model/simulation.h"
#include "tests/support/ledger.h"
#include "tests/support/program.h"
#include "tests/support/random_scenario.h"
#include "viz/model/view_model.h"

using Catch::Contains;
using Json = nlohmann::json;

namespace {

sim::Scenario drawn(sim::Dice& dice) {
  sim::Scenario s = sim::random_scenario(dice, {200, 24, 40, 3, 3});
  s = with_algorithm(s, "two-pass");
  s.pass = sim::Pass::forward;
  return s;
}

const std::vector<std::string> simulate = {"simulate", "--algorithm", "2p", "--seqlen", "512", "--causal"};

}  // namespace

TEST_CASE("a program of one file is counted as its closed forms and a walk over every tile say") {
  sim::Dice dice(5);
  for (int n = 0; n < 300; ++n) {
    const sim::Scenario s = drawn(dice);
    INFO(sim::describe(s));
    const sim::Plan plan = sim::make_plan(s);
    REQUIRE(sim::counted(plan) == sim::closed_form(plan));
    sim::Totals totals;
    for (const sim::Trace& trace : sim::count(plan)) sim::add_to(totals, trace);
    if (n < 50) REQUIRE(totals == sim::count_by_brute_force(plan));
  }
}

TEST_CASE("a program of one file computes attention") {
  sim::Dice dice(6);
  for (int n = 0; n < 20; ++n) {
    sim::Scenario s = drawn(dice);
    s.dtype = sim::Dtype::fp32;
    INFO(sim::describe(s));
    const sim::Plan plan = sim::make_plan(s);
    const sim::AttentionInputs inputs = sim::draw_inputs(s.shape, s.dtype, s.seed);
    CHECK(sim::check_outputs(plan, inputs, sim::compute(plan, inputs)).worst().max_abs_error < 1e-5);
  }
}

TEST_CASE("a program of one file is printed as JSON, CSV, a derivation, a table and a listing") {
  const Json json = Json::parse(program::good(program::with(simulate, {"--format", "json"})).out);
  CHECK(json["scenario"]["algorithm"] == "two-pass");
  const std::int64_t q = json["tile_traffic"]["by_tensor"]["Q"]["read_bytes"],
                     k = json["tile_traffic"]["by_tensor"]["K"]["read_bytes"];
  CHECK(q == 512 * 64 * 2);
  CHECK(k == 2 * json["tile_traffic"]["by_tensor"]["V"]["read_bytes"].get<std::int64_t>());
  CHECK(json["time"]["microseconds"] > 0);
  CHECK_THAT(json["tile_traffic"]["by_line"][0]["text"].get<std::string>(), Contains("cta.load(block(hbm.Q, i))"));
  CHECK_THAT(program::good(program::with(simulate, {"--format", "csv"})).out,
             Contains(sim::text("by_tensor.K.read_bytes,", k, "\n")));
  CHECK_THAT(program::good(program::with(simulate, {"--why", "tile_traffic.by_tensor.K.read_bytes"})).out,
             Contains("2 B H Ak d e"));
  CHECK_THAT(program::good(simulate).out,
             Contains("Attention in two passes, forward") && Contains("against standard attention"));
  CHECK_THAT(program::good({"algorithms", "--algorithm", "two-pass"}).out, Contains("column blocks, second pass"));
  CHECK_THAT(program::good({"algorithms"}).out, Contains("two-pass: Q outside, K twice"));
}

TEST_CASE("a program of one file is compared, swept over and tuned") {
  CHECK_THAT(program::good({"compare", "--algorithms", "standard,two-pass", "--seqlen", "512"}).out,
             Contains("two-pass"));
  CHECK_THAT(program::good({"sweep", "--over", "algorithm=flash2,two-pass", "--over", "seqlen=512,1k"}).out,
             Contains("\ntwo-pass,1024,"));
  CHECK_THAT(program::good({"tune", "--algorithm", "two-pass", "--seqlen", "512"}).out,
             Contains("Attention in two passes"));
}

TEST_CASE("what a program of one file has not is refused by name") {
  program::check_refused({"simulate", "--algorithm", "two-pass", "--pass", "backward"},
                         {"two-pass has no backward pass"});
  program::check_refused({"simulate", "--algorithm", "two-pass", "--tiling", "released"},
                         {"two-pass has kernel and paper"});
  program::check_refused({"simulate", "--algorithm", "two-pas"}, {"did you mean \"two-pass\"?"});
}

TEST_CASE("a program of one file is opened by a link, with its listing and its replay") {
  explorer::ViewModel model(sim::built_in_gpu);
  model.follow("algorithm=two-pass&seqlen=512&causal=1&cta=0,0,3,0&time=2000");
  CHECK(model.error().empty());
  CHECK(model.complaints().empty());
  CHECK(model.link() == "algorithm=two-pass&batch=1&causal=1&heads=1&seqlen=512&cta=0,0,3,0&time=2000");
  CHECK(!model.run().listings.at(0).lines.empty());
  CHECK(model.replay().index.visits().size() == 8);  // four column blocks, twice
  CHECK(model.run().standard != nullptr);
}
