// Impossible scenarios: what is said, what is kept, and the ways out.
#include <catch2/catch.hpp>

#include "tests/explorer/pictures.h"
#include "viz/model/tiles/largest_tiles.h"

TEST_CASE("tiles that do not fit are explained, and the last possible run stays") {
  explorer::Headless window("#seqlen=2048&head-dim=128", {});
  const auto* run = &window.explorer.model.run();
  window.explorer.model.set_option("bc", "1024");
  window.driver.frame();
  window.driver.frame();
  keep(window, "error");
  CHECK_FALSE(window.explorer.model.error().empty());
  CHECK(&window.explorer.model.run() == run);
  window.driver.click("error/undo");
  CHECK(window.explorer.model.error().empty());
  CHECK_FALSE(window.driver.shows("error/undo"));
}

TEST_CASE("the tiles that an error offers fit, and larger ones do not") {
  explorer::Headless window("#seqlen=2048&head-dim=128&br=128&bc=1024", {});
  window.driver.frame();
  CHECK_FALSE(window.explorer.model.error().empty());
  window.driver.click("error/fit");
  CHECK(window.explorer.model.error().empty());
  const sim::Plan& plan = window.explorer.model.run().simulation.plan;
  const sim::Tiling tiles = plan.problem.tiling;
  CHECK(tiles.br == 128);
  CHECK_FALSE(sim::tiles_fit(plan.scenario, tiles.br, tiles.bc + 16));
  CHECK_FALSE(explorer::largest_tiles(plan.scenario).has_value());
}

TEST_CASE("an error that is not about tiles offers the way back") {
  explorer::Headless window("#heads=4", {390 * 2, 844 * 2, 2});
  window.explorer.model.set_option("kv-heads", "3");
  window.driver.frame();
  window.driver.frame();
  keep(window, "error-phone");
  CHECK_FALSE(window.driver.shows("error/fit"));
  window.driver.click("error/undo");
  CHECK(window.explorer.model.error().empty());
}

TEST_CASE("the default tiles are a way out of tiles of a link") {
  explorer::Headless window("#br=4096&bc=4096&head-dim=256&lang=zh&theme=light", {});
  window.driver.frame();
  keep(window, "error-zh");
  CHECK_FALSE(window.explorer.model.error().empty());
  window.driver.click("error/defaults");
  CHECK(window.explorer.model.error().empty());
}

TEST_CASE("what was wrong with a link is listed until it is dismissed") {
  explorer::Headless window("#seqlen=2048&nonsense=1&gpu=h1000&causal=maybe", {});
  window.driver.frame();
  keep(window, "complaints");
  CHECK(window.explorer.model.complaints().size() == 3);
  window.driver.click("complaints/close");
  CHECK(window.explorer.model.complaints().empty());
  CHECK_FALSE(window.driver.shows("complaints/close"));
}
