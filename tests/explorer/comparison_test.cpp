#include <catch2/catch.hpp>

#include "tests/explorer/pictures.h"

namespace {

constexpr const char* three = "#seqlen=1024&head-dim=64&causal=1&compare=flash1,standard&time=2000";

}  // namespace

TEST_CASE("compared runs stand side by side and go together") {
  explorer::Headless window(three, {});
  keep(window, "compare-three");
  CHECK(window.driver.shows("sync/bytes"));
  CHECK(window.driver.shows("compare/remove@3"));
  window.driver.click("sync/bytes");
  CHECK(window.explorer.model.look.sync == explorer::Sync::bytes);
  window.driver.click("compare/remove@2");
  CHECK(window.explorer.model.subjects() == 2);
  CHECK(window.explorer.model.subject(1).scenario().algorithm == "standard");
  keep(window, "compare-two");
  window.driver.click("compare/end");
  CHECK(window.explorer.model.subjects() == 1);
  CHECK_FALSE(window.driver.shows("compare/end"));
}

TEST_CASE("a run is added to a comparison by choosing its algorithm") {
  explorer::Headless window("#compare=flash1", {});
  window.driver.click("compare/add");
  window.driver.click("compare/add/standard");
  REQUIRE(window.explorer.model.subjects() == 3);
  CHECK(window.explorer.model.subject(2).scenario().algorithm == "standard");
  CHECK(window.explorer.model.link().find("compare=flash1,standard") != std::string::npos);
}

TEST_CASE("compared runs take turns on narrow screens") {
  explorer::Headless window(three, {780, 1688, 2});
  keep(window, "compare-phone");
  CHECK_FALSE(window.driver.shows("compare/remove@3"));
  window.driver.click("pane/3");
  CHECK(window.driver.shows("compare/remove@3"));
}

TEST_CASE("an impossible run of a comparison says why and leaves the others") {
  explorer::Headless window("#dtype=fp32&compare=br:1024+bc:1024,flash1", {});
  keep(window, "compare-impossible");
  CHECK_FALSE(window.explorer.model.subject(1).error.empty());
  CHECK(window.explorer.model.subject(2).error.empty());
}
