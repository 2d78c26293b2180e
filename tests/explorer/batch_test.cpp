// The view "batch", as users operate it: its numbers are the command line's, other views report that they show one
// length, and nothing overlaps in any window.
#include "viz/panels/batch/batch.h"

#include <catch2/catch.hpp>

#include "tests/explorer/command_line_numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "viz/model/center_view.h"

namespace {

using Catch::Contains;
using explorer::Headless;

const std::string four = "seqlens=1%20128%20128,1%20512%20512,1%20128%20128,1%201024%201024&heads=8&gpu=t4";

/// Batches as users type them: few and many classes, one long entry, decoding, both passes, many CTAs, no predicted
/// time.
const std::vector<std::string> scenarios = {
    four,
    four + "&issue=longest",
    "seqlens=1%2065536%2065536,63%20128%20128&heads=8&causal=1",
    "seqlens=1%201%2065536,63%201%20128&heads=8&algorithm=flash-decoding",
    "seqlens=3%201%20777,1%20300%201000&heads=4&kv-heads=2&pass=forward%2Bbackward",
    "seqlens=500%204096%204096,12%20100%20900,1%2017%2017,9%203%2033,4%205%2055,8%206%2066,7%207%2077,2%208%2088,3%209%"
    "2099,1%2010%20110,5%2011%20121,6%2012%20132,4%2013%20143,2%2014%20154&heads=8",
    "seqlens=64%20131072%20131072,100000%20128%20128&heads=2&algorithm=flash1&pass=backward"};

/// The batch with every entry as long as the longest, by its own options.
sim::Simulation padded_run(const explorer::Model& model) {
  sim::OptionValues options = model.state.options;
  const sim::SequenceSizes sizes = sim::sizes_of(*model.world.subject(0).scenario().sequences);
  for (const char* name : {"issue", "seqlens"}) options.erase(name);
  options["batch"] = std::to_string(sizes.entries);
  options["seqlen-q"] = std::to_string(sizes.most_queries);
  options["seqlen-k"] = std::to_string(sizes.most_keys);
  return sim::simulate(sim::scenario_from(options, sim::built_in_gpu));
}

}  // namespace

TEST_CASE("every number of the view of a batch is the command line's") {
  for (const std::string& scenario : scenarios) {
    INFO(scenario);
    Headless window(scenario, {});
    finish(window);
    REQUIRE(window.explorer.model.world.error().empty());
    window.explorer.model.seek_run(0);
    finish(window);
    check_numbers(window, 6);
    const sim::Simulation padded = padded_run(window.explorer.model);
    CHECK(shown(window, "batch/padded/time") == explorer::number_text("time.microseconds", padded.microseconds));
    CHECK(shown(window, "batch/padded/matrix FLOPs") ==
          explorer::number_text("work.matmul_flops", static_cast<double>(padded.totals.matmul_flops.count())));
    CHECK_THAT(shown(window, "race/tail@2"),
               Contains(explorer::number_text("time.budget.tail", padded.budget[sim::Cause::tail])));
  }
}

TEST_CASE("nothing of the view of a batch overlaps in windows of any size", "[repeats]") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1440, 900, 1}, {960, 600, 1}, {390, 844, 1}};
  std::vector<std::string> all = scenarios;
  all.push_back("batch=4&heads=32&seqlen=2048&center=batch");
  all.push_back("gpu=mi300x&center=batch&seqlen=256");
  for (std::size_t n = 0; n < all.size(); ++n) {
    for (const explorer::Size& size : sizes) {
      for (const std::string look : {"", "&lang=zh&theme=light&run-time=50"}) {
        INFO(size.width << " x " << size.height << " #" << all[n] << look);
        Headless window(all[n] + look, size);
        window.driver.screen.texts.emplace();
        finish(window);
        CHECK(layout::text_of_faults(window) == "");
        keep(window, sim::text("batch-", n, "-", size.width, look.empty() ? "" : "-zh"));
      }
    }
  }
}

