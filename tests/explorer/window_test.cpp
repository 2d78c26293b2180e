// The window as a whole. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include <catch2/catch.hpp>

#include "tests/explorer/pictures.h"
#include "viz/explorer/saved_picture.h"
#include "viz/model/center_view.h"

namespace {

constexpr std::string_view target = "#seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000";

}  // namespace

TEST_CASE("the window draws the same picture twice, in both themes", "[repeats]") {
  for (const std::string theme : {"dark", "light"}) {
    const std::string link = std::string(target) + "&theme=" + theme;
    const explorer::Headless window(link, {}), again(link, {});
    keep(window, "window-" + theme);
    const bool same = window.driver.picture() == again.driver.picture();
    CHECK(same);
  }
}

TEST_CASE("the preview of a long CTA is drawn in every view, and the whole replaces it", "[repeats]") {
  explorer::Headless window("#algorithm=flash1", {});
  for (const explorer::CenterView& view : explorer::center_views) {
    const std::string center(view.name);
    explorer::Model& model = window.explorer.model;
    REQUIRE(explorer::look_field("center").set(model.state.look, center));
    model.set_option("seqlen", model.world.run().simulation.plan.problem.shape.seqlen_q == 8192 ? "4096" : "8192");
    REQUIRE(model.world.previewing());
    window.driver.frame();
    if (center == "matrix") keep(window, "window-preview");
    window.finish();
    const bool needs_no_cta = center == "wall" || center == "batch" || center == "gpus";
    CHECK(model.world.previewing() == needs_no_cta);
  }
}

TEST_CASE("a saved picture has at least two pixels for each of the design, and not the menu that asked for it") {
  explorer::Headless window("#seqlen=1024&center=plots", {960, 600});
  window.driver.click("share");
  CHECK(window.driver.shows("share/png"));
  const platform::Picture saved = explorer::saved_picture(window.explorer, {960, 600}, window.driver.screen.state);
  explorer::Headless large("#seqlen=1024&center=plots", {1920, 1200, 2});
  large.finish();
  const bool same = saved == large.driver.picture();
  CHECK(same);
  window.driver.frame();
  CHECK(window.driver.shows("share/png"));
}
