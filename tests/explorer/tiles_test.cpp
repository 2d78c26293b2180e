// The tile picker. With FLASHSCOPE_PICTURES=folder its pictures are written there.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "viz/explorer/headless.h"
#include "viz/model/tile_plane.h"

namespace {

void keep(const explorer::Headless& window, const std::string& name) {
  if (const char* folder = std::getenv("FLASHSCOPE_PICTURES")) {
    std::filesystem::create_directories(folder);
    window.driver.screenshot(std::filesystem::path(folder) / (name + ".png"));
  }
}

void finish(explorer::Headless& window) {
  while (window.explorer.update(0)) {
  }
  window.driver.settle();
}

}  // namespace

TEST_CASE("tiles picture") {
  for (const std::string theme : {"dark", "light"}) {
    explorer::Headless window("#seqlen=2048&head-dim=128&causal=1&center=tiles&theme=" + theme, {});
    finish(window);
    keep(window, "tiles-" + theme);
  }
}
