// The plots. With FLASHSCOPE_PICTURES=folder their pictures are written there.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "viz/explorer/headless.h"

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

TEST_CASE("plots picture") {
  for (const std::string theme : {"dark", "light"}) {
    explorer::Headless window("#seqlen=2048&head-dim=128&causal=1&center=plots&theme=" + theme, {});
    finish(window);
    window.driver.hover("plot/at/8192");
    keep(window, "plots-" + theme);
  }
}
