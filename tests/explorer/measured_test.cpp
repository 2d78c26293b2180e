// A measured time in the explorer: its key in a link, its field, and the text shared with the command line.
#include <catch2/catch.hpp>

#include "sim/report/reached.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/model/measured_times.h"
#include "viz/words/words.h"

namespace {

using explorer::Headless;
using explorer::Look;

const std::string lens = "batch=2&heads=32&seqlen=8192&head-dim=128&center=engineer";

/// Checks that the card shows for a run what sim/model/measured.h returns, which the command line also prints.
void check_card(const Headless& window, std::size_t run, double us) {
  const sim::Measured measured = sim::explain_measured(window.explorer.model.world.subject(run).simulation(), us);
  const std::string which = run == 0 ? "" : sim::text("@", run + 1);
  for (const sim::ReachedBound& bound : measured.bounds) {
    CHECK(shown(window, "measured/" + bound.name + which) ==
          report::rate(bound, bound.per_second) + ", " + report::share(bound, measured.impossible));
  }
  REQUIRE_FALSE(measured.says.empty());
  for (std::size_t n = 0; n < measured.says.size(); ++n)
    CHECK(shown(window, sim::text("measured/says/", n, which)) ==
          words::translate(window.explorer.model.state.look.language, measured.says[n]));
}

bool has_chinese(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '\xE4' && c <= '\xE9'; });
}

}  // namespace

TEST_CASE("a measured time in a link shows its share of each bound and its exclusions, as the command line does") {
  Headless window(lens + "&measured=2.6ms", {});
  CHECK(shown(window, "measured/tensor") == "845.8 TFLOP/s, 85.5 %");
  CHECK_THAT(shown(window, "measured/says/0"), Catch::StartsWith("mma.sync is excluded"));
  check_card(window, 0, 2600);
  CHECK_THAT(window.explorer.model.link(), Catch::Contains("measured=2.6ms"));
  keep(window, "measured");
}

TEST_CASE("a time below the bounds of the problem is impossible in the explorer too") {
  Headless window(lens + "&measured=1us&theme=light", {});
  CHECK_THAT(shown(window, "measured/says/0"), Catch::StartsWith("impossible on this card"));
  check_card(window, 0, 1);
  keep(window, "measured-impossible");
}

TEST_CASE("a typed time needs a unit, an incomplete one changes nothing, and an empty field removes it") {
  Headless window(lens, {});
  Look& look = window.explorer.model.state.look;
  CHECK(shown(window, "measured/tensor") == "");
  window.driver.click("measured");
  window.driver.type("2.6");
  CHECK(look.measured == "");
  keep(window, "measured-typing");
  window.driver.type("ms");
  CHECK(look.measured == "2.6ms");
  check_card(window, 0, 2600);
  window.driver.key(ImGuiKey_Enter);
  CHECK_THAT(window.explorer.model.link(), Catch::Contains("measured=2.6ms"));
  window.driver.click("measured");
  window.driver.key(ImGuiKey_Backspace);
  CHECK(look.measured == "");
  CHECK(shown(window, "measured/tensor") == "");
}

TEST_CASE("the field and the meaning of a time are in a card on a phone") {
  for (const std::string lang : {"en", "zh"}) {
    Headless window(lens + "&measured=3ms&lang=" + lang, {390, 844, 1});
    check_card(window, 0, 3000);
    CHECK(window.driver.screen.state.probes.contains("measured"));
    CHECK(has_chinese(shown(window, "measured/says/0")) == (lang == "zh"));
    keep(window, "measured-phone-" + lang);
  }
}

TEST_CASE("compared runs have a time each, in their order") {
  Headless window("heads=16&seqlen=4096&center=engineer&compare=flash1&measured=1ms,2ms", {1600, 1000, 1});
  REQUIRE(window.explorer.model.world.subjects() > 1);
  CHECK(shown(window, "measured/tensor") != shown(window, "measured/tensor@2"));
  Look look;
  CHECK(explorer::set_measured(look, 2, "4ms"));
  CHECK(look.measured == "-,-,4ms");
  CHECK(explorer::set_measured(look, 0, "10us"));
  CHECK(look.measured == "10us,-,4ms");
  CHECK(explorer::measured_microseconds(look, 2) == 4000);
  CHECK_FALSE(explorer::measured_microseconds(look, 1));
  CHECK_FALSE(explorer::measured_microseconds(look, 3));
  CHECK(explorer::set_measured(look, 2, ""));
  CHECK(look.measured == "10us");
  CHECK(explorer::set_measured(look, 0, ""));
  CHECK(look.measured == "");
}

TEST_CASE("a link with invalid measured times opens without them and reports it") {
  for (const std::string wrong : {"2.6", "0ms", "-1ms", "2.6ms,", "1ms,1ms,1ms,1ms,1ms", "ms", "1e999s"}) {
    INFO(wrong);
    Headless window(lens + "&measured=" + wrong, {});
    CHECK(window.explorer.model.state.look.measured == "");
    CHECK(window.explorer.model.link_errors.size() == 1);
  }
}
