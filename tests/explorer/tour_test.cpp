// The guided tour: what it says holds, and it can be walked in both languages and every window.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "viz/explorer/headless.h"
#include "viz/tour/page.h"

namespace {

void keep(const explorer::Headless& window, const std::string& name) {
  if (const char* folder = std::getenv("FLASHSCOPE_PICTURES")) {
    std::filesystem::create_directories(folder);
    window.driver.screenshot(std::filesystem::path(folder) / (name + ".png"));
  }
}

}  // namespace

TEST_CASE("the tour can be walked from the first step to the last") {
  explorer::Headless window("overlay=tour", {});
  for (int n = 1; n <= explorer::tour_steps; ++n) {
    CHECK(window.explorer.model.look.tour_step == n);
    keep(window, "tour-" + std::to_string(n));
    window.driver.click("tour/next");
  }
  CHECK(window.explorer.model.look.overlay.empty());
}

TEST_CASE("the tour fits every window") {
  struct Case {
    explorer::Size size;
    std::string look;
  };
  for (const Case& c : {Case{{390, 844, 1}, "lang=zh"},
                        {{960, 600, 1}, "theme=light"},
                        {{1280, 720, 1}, "lang=zh&theme=light"},
                        {{780, 1688, 2}, "theme=light"}}) {
    explorer::Headless window("overlay=tour&" + c.look, c.size);
    for (int n = 1; n <= explorer::tour_steps; ++n) {
      keep(window, "tour-" + std::to_string(c.size.width) + "-" + std::to_string(n));
      window.driver.click("tour/next");
    }
  }
}
