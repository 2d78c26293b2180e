// The verification panel. With FLASHSCOPE_PICTURES=folder its pictures are written there.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "viz/explorer/headless.h"
#include "viz/explorer/native_verifier.h"

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

TEST_CASE("verification picture") {
  for (const std::string theme : {"dark", "light"}) {
    explorer::Headless window("#seqlen=512&head-dim=128&causal=1&center=verification&theme=" + theme, {});
    if (theme == "dark") window.explorer.model.verifier = explorer::make_native_verifier(2);
    finish(window);
    keep(window, "verify-" + theme);
    if (theme == "light") continue;
    window.driver.frame();
    finish(window);
    window.driver.click("verify");
    finish(window);
    keep(window, "verified-" + theme);
  }
}
