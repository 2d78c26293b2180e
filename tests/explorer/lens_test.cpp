// The engineer's lens: its numbers are the command line's, nothing overlaps in any window, and it draws nothing when
// idle.
#include <catch2/catch.hpp>
#include <set>

#include "tests/explorer/command_line_numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "viz/model/causes.h"
#include "viz/model/race_lanes.h"

namespace {

using explorer::Headless;

/// Scenarios as users type them: short and long, masks, shared K and V, decoding, both passes, other programs and
/// cards.
const std::vector<std::string> scenarios = {"batch=4&heads=32&seqlen=2048",
                                            "seqlen=1024&heads=16&batch=2&causal=1&head-dim=128",
                                            "seqlen=16384&heads=32&kv-heads=4&causal=1&cta=0,3,7,0",
                                            "seqlen=4096&heads=8&pass=forward%2Bbackward&kernel=2",
                                            "seqlen-q=1&seqlen-k=65536&heads=64&batch=16&algorithm=flash-decoding",
                                            "seqlen=4096&heads=12&algorithm=standard&kernel=1",
                                            "seqlen=2048&algorithm=flash1&heads=8&gpu=a100-sxm-40gb",
                                            "seqlen=8192&heads=8&algorithm=block-sparse&pattern=strided:3",
                                            "seqlen=3000&window=512&padding=37&gpu=t4",
                                            "seqlen=512&gpu=toy&heads=2&dtype=fp32&head-dim=16",
                                            "seqlen=8192&heads=32&algorithm=memory-efficient&timeline=grid",
                                            "seqlen=131072&heads=2&time=5000000&zoom=-30",
                                            "seqlen=2048&heads=16&banks=padded&drag=select&span=2000,9000"};

}  // namespace

TEST_CASE("every number of the engineer's lens is the command line's") {
  for (const std::string& scenario : scenarios) {
    INFO(scenario);
    Headless window(scenario + "&center=engineer", {});
    finish(window);
    check_numbers(window, 8);
    const sim::KernelMeters& kernel = window.explorer.model.world.subject(0).kernel();
    const auto bound = window.driver.screen.state.shown.find("engineer/bound");
    REQUIRE(bound != window.driver.screen.state.shown.end());
    double sum = 0;
    for (const sim::Cause cause : sim::all_causes) sum += kernel.time.budget[cause];
    CHECK(sum == Approx(kernel.time.microseconds));
  }
}

TEST_CASE("nothing in the engineer's lens overlaps, is cut or leaves its panel in windows of any size", "[repeats]") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1440, 900, 1}, {960, 600, 1}, {390, 844, 1}};
  for (const std::string& scenario : scenarios) {
    for (const explorer::Size& size : sizes) {
      for (const std::string look : {"", "&lang=zh&theme=light"}) {
        INFO(size.width << " x " << size.height << " #" << scenario << look);
        Headless window(scenario + "&center=engineer" + look, size);
        window.driver.screen.texts.emplace();
        finish(window);
        std::string message = layout::text_of_faults(window);
        const auto& texts = *window.driver.screen.texts;
        for (std::size_t n = 0; n < texts.size(); ++n) {
          if (!texts[n].text.ends_with("…")) continue;
          message += "\n  cut: " + (n > 0 ? texts[n - 1].text : "") + " | " + texts[n].text;
        }
        CHECK(message == "");
      }
    }
  }
}

TEST_CASE("the engineer's lens opens with one key, steps through causes by key, and draws nothing when idle") {
  Headless window(scenarios.front(), {});
  explorer::Model& model = window.explorer.model;
  window.driver.type("7");
  CHECK(model.state.look.center == explorer::Center::engineer);
  finish(window);
  CHECK_FALSE(window.explorer.update(0.1));
  std::set<std::string> lit;
  for (int n = 0; n < 20; ++n) {
    window.driver.type("k");
    if (!model.state.look.cause.empty()) lit.insert(model.state.look.cause);
  }
  CHECK(lit.size() == explorer::causes_of(model.world.subject(0).kernel().time.budget).size());
  finish(window);
  CHECK_FALSE(window.explorer.update(0.1));
}

TEST_CASE("the engineer's lens can be operated by touch on a phone") {
  Headless window(scenarios.front() + "&center=engineer", {390, 844, 1});
  window.driver.tap("budget-legend/issue_busy");
  CHECK(window.explorer.model.state.look.cause == "issue_busy");
  window.explorer.model.state.look.drag_selects = true;
  window.driver.drag("timeline", 0.2f, 0.8f);
  CHECK(window.explorer.model.state.look.span);
  finish(window);
  keep(window, "lens-phone");
}

TEST_CASE("the lens selects among the kernels of a run") {
  Headless window("seqlen=2048&heads=8&algorithm=standard&center=engineer", {});
  window.driver.click("engineer/kernel");
  window.driver.click("engineer/kernel/" + window.explorer.model.world.run().simulation.kernels[2].name);
  CHECK(window.explorer.model.world.replay().kernel == 2);
  keep(window, "lens-kernel");
}

TEST_CASE("all SMs have the colours of their heads, and the pointer highlights heads that share K and V") {
  Headless window("batch=4&heads=32&kv-heads=8&seqlen=2048&center=engineer&timeline=grid&time=20000", {});
  finish(window);
  window.driver.screen.texts.emplace();
  window.driver.hover("timeline", 0.5f);
  window.driver.frame();
  const auto& texts = *window.driver.screen.texts;
  const auto says = [&](std::string_view words) {
    return std::any_of(texts.begin(), texts.end(), [&](const auto& t) { return t.text.find(words) != t.text.npos; });
  };
  CHECK(says("share K and V, of KV head"));
  CHECK(says("row block"));
  CHECK(says("4 heads share one K and V."));
  keep(window, "lens-heads");
  window.driver.click("colors/row-block");
  CHECK(window.explorer.model.state.look.by_row_block);
  CHECK(explorer::place_in_order({3, 31, 0, 0}, {4, 32, 16, 1}, false) == 1);
  CHECK(explorer::place_in_order({3, 31, 0, 0}, {4, 32, 16, 1}, true) == 0);
}
