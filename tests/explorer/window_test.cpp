// The window as a whole. With FLASHSCOPE_PICTURES=folder its pictures are written there.
#include <catch2/catch.hpp>

#include "tests/explorer/pictures.h"

namespace {

constexpr std::string_view target = "#seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000";

}  // namespace

TEST_CASE("the window draws the same picture twice, in both themes") {
  for (const std::string theme : {"dark", "light"}) {
    const std::string link = std::string(target) + "&theme=" + theme;
    const explorer::Headless window(link, {}), again(link, {});
    keep(window, "window-" + theme);
    const bool same = window.driver.picture() == again.driver.picture();
    CHECK(same);
  }
}
