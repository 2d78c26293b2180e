// A program in a single file of the test tree, two_pass.cpp, has every feature of the others, and no other file names
// it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "lessons/cursor.h"
#include "sim/model/simulation.h"
#include "tests/support/ledger.h"
#include "tests/support/program.h"
#include "tests/support/random_scenario.h"
#include "viz/model/model.h"

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

TEST_CASE("a single-file program is counted as in its closed forms and in a walk over every tile") {
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

TEST_CASE("a single-file program computes attention") {
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

TEST_CASE("a single-file program is printed as JSON, CSV, a derivation, a table and a listing") {
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

TEST_CASE("a single-file program is compared, swept over and tuned") {
  CHECK_THAT(program::good({"compare", "--algorithms", "standard,two-pass", "--seqlen", "512"}).out,
             Contains("two-pass"));
  CHECK_THAT(program::good({"sweep", "--over", "algorithm=flash2,two-pass", "--over", "seqlen=512,1k"}).out,
             Contains("\ntwo-pass,1024,"));
  CHECK_THAT(program::good({"tune", "--algorithm", "two-pass", "--seqlen", "512"}).out,
             Contains("Attention in two passes"));
}

TEST_CASE("options that a single-file program lacks are rejected by name") {
  const std::vector<std::string> of_it = {"--algorithm", "two-pass"};
  for (const std::string command : {"simulate", "tune", "algorithms"}) {
    for (const std::string pass : {"backward", "forward+backward"}) {
      if (command == "algorithms" && pass != "backward") continue;  // lists one pass
      INFO(command << " " << pass);
      program::check_refused({command, "--algorithm", "two-pass", "--pass", pass}, {"two-pass has no backward pass"});
    }
  }
  program::check_refused({"compare", "--algorithms", "flash2,two-pass", "--pass", "backward"},
                         {"two-pass has no backward pass"});
  program::check_refused({"simulate", "--algorithm", "two-pass", "--tiling", "released"},
                         {"two-pass has no released code: kernel and paper"});
  program::check_refused({"simulate", "--algorithm", "two-pas"}, {"did you mean \"two-pass\"?"});
}

TEST_CASE("a sweep continues where a single-file program has no backward pass, and its row has the reason") {
  const program::Result swept = program::good(
      {"sweep", "--over", "algorithm=two-pass,flash2", "--over", "pass=forward,backward", "--seqlen", "256"});
  CHECK_THAT(swept.out, Contains(",pass: two-pass has no backward pass") && Contains("\nflash2,backward,") &&
                            Contains("\ntwo-pass,forward,"));
  CHECK_THAT(swept.err, Contains("1 of 4 points cannot run"));
}

#ifdef WITH_KERNELS
TEST_CASE("a single-file program without kernels is refused by commands that run kernels") {
  for (const std::string command : {"verify", "bench"}) {
    INFO(command);
    const std::vector<std::string> run = {command, "--device", "emulated", "--algorithm", "two-pass", "--seqlen", "64"};
    program::check_refused(run, {"algorithm: two-pass has no kernel", "flash2"});
    program::check_refused(program::with(run, {"--kernel", "flash1"}), {"flash1 has no kernel for two_pass_forward"});
    program::check_refused(program::with(run, {"--pass", "backward"}), {"two-pass has no backward pass"});
  }
}
#endif

TEST_CASE("a lesson finds a position in a single-file program by its line, in both of its passes") {
  sim::Scenario s;
  s.algorithm = "two-pass";
  s.shape = {1, 1, 1, 32, 32, 8, {}};
  s.dtype = sim::Dtype::fp32;
  s.br = s.bc = 16;
  const sim::Simulation simulation = sim::simulate(s);
  const auto at = [&](const std::string& line, std::optional<std::int64_t> j) {
    return lessons::find_cursor(simulation,
                                {.kernel = "two_pass_forward", .cta = "0,0,1,0", .line = line, .i = 1, .j = j});
  };
  const lessons::Cursor first = at("l = alpha l + rowsum(P)", 1), second = at("O = O + P V_j", 1);
  CHECK(first.i == 1);
  CHECK(second.j == 1);
  CHECK(first.time < second.time);
  const Json values = Json::parse(lessons::values_at(simulation, at("O = diag(l)^-1 O", {})).dump());
  const auto outputs = sim::compute(simulation.plan, sim::inputs_of(s));
  CHECK(values["O"]["0"]["3"].get<double>() == outputs.o.at(16 * 8 + 3));
}

TEST_CASE("a single-file program is opened by a link, with its listing and its replay") {
  explorer::Model model(sim::built_in_gpu);
  model.follow("algorithm=two-pass&seqlen=512&causal=1&cta=0,0,3,0&time=2000");
  CHECK(model.world.error().empty());
  CHECK(model.link_errors.empty());
  CHECK(model.link() == "algorithm=two-pass&batch=1&causal=1&heads=1&seqlen=512&cta=0,0,3,0&time=2000");
  CHECK(!model.world.run().listings.at(0).lines.empty());
  CHECK(model.world.replay().index.visits().size() == 8);  // four column blocks, twice each
  CHECK(model.world.run().standard != nullptr);
}

TEST_CASE("the explorer keeps its run when a backward pass of a single-file program is requested") {
  explorer::Model model(sim::built_in_gpu);
  model.follow("algorithm=two-pass&seqlen=512");
  model.set_option("pass", "backward");
  CHECK_THAT(model.world.error().text(), Contains("two-pass has no backward pass"));
  CHECK(model.world.run().simulation.plan.program->name == "two-pass");
  model.set_option("pass", "forward");
  CHECK(model.world.error().empty());
  model.follow("algorithm=two-pass&seqlen=512&pass=backward&center=matrix");
  CHECK_THAT(model.world.error().text(), Contains("two-pass has no backward pass"));
  CHECK(!model.world.run().listings.empty());
}
