// The view "pages", as users operate it: clicks, keys, the slider of steps, and nothing overlaps in any window.
#include "viz/panels/pages/pages.h"

#include <catch2/catch.hpp>
#include <chrono>

#include "tests/explorer/command_line_numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"

namespace {

using Catch::Contains;
using explorer::Headless;

const std::string decode = "algorithm=paged-attention&heads=8&seqlen-q=1&page-size=16&center=pages";
const std::string four = decode + "&seqlen-k=500&steps=128&samples=4";

const std::vector<std::string> scenarios = {
    four,
    four + "&token=128&sequence=2&page=5",
    decode + "&seqlen-k=628",
    decode + "&seqlen-k=628&batch=1000&steps=64&token=30",
    decode + "&seqlen-k=131072&batch=12&page=3000",
    "algorithm=flash2&seqlen=1024&page-size=256&center=pages",
    "algorithm=paged-attention&center=pages&heads=2&seqlens=1%201%2025,3%201%2040,2%201%20700",
    "algorithm=flash-decoding&center=pages&seqlen-q=1&seqlen-k=16777216&page-size=1",
    "seqlen=512&center=pages"};

}  // namespace

TEST_CASE("nothing of the view of pages overlaps in windows of any size", "[repeats]") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1200, 700, 1}, {960, 600, 1}, {390, 844, 1}};
  for (std::size_t n = 0; n < scenarios.size(); ++n) {
    for (const explorer::Size& size : sizes) {
      for (const std::string look : {"", "&lang=zh&theme=light"}) {
        INFO(size.width << " x " << size.height << " #" << scenarios[n] << look);
        Headless window(scenarios[n] + look, size);
        REQUIRE(window.explorer.model.world.error().empty());
        window.driver.screen.texts.emplace();
        finish(window);
        CHECK(layout::text_of_faults(window) == "");
        keep(window, sim::text("pages-", n, "-", size.width, look.empty() ? "" : "-zh"));
      }
    }
  }
}

TEST_CASE("a click on an entry, a page, a sequence or the stairs selects it") {
  Headless window(four, {1600, 1000, 1});
  finish(window);
  const explorer::Look& look = window.explorer.model.state.look;
  CHECK(shown(window, "pages/used") == "35");
  CHECK_THAT(shown(window, "pages/sentence"), Contains("3 copies, not 4"));
  CHECK(shown(window, "pages/bytes/0") == "4.10 MB");
  CHECK(shown(window, "pages/bytes/1") == "8.19 kB");
  CHECK(shown(window, "pages/table share") == "the table is 0.2 % of them");
  CHECK(shown(window, "pages/headline") == "500 prompt and 128 generated tokens, 4 samples: 67 pages instead of 160");
  window.driver.click("pages/entry/7");
  CHECK(look.page == 7);
  window.driver.click("pages/sequence/2");
  CHECK(look.sequence == 2);
  const explorer::PageMoment& moment = explorer::page_moment(window.explorer.model.state, window.explorer.model.world);
  const std::int32_t own = moment.sequences()[3].pages.back();
  window.driver.click(sim::text("pages/pool/", own));
  CHECK((look.sequence == 3 && look.page == 31));
  window.driver.click("pages/stairs", 0.5f);
  CHECK(std::abs(look.token - 64) <= 1);
  CHECK_THAT(window.explorer.model.link(), Contains("token="));
  const Headless again(window.explorer.model.link(), {1600, 1000, 1});
  CHECK(again.explorer.model.link() == window.explorer.model.link());
}

TEST_CASE("the transport and the keys step through the tokens, and the text describes the step") {
  Headless window(four, {1600, 1000, 1});
  const explorer::Look& look = window.explorer.model.state.look;
  window.driver.key(ImGuiKey_RightArrow);
  CHECK(look.token == 2);
  window.driver.click("step");
  CHECK(look.token == 3);
  window.driver.key(ImGuiKey_DownArrow);
  CHECK(look.sequence == 1);
  window.driver.key(ImGuiKey_LeftArrow, false, true);
  CHECK(look.page == 30);
  CHECK_THAT(window.explorer.description(), Contains("67 pages instead of 160") && Contains("filled to 7 of 16"));
  window.driver.type("1");
  window.driver.type("m");
  CHECK(look.center == explorer::Center::pages);
}

TEST_CASE("a run without pages says which programs have them, and its buttons set pages of 16") {
  for (const std::string name : {"flash2", "flash3", "flash-decoding", "paged-attention"}) {
    Headless window("seqlen=512&head-dim=128&center=pages", {});
    CHECK_THAT(shown(window, "no pages"), Contains("FlashAttention-2: K and V of a sequence are in one piece"));
    window.driver.click("pages/show/" + name);
    const explorer::Model& model = window.explorer.model;
    INFO(name);
    CHECK(model.world.error().empty());
    CHECK(model.world.run().simulation.plan.program->name == name);
    CHECK(model.world.run().simulation.plan.scenario.page_size == 16);
    CHECK_FALSE(window.driver.shows("pages/show/" + name));
  }
}

TEST_CASE("views offer pages to runs that have them") {
  CHECK_FALSE(Headless("seqlen=512&center=wall", {1600, 1000, 1}).driver.shows("center/pages"));
  CHECK(Headless("seqlen=512&page-size=16&center=wall", {1600, 1000, 1}).driver.shows("center/pages"));
}

TEST_CASE("options of the bar change the pages") {
  Headless window(decode + "&seqlen-k=628", {1600, 1000, 1});
  finish(window);
  CHECK(window.driver.shows("pages/samples"));
  check_numbers(window, 1);
  window.explorer.model.set_option("samples", "4");
  finish(window);
  CHECK(shown(window, "pages/used") == "40");
  window.explorer.model.set_option("samples", "1");
  window.explorer.model.set_option("page-size", "32");
  finish(window);
  CHECK(shown(window, "pages/used") == "20");
}