TEST_CASE("each other view and tab of a ragged batch reports that it shows one length") {
  for (const explorer::CenterView& view : explorer::center_views) {
    if (view.name == "batch") continue;
    INFO(view.name);
    Headless window(four + "&center=" + std::string(view.name), {1600, 1000, 1});
    finish(window);
    CHECK_THAT(shown(window, "not of batch"), Contains(std::string(view.title) + ": a ragged batch"));
    for (const auto& [name, text] : window.driver.screen.state.shown) CHECK_FALSE(name.starts_with("number/"));
    window.driver.click("batch/show");
    CHECK(window.explorer.model.state.look.center == explorer::Center::batch);
  }
  for (const std::string tab : {"memory", "code", "softmax", "counters"}) {
    Headless window(four + "&tab=" + tab, {390, 844, 1});
    finish(window);
    CHECK_THAT(shown(window, "not of batch"), Contains("a ragged batch"));
  }
  for (const std::string look : {"&play=run", "&compare=flash1", "&timeline=grid"}) {
    Headless window(four + look, {1600, 1000, 1});
    finish(window);
    CHECK(window.driver.shows("batch/issue/file"));
    CHECK(window.driver.shows("race/lanes@2"));
  }
}

TEST_CASE("the order of issue is selected above, and is the order of the run") {
  Headless window(four, {});
  window.driver.click("batch/issue/longest");
  CHECK_THAT(window.explorer.model.link(), Contains("issue=longest"));
  window.explorer.model.seek_run(0);
  finish(window);
  check_numbers(window, 6);
  const std::string longest = shown(window, "batch/packed/time");
  window.driver.click("batch/issue/file");
  CHECK_THAT(window.explorer.model.link(), Contains("issue=file"));
  finish(window);
  CHECK(longest ==
        explorer::number_text("time.microseconds", window.explorer.model.world.subject(2).simulation().microseconds));
}

TEST_CASE("the rows of a batch are a race: they play, follow the pointer, and show their ratios to the padded run") {
  Headless window(four, {});
  finish(window);
  auto& model = window.explorer.model;
  const auto time = [&](std::size_t n) { return model.world.subject(n).simulation().microseconds; };
  CHECK(shown(window, "race/ratio") == explorer::times_text(time(1) / time(0)) + " x faster");
  CHECK(shown(window, "race/ratio@3") == explorer::times_text(time(1) / time(2)) + " x faster");
  CHECK(shown(window, "race/ratio@2").empty());
  window.driver.click("race/lanes@2", 0.25f);
  CHECK(model.state.look.run_time == Approx(model.world.run_end() / 4).epsilon(0.01));
  window.driver.type("r");
  CHECK(model.playing());
  CHECK(window.explorer.update(0.1));
  CHECK(window.driver.shows("batch/issue/file"));
  window.driver.type("r");
  CHECK_FALSE(model.playing());
}

TEST_CASE("the description of a batch has its entries, CTAs, time and tail") {
  Headless window(four, {});
  const sim::Simulation& s = window.explorer.model.world.run().simulation;
  CHECK_THAT(window.explorer.description(),
             Contains("flash2, a ragged batch of 4 entries of up to 1,024 keys") &&
                 Contains(explorer::number_text("time.microseconds", s.microseconds)) &&
                 Contains(explorer::number_text("time.budget.tail", s.budget[sim::Cause::tail])));
}

TEST_CASE("dragging the corner of an entry changes its lengths, in one step of undo") {
  Headless window(four, {});
  finish(window);
  auto& model = window.explorer.model;
  const sim::SequenceClasses before = explorer::sequences_of(model.world.subject(0).simulation());
  window.driver.drag("batch/corner/1", 0.5f, 2.5f);
  finish(window);
  const sim::SequenceClasses after = explorer::sequences_of(model.world.subject(0).simulation());
  REQUIRE(after.size() == before.size());
  CHECK(after[1].seqlen_k > before[1].seqlen_k);
  CHECK(after == explorer::with_lengths(before, 1, after[1].seqlen_k, after[1].seqlen_k));
  window.driver.drag("batch/corner/3", 0.5f, -1.5f);  // the longest: the scale changes with it
  finish(window);
  const sim::SequenceClasses shorter = explorer::sequences_of(model.world.subject(0).simulation());
  CHECK(shorter[3].seqlen_k < before[3].seqlen_k);
  model.undo();
  model.undo();
  CHECK(explorer::sequences_of(model.world.subject(0).simulation()) == before);
}
