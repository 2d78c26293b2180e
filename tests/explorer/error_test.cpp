// Impossible scenarios: the error, the picture that is kept, and the offered corrections.
#include <catch2/catch.hpp>
#include <map>

#include "tests/explorer/pictures.h"
#include "viz/model/tiles/largest_tiles.h"
#include "viz/words/words.h"

TEST_CASE("tiles that do not fit are explained, and the last possible run stays") {
  explorer::Headless window("#seqlen=2048&head-dim=128", {});
  const auto* run = &window.explorer.model.world.run();
  window.explorer.model.set_option("bc", "1024");
  window.driver.frame();
  window.driver.frame();
  keep(window, "error");
  CHECK_FALSE(window.explorer.model.world.error().empty());
  CHECK(&window.explorer.model.world.run() == run);
  window.driver.click("error/undo");
  CHECK(window.explorer.model.world.error().empty());
  CHECK_FALSE(window.driver.shows("error/undo"));
}

TEST_CASE("the tiles that an error offers fit, and larger ones do not") {
  explorer::Headless window("#seqlen=2048&head-dim=128&br=128&bc=1024", {});
  window.driver.frame();
  CHECK_FALSE(window.explorer.model.world.error().empty());
  window.driver.click("error/fit");
  CHECK(window.explorer.model.world.error().empty());
  const sim::Plan& plan = window.explorer.model.world.run().simulation.plan;
  const sim::Tiling tiles = plan.problem.tiling;
  CHECK(tiles.br == 128);
  CHECK_FALSE(sim::tiles_fit(plan.scenario, tiles.br, tiles.bc + 16));
  CHECK_FALSE(explorer::largest_tiles(plan.scenario).has_value());
}

TEST_CASE("an error that is not about tiles offers the nearest value") {
  explorer::Headless window("#heads=4", {390 * 2, 844 * 2, 2});
  window.explorer.model.set_option("kv-heads", "3");
  window.driver.frame();
  window.driver.frame();
  keep(window, "error-phone");
  CHECK_FALSE(window.driver.shows("error/fit"));
  window.driver.click("error/nearest");
  CHECK(window.explorer.model.world.error().empty());
  CHECK(window.explorer.model.state.options.at("kv-heads") == "2");
  window.explorer.model.undo();
  window.driver.frame();
  window.driver.click("error/undo");
  CHECK(window.explorer.model.world.error().empty());
}

TEST_CASE("errors use the window's terms, and every offered correction leads to a possible run", "[repeats]") {
  std::size_t seen = 0;
  for (const std::string start : {"heads=4", "algorithm=flash-decoding&heads=4", "algorithm=fmha&seqlen=128",
                                  "algorithm=standard&lang=zh", "gpu=toy&seqlen=64&head-dim=16&br=16&bc=16"}) {
    for (const auto& [option, value] : std::map<std::string, std::string>{{"br", "512"},
                                                                          {"bc", "4096"},
                                                                          {"kv-heads", "3"},
                                                                          {"padding", "5000"},
                                                                          {"head-dim", "200000"},
                                                                          {"seqlen-q", "4096"},
                                                                          {"splits", "100000"},
                                                                          {"sram", "100"},
                                                                          {"inputs", "worked"},
                                                                          {"dropout", "1"}}) {
      for (std::size_t way = 0; way < 3; ++way) {
        INFO(start << " " << option << "=" << value);
        explorer::Headless window(start, {});
        window.explorer.model.set_option(option, value);
        if (window.explorer.model.world.error().empty()) break;
        window.driver.frame();
        window.driver.screen.texts.emplace();
        window.driver.frame();
        for (const ui::DrawnText& text : *window.driver.screen.texts) {
          INFO(text.text);
          CHECK(text.text.find("--") == std::string::npos);
          CHECK(text.text.find(".cpp:") == std::string::npos);
          CHECK(text.text.find("h100-sxm") == std::string::npos);
        }
        std::vector<std::string> ways;
        for (const char* name : {"error/fit", "error/nearest", "error/undo"}) {
          if (window.driver.shows(name)) ways.emplace_back(name);
        }
        REQUIRE_FALSE(ways.empty());
        ++seen;
        if (way >= ways.size()) break;
        window.driver.click(ways[way]);
        INFO(ways[way]);
        CHECK(window.explorer.model.world.error().empty());
      }
    }
  }
  CHECK(seen > 20);
}

namespace {

/// Difference between the darkest and the lightest pixel of a rectangle.
int contrast(const platform::Picture& picture, const ui::Rect& place) {
  int least = 255, most = 0;
  for (int y = static_cast<int>(place.y); y < static_cast<int>(place.bottom()); ++y) {
    for (int x = static_cast<int>(place.x); x < static_cast<int>(place.right()); ++x) {
      least = std::min<int>(least, picture.at(x, y).green);
      most = std::max<int>(most, picture.at(x, y).green);
    }
  }
  return most - least;
}

}  // namespace

TEST_CASE("the numbers of the last possible run are dimmed while the options are impossible") {
  for (const std::string theme : {"dark", "light"}) {
    explorer::Headless window("seqlen=2048&head-dim=128&batch=4&heads=32&time=9000&theme=" + theme, {1440, 900, 1});
    const platform::Picture before = window.driver.picture();
    const auto probes = window.driver.screen.state.probes;
    window.explorer.model.set_option("br", "1024");
    window.driver.frame();
    window.driver.frame();
    const platform::Picture after = window.driver.picture();
    std::size_t panels = 0;
    for (const auto& [name, place] : probes) {
      const bool in_panel = name.starts_with("number/") || name == "hbm" || name == "l2" || name == "step";
      if (!in_panel) continue;
      INFO(theme << " " << name);
      CHECK(contrast(after, place) < 0.6 * contrast(before, place));
      ++panels;
    }
    CHECK(panels > 10);
    CHECK(contrast(after, probes.at("undo")) >= contrast(before, probes.at("undo")));  // undo is not dimmed
  }
}

TEST_CASE("impossible tiles of a link can be replaced by the default tiles") {
  explorer::Headless window("#br=4096&bc=4096&head-dim=256&lang=zh&theme=light", {});
  window.driver.frame();
  keep(window, "error-zh");
  CHECK_FALSE(window.explorer.model.world.error().empty());
  window.driver.click("error/defaults");
  CHECK(window.explorer.model.world.error().empty());
}

TEST_CASE("an error is translated with the errors within it") {
  explorer::Headless window("#head-dim=abc&algorithm=flash7&lang=zh", {});
  const std::vector<sim::Sentence>& errors = window.explorer.model.link_errors;
  REQUIRE(errors.size() == 2);
  const auto chinese = [&](std::size_t n) { return words::translate(explorer::Language::zh, errors[n]); };
  CHECK(chinese(0) == "链接：head-dim：“abc”不是 1 到 1099511627776 之间的整数");
  CHECK_THAT(chinese(1), Catch::StartsWith("链接：算法 没有“flash7”：是否指“flash1”？可取 "));
  CHECK(words::translate(explorer::Language::en, errors[0]) == errors[0].text());
}

TEST_CASE("errors of a link are listed until they are dismissed") {
  explorer::Headless window("#seqlen=2048&nonsense=1&gpu=h1000&causal=maybe", {});
  window.driver.frame();
  keep(window, "complaints");
  CHECK(window.explorer.model.link_errors.size() == 3);
  window.driver.click("complaints/close");
  CHECK(window.explorer.model.link_errors.empty());
  CHECK_FALSE(window.driver.shows("complaints/close"));
}
