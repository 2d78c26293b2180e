// The tile picker. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include <catch2/catch.hpp>

#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/model/tiles/tile_plane.h"

namespace {

using explorer::Headless;

/// Returns the position of the cell of a Bc as a fraction of the row's width, for Bc = 16, 32 ... up to `last`.
float place_of(std::int64_t bc, std::int64_t last) { return (static_cast<float>(bc) - 8) / static_cast<float>(last); }

std::int64_t last_bc(const Headless& window) {
  return explorer::TilePlane(window.explorer.model.world.subject(0).scenario()).cols().back();
}

}  // namespace

TEST_CASE("the tile picker draws the same picture twice, in both themes, languages and orders", "[repeats]") {
  for (const std::string look : {"theme=dark", "theme=light&tiles=time", "lang=zh"}) {
    const std::string link = "#seqlen=2048&head-dim=128&causal=1&center=tiles&" + look;
    Headless window(link, {}), again(link, {});
    finish(window);
    finish(again);
    keep(window, "tiles-" + look);
    const bool same = window.driver.picture() == again.driver.picture();
    CHECK(same);
  }
}

TEST_CASE("the tile picker draws every algorithm, the odd cases and all sizes of the window", "[repeats]") {
  const std::vector<std::string> links = {"#algorithm=standard&pass=forward%2Bbackward&seqlen=700",
                                          "#algorithm=flash1&pass=backward&br=48&bc=40",
                                          "#algorithm=flash1&tiling=released",
                                          "#algorithm=memory-efficient&seqlen=4096&causal=1",
                                          "#seqlen=16&head-dim=8",
                                          "#seqlen=1&head-dim=1&gpu=toy",
                                          "#head-dim=256&dtype=fp32&sram=10000&tiling=paper",
                                          "#head-dim=256&sram=64&tiling=paper",
                                          "#seqlen=131072&head-dim=16&heads=8&kv-heads=2"};
  const std::vector<explorer::Size> sizes = {{1600, 1000}, {1280, 720}, {960, 600}, {1170, 2532, 3}};
  for (std::size_t n = 0; n < links.size(); ++n) {
    INFO(links[n]);
    Headless window(links[n] + "&center=tiles", sizes[n % sizes.size()]);
    REQUIRE(window.explorer.model.world.error().empty());
    REQUIRE(window.explorer.model.link_errors.empty());
    finish(window);
    keep(window, "tiles-case-" + std::to_string(n));
    CHECK(window.driver.shows("tiles/bytes"));
  }
}

TEST_CASE("a click on a cell takes its tiles, in one step that can be undone") {
  Headless window("#seqlen=2048&head-dim=128&tiling=paper&center=tiles", {});
  finish(window);
  const sim::OptionValues before = window.explorer.model.state.options;
  window.driver.click("tiles/br/64", place_of(96, last_bc(window)));
  CHECK(window.explorer.model.state.options.at("br") == "64");
  CHECK(window.explorer.model.state.options.at("bc") == "96");
  CHECK(window.explorer.model.state.options.count("tiling") == 0);
  CHECK(window.explorer.model.world.run().simulation.plan.problem.tiling.bc == 96);
  window.explorer.model.undo();
  CHECK(window.explorer.model.state.options == before);
}

TEST_CASE("a click on a cell that does not fit changes nothing") {
  Headless window("#seqlen=2048&head-dim=128&center=tiles", {});
  finish(window);
  const sim::OptionValues before = window.explorer.model.state.options;
  window.driver.click("tiles/br/320", 0.95f);
  CHECK(window.explorer.model.state.options == before);
  CHECK(window.explorer.model.world.error().empty());
}

TEST_CASE("the order of the tile picker is a key of the link") {
  Headless window("#center=tiles", {});
  window.driver.click("tiles/time");
  CHECK(window.explorer.model.link() == "batch=4&heads=32&center=tiles&tiles=time");
  window.driver.click("tiles/bytes");
  CHECK(window.explorer.model.link() == "batch=4&heads=32&center=tiles");
}

TEST_CASE("a tooltip describes the cell of the tile picker under the pointer") {
  Headless window("#seqlen=2048&head-dim=128&center=tiles", {});
  finish(window);
  const platform::Picture before = window.driver.picture();
  for (const float at : {0.1f, 0.9f}) {  // one that fits, and one that does not
    window.driver.hover("tiles/br/256", at);
    const bool same = window.driver.picture() == before;
    CHECK_FALSE(same);
    keep(window, at < 0.5f ? "tiles-hover" : "tiles-hover-too-large");
  }
}

TEST_CASE("a time is starred wherever it stands, with the star's meaning, if no kernel is compiled for the tiles") {
  for (const std::string tiles : {"br=48&bc=48", "br=128&bc=64"}) {
    const bool estimated = tiles.starts_with("br=48");
    for (const std::string look : {"select=time.microseconds", "center=engineer", "compare=flash1", "theme=light"}) {
      Headless window("#seqlen=1024&head-dim=128&" + tiles + "&" + look, {1440, 900});
      INFO(tiles << " " << look);
      REQUIRE(window.explorer.model.link_errors.empty());
      window.driver.screen.texts.emplace();
      finish(window);
      std::string all;
      for (const ui::DrawnText& text : *window.driver.screen.texts) all += text.text + "\n";
      CHECK((all.find("* estimated") != std::string::npos) == estimated);
      keep(window, "estimated-" + tiles + look);
    }
  }
}
