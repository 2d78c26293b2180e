// The view "numbers", as users operate it: scales, rotation, inputs, tiles, and nothing overlaps in any window.
#include "viz/panels/narrow/narrow.h"

#include <catch2/catch.hpp>

#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"

namespace {

using Catch::Contains;
using explorer::Headless;

const std::string narrow = "algorithm=flash3&dtype=e4m3&batch=4&heads=16&head-dim=128&center=numbers";

const std::vector<std::string> narrow_scenarios = {
    narrow + "&seqlen=2048&inputs=outliers",
    narrow + "&seqlen=1024&causal=1&fp8-scales=tensor&rotate=0&q-tile=3",
    "algorithm=flash3&dtype=e4m3&inputs=outliers&seqlen=900&head-dim=96&center=numbers",
    "algorithm=flash3&dtype=e4m3&inputs=outliers&seqlen=700&head-dim=64&schedule=serial&center=numbers",
    "algorithm=flash3&dtype=e4m3&inputs=outliers&seqlen=100&head-dim=256&center=numbers",
    "seqlen=512&center=numbers"};

}  // namespace

TEST_CASE("nothing of the view of numbers overlaps in windows of any size, and no letter is below 11 pixels",
          "[repeats]") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1200, 700, 1}, {960, 600, 1}, {390, 844, 1}};
  for (std::size_t n = 0; n < narrow_scenarios.size(); ++n) {
    for (const explorer::Size& size : sizes) {
      for (const std::string look : {"", "&lang=zh&theme=light"}) {
        INFO(size.width << " x " << size.height << " #" << narrow_scenarios[n] << look);
        Headless window(narrow_scenarios[n] + look, size);
        REQUIRE(window.explorer.model.world.error().empty());
        window.driver.screen.texts.emplace();
        finish(window);
        CHECK(layout::text_of_faults(window) == "");
        const float least =
            11 * window.explorer.scale(static_cast<float>(size.width), static_cast<float>(size.height), 1);
        for (const ui::DrawnText& text : *window.driver.screen.texts) {
          INFO(text.text);
          CHECK(text.em >= least - 0.01f);
        }
        keep(window, sim::text("numbers-", n, "-", size.width, look.empty() ? "" : "-zh"));
      }
    }
  }
}

TEST_CASE("a click on scales, rotation and inputs sets the options of the run, and the errors follow") {
  Headless window(narrow + "&seqlen=4096&inputs=outliers", {1600, 1000, 1});
  finish(window);
  const explorer::Model& model = window.explorer.model;
  CHECK_THAT(shown(window, "numbers/largest/before"), Contains("= 448 s"));
  const std::string block = shown(window, "numbers/scale/before");
  CHECK(shown(window, "numbers/error/block/1") != "…");
  CHECK_THAT(shown(window, "numbers/error/fp16"), Contains("fp16 of the same inputs: "));
  CHECK_THAT(shown(window, "numbers/gain"), Contains("x a key, not 2 x"));
  CHECK(shown(window, "numbers/smem") == "184 KiB of 227 KiB; fp16 with Bc 176: 208 KiB");
  CHECK_THAT(shown(window, "numbers/turned bytes"), Contains("57,344 B"));
  window.driver.click("numbers/fp8-scales/tensor");
  window.driver.click("numbers/rotate/0");
  finish(window);
  CHECK(model.world.run().simulation.plan.scenario.own.at("rotate") == 0);
  CHECK(sim::fp8_scales(model.world.subject(0).problem()) == sim::Fp8Scales::tensor);
  CHECK(shown(window, "numbers/error/tensor/0") != "");
  window.driver.click("numbers/inputs/drawn");
  finish(window);
  CHECK_THAT(shown(window, "numbers/sentence"), Contains("no outliers"));
  CHECK_THAT(window.explorer.description(), Contains("no outliers"));
  CHECK(block != "");
}

TEST_CASE("buttons and keys go from a tile of Q to the next, and the tile is in the link") {
  Headless window(narrow + "&seqlen=1024&inputs=outliers&q-tile=2", {1600, 1000, 1});
  finish(window);
  const explorer::Look& look = window.explorer.model.state.look;
  window.driver.click("numbers/tile after");
  CHECK(look.q_tile == 3);
  window.driver.key(ImGuiKey_LeftArrow);
  window.driver.key(ImGuiKey_LeftArrow);
  CHECK(look.q_tile == 1);
  const Headless again(window.explorer.model.link(), {1600, 1000, 1});
  CHECK(again.explorer.model.link() == window.explorer.model.link());
  window.driver.type("1");
  window.driver.type("q");
  CHECK(look.center == explorer::Center::numbers);
}

TEST_CASE("a run that is not in e4m3 names the programs that are, and a click sets type and inputs") {
  for (const std::string from : {"seqlen=512", "seqlen=512&head-dim=80&gpu=a100-sxm-80gb&dropout=0.1",
                                 "algorithm=flash3&seqlen=512&pass=backward"}) {
    Headless window(from + "&center=numbers", {});
    CHECK_THAT(shown(window, "no numbers"), Contains("Programs that take types of 8 bits"));
    window.driver.click("numbers/show/flash3");
    const explorer::Model& model = window.explorer.model;
    INFO(from);
    CHECK(model.world.error().text() == "");
    CHECK(model.world.run().simulation.plan.problem.fp8());
    CHECK(model.world.run().simulation.plan.scenario.inputs == sim::InputRule::outliers);
    CHECK_FALSE(window.driver.shows("numbers/show/flash3"));
  }
  CHECK_FALSE(Headless("seqlen=512&center=wall", {1600, 1000, 1}).driver.shows("center/numbers"));
}
