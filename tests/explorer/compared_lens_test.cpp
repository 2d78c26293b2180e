// The engineer's lens with compared runs: its sentence and numbers are the command line's, nothing overlaps or is cut
// in any window, and it is reached from a comparison and left again.
#include <catch2/catch.hpp>

#include "tests/explorer/command_line_numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "viz/model/causes.h"

namespace {

using Catch::Contains;
using explorer::Headless;

const std::string small_tiles = "batch=4&heads=32&seqlen=2048&br=64&bc=64";
const std::string pair = small_tiles + "&compare=br:128%2Bbc:128&center=engineer";

/// Links of comparisons as users type them: tiles, programs with several kernels, other cards, roles, both passes.
const std::vector<std::string> comparisons = {
    pair, "seqlen=4096&heads=12&algorithm=standard&kernel=1&compare=flash2,flash1&center=engineer&pane=2",
    "seqlen=4096&heads=16&causal=1&compare=gpu:a100-sxm-40gb%2Bcausal:0&center=engineer",
    "seqlen=2048&heads=8&head-dim=128&algorithm=flash3&compare=flash2&center=engineer&measured=1ms,2ms"};

/// Time of a resource in a run: its work, and the waits while other CTAs hold it.
double resource_time(const std::vector<sim::PathValue>& values, const std::string& pipe) {
  return sim::number_at(values, "time.budget." + pipe) + sim::number_at(values, "time.budget." + pipe + "_busy");
}

/// Texts that end in "…", which is drawn after what is left of them.
std::string cut_texts(const Headless& window) {
  std::string message;
  const auto& texts = *window.driver.screen.texts;
  for (std::size_t n = 0; n < texts.size(); ++n) {
    if (texts[n].text.ends_with("…")) message += "\n  cut: " + (n > 0 ? texts[n - 1].text : "") + texts[n].text;
  }
  return message;
}

}  // namespace

TEST_CASE("the sentence on two runs has the numbers of their JSON") {
  Headless window(pair, {});
  finish(window);
  const explorer::World& world = window.explorer.model.world;
  const std::vector<sim::PathValue> a = sim::values_of(world.subject(0).simulation());
  const std::vector<sim::PathValue> b = sim::values_of(world.subject(1).simulation());
  const double first = sim::number_at(a, "time.microseconds"), second = sim::number_at(b, "time.microseconds");
  REQUIRE(first > second);
  const auto written = [](double us) { return explorer::number_text("time.microseconds", us); };
  const double here = resource_time(a, "smem"), there = resource_time(b, "smem");
  CHECK(shown(window, "lens/sentence") == sim::text("A is ", explorer::times_text(first / second),
                                                    " x slower: it spends ", written(here), " at shared memory, B ",
                                                    there > 0 ? written(there) : "none", "."));
  for (const std::string pipe : {"tensor", "fp32", "exp", "issue"})
    CHECK(resource_time(a, pipe) - resource_time(b, pipe) < here - there);
  CHECK_THAT(shown(window, "both/more/smem"), Contains("+ " + written(here - there)));
  CHECK(shown(window, "lens/changes") == "Changed in B: Br, Bc");
  keep(window, "compared-lens");
}

TEST_CASE("every number of two compared runs in the lens is the command line's") {
  for (const std::string& link : comparisons) {
    INFO(link);
    Headless window(link, {});
    finish(window);
    REQUIRE(window.explorer.model.world.subjects() > 1);
    check_numbers(window, 20);
    CHECK(shown(window, "lens/sentence") != "");
  }
}

TEST_CASE("of two runs as fast as each other the lens says so, with the error if it is known") {
  Headless window("seqlen=2048&heads=32&compare=seed:5&center=engineer", {});
  finish(window);
  CHECK_THAT(shown(window, "lens/sentence"), Contains("A and B are as fast"));
  const auto& error = window.explorer.model.world.run().simulation.accuracy.error_percent;
  if (error) CHECK_THAT(shown(window, "lens/sentence"), Contains(explorer::number_text("time.error_percent", *error)));
  explorer::Contrast close;
  close.ratio = 1.05;
  CHECK_FALSE(close.within_error());
  close.error_percent = 6;
  CHECK(close.within_error());
}

TEST_CASE("a comparison leads to the lens and back, and among several runs one is chosen") {
  Headless window(small_tiles + "&compare=flash1,standard", {});
  window.driver.click("compare/causes");
  explorer::Model& model = window.explorer.model;
  CHECK(model.state.look.center == explorer::Center::engineer);
  finish(window);
  const std::string sentence = shown(window, "lens/sentence");
  window.driver.click("lens/second");
  window.driver.click("lens/second/2");
  CHECK(model.state.look.pane == 2);
  finish(window);
  CHECK(shown(window, "lens/sentence") != sentence);
  window.driver.click("center/matrix");
  CHECK(window.driver.screen.state.probes.contains("compare/remove@2"));
}

TEST_CASE("a click on a cause of either run shows its events") {
  Headless window(pair, {});
  explorer::Model& model = window.explorer.model;
  finish(window);
  window.driver.click("both/barrier");
  CHECK(model.state.look.cause == "barrier");
  const auto& waits = model.world.replay().trace.waits;
  CHECK(std::any_of(waits.begin(), waits.end(), [&](const sim::WaitSpan& wait) {
    return wait.cause == sim::Cause::barrier && wait.begin == model.world.time();
  }));
  window.driver.click("both/issue@2");
  CHECK(model.state.look.cause == "issue");
}

TEST_CASE("an impossible run leaves the lens of the first one") {
  Headless window(small_tiles + "&compare=br:99999&center=engineer", {});
  finish(window);
  CHECK(shown(window, "lens/sentence") == "");
  CHECK(shown(window, "engineer/bound") != "");
}

TEST_CASE("nothing in the lens of two runs overlaps, is cut or leaves its panel in windows of any size", "[repeats]") {
  const explorer::Size sizes[] = {{1440, 900, 1}, {960, 600, 1}, {390, 844, 1}};
  for (const std::string& link : comparisons) {
    for (const explorer::Size& size : sizes) {
      for (const std::string look : {"", "&lang=zh&theme=light"}) {
        INFO(size.width << " x " << size.height << " #" << link << look);
        Headless window(link + look, size);
        window.driver.screen.texts.emplace();
        finish(window);
        CHECK(layout::text_of_faults(window) + cut_texts(window) == "");
        keep(window,
             sim::text("compared-lens-", &link - comparisons.data(), "-", size.width, look.empty() ? "" : "-zh"));
      }
    }
  }
}
