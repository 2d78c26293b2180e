// A pattern in the explorer's comparisons equals that of the command line: in blocks of the first block-sparse
// program's tiles.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/report/run_json.h"
#include "tests/support/program.h"
#include "viz/model/comparison.h"
#include "viz/model/model.h"
#include "viz/model/plot.h"

namespace {

using Json = nlohmann::json;

/// The command line's results for each algorithm.
Json compared(const std::string& algorithms, const std::vector<std::string>& more) {
  const auto words = program::with({"compare", "--algorithms", algorithms, "--format", "json"}, more);
  return Json::parse(program::good(words).out).at("results");
}

explorer::Model model_of(const std::string& link) {
  explorer::Model model(sim::built_in_gpu);
  model.follow(link);
  return model;
}

void check_equal(const explorer::Model& model, const Json& results) {
  REQUIRE(model.world.subjects() == results.size());
  for (std::size_t n = 0; n < model.world.subjects(); ++n) {
    INFO(model.world.subject(n).scenario().algorithm << ": " << model.world.subject(n).error);
    CHECK(model.world.subject(n).error.empty());
    Json run = Json::parse(report::to_text(report::to_json(model.world.subject(n).simulation())));
    for (const char* part : {"tile_traffic", "hbm_traffic", "memory", "work", "kernels", "time"})
      CHECK(run.at(part) == results[n].at(part));
  }
}

}  // namespace

TEST_CASE("the explorer compares the same blocks as the command line, in any order of programs") {
  const std::vector<std::string> scenario = {"--seqlen", "1024", "--heads", "4", "--causal"};
  for (const std::string pattern : {"causal", "window:1", "butterfly", "random:0.5"}) {
    const auto words = program::with(scenario, {"--pattern", pattern});
    const std::string link = "#batch=1&heads=4&seqlen=1024&causal=1&pattern=" + pattern;
    INFO(pattern);
    check_equal(model_of(link + "&algorithm=standard&compare=flash2-block-sparse,block-sparse"),
                compared("standard,flash2-block-sparse,block-sparse", words));
    check_equal(model_of(link + "&algorithm=block-sparse&compare=standard,flash2-block-sparse"),
                compared("block-sparse,standard,flash2-block-sparse", words));
  }
}

TEST_CASE("standard attention uses its own blocks again when the last comparison is removed") {
  explorer::Model model = model_of("#algorithm=standard&seqlen=1024&pattern=window:1&compare=block-sparse");
  CHECK(model.world.subject(0).scenario().pattern_tiles.has_value());
  model.apply(without_run(model.state, 1));
  CHECK_FALSE(model.world.subject(0).scenario().pattern_tiles.has_value());
  model.compare({{{"algorithm", "flash2-block-sparse"}}});
  CHECK(model.world.subject(0).scenario().pattern_tiles.has_value());
}

TEST_CASE("a compared run with explicit tiles keeps them, and is reported to see other pairs") {
  const explorer::Model model =
      model_of("#algorithm=block-sparse&seqlen=1024&br=64&bc=64&pattern=window:1&compare=br:128");
  CHECK(model.world.subject(1).problem().tiling.br == 128);
  const auto names = explorer::differences(model.world.subject(0), model.world.subject(1));
  CHECK(std::find(names.begin(), names.end(), "pattern") != names.end());
  CHECK_FALSE(explorer::same_inputs(names));
}

TEST_CASE("all lines of a plot hide the same pairs") {
  const sim::OptionValues options = {
      {"algorithm", "block-sparse"}, {"seqlen", "1024"}, {"br", "64"}, {"bc", "64"}, {"pattern", "window:1"}};
  explorer::Plot plot(options, sim::built_in_gpu("h100-sxm"), "head-dim");
  while (!plot.done()) plot.advance();
  sim::Scenario scenario = sim::scenario_from(options, sim::built_in_gpu);
  const sim::Simulation standard = sim::simulate(sim::standard_of(scenario));
  bool found = false;
  for (const explorer::PlotLine& line : plot.lines()) {
    if (line.program->name != "standard") continue;
    for (const explorer::PlotPoint& point : line.points) {
      if (point.at != 64) continue;
      found = true;
      REQUIRE(point.values);
      CHECK((*point.values)[0] == explorer::quantity_of(standard, explorer::PlotQuantity::tile_traffic));
    }
  }
  CHECK(found);
}
