// The top bar: the scenario, and the actions.
#include <catch2/catch.hpp>
#include <set>

#include "tests/explorer/pictures.h"
#include "viz/panels/scenario/option_words.h"

namespace {

const sim::Scenario& scenario(const explorer::Headless& window) {
  return window.explorer.model.world.run().simulation.plan.scenario;
}

}  // namespace

TEST_CASE("every option of the scenario is in the card of options once") {
  std::multiset<std::string_view> names, there;
  for (const auto& group : explorer::option_groups()) {
    for (const sim::ScenarioOption* option : group.options) names.insert(option->name);
  }
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (option.name != "cu-seqlens") there.insert(option.name);  // it sets seqlens, which has the control
  }
  CHECK(names == there);

  explorer::Headless window("#options=1", {1600, 1400});
  keep(window, "options");
  for (const std::string_view name : there) {
    INFO(name);
    const sim::ScenarioOption& option = sim::option_called(name);
    const bool applies = name != "issue" && !option.is(sim::of_pages) && applies_to(option, scenario(window));
    CHECK(window.driver.shows("option/" + std::string(name)) == applies);
  }
}

TEST_CASE("the card makes a batch ragged, shows lengths instead of batch and N, and reverts it") {
  explorer::Headless window("#batch=4&heads=8&seqlen=1024&options=1", {1600, 1400});
  window.driver.click("option/seqlens");
  window.driver.click("option/seqlens/1 1024 1024, 1 512 512, 2 128 128");
  REQUIRE(scenario(window).sequences != nullptr);
  CHECK(scenario(window).sequences->size() == 3);
  CHECK(window.explorer.model.world.error().empty());
  CHECK(window.explorer.model.state.look.center == explorer::Center::batch);
  for (const char* name : {"option/issue", "seqlens"}) CHECK(window.driver.shows(name));
  for (const char* name : {"option/batch", "option/seqlen", "option/padding", "batch", "seqlen"})
    CHECK_FALSE(window.driver.shows(name));
  window.driver.click("option/issue");
  window.driver.click("option/issue/longest");
  CHECK(scenario(window).issue == sim::IssueOrder::longest);
  window.driver.click("option/seqlens");
  window.driver.click("option/seqlens/none");
  CHECK(scenario(window).sequences == nullptr);
  CHECK(window.explorer.model.world.error().empty());
  for (const std::string shown : {"play=run", "compare=flash1", "center=plots"}) {
    explorer::Headless other("#batch=4&heads=8&seqlen=1024&options=1&" + shown, {1600, 1400});
    other.driver.click("option/seqlens");
    other.driver.click("option/seqlens/3 1 777, 1 300 1000");
    other.finish();
    CHECK((other.driver.shows("batch/issue/file") && other.driver.shows("race/lanes")));
  }
}

TEST_CASE("the top bar changes the algorithm, the lengths, the tiles and the mask") {
  explorer::Headless window("", {});
  window.driver.click("algorithm");
  window.driver.click("algorithm/flash1");
  CHECK(scenario(window).algorithm == "flash1");
  window.driver.click("seqlen");
  window.driver.click("seqlen/4096");
  CHECK(scenario(window).shape.seqlen_k == 4096);
  window.driver.click("br");
  window.driver.type("48");
  window.driver.key(ImGuiKey_Enter);
  CHECK(window.explorer.model.world.run().simulation.plan.problem.tiling.br == 48);
  window.driver.click("br");
  window.driver.click("br/auto");
  CHECK_FALSE(window.explorer.model.state.options.contains("br"));
  window.driver.click("causal");
  CHECK(scenario(window).shape.mask.causal);
  window.driver.click("undo");
  CHECK_FALSE(scenario(window).shape.mask.causal);
  window.driver.click("redo");
  CHECK(scenario(window).shape.mask.causal);
}

TEST_CASE("dragging a length is one step of undo") {
  explorer::Headless window("#seqlen=256", {});
  window.driver.wheel("seqlen", 1);
  window.driver.wheel("seqlen", 1);
  window.driver.wheel("seqlen", 1);
  CHECK(scenario(window).shape.seqlen_q == 2048);
  window.driver.click("undo");
  CHECK(scenario(window).shape.seqlen_q == 256);
}

TEST_CASE("the card of options sets options that do not fit in the top bar") {
  explorer::Headless window("", {});
  window.driver.click("options");
  window.driver.frame();
  window.driver.click("option/heads");
  window.driver.type("8");
  window.driver.key(ImGuiKey_Enter);
  window.driver.click("option/pass");
  window.driver.click("option/pass/backward");
  CHECK(scenario(window).shape.heads == 8);
  CHECK(scenario(window).pass == sim::Pass::backward);
  window.driver.click("options/defaults");
  CHECK(window.explorer.model.state.options == sim::filled_card());
  window.driver.click("options/close");
  CHECK_FALSE(window.explorer.model.state.look.options);
}

TEST_CASE("the controls stay inside of their row in windows of every size and in both languages", "[repeats]") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1280, 720, 1}, {960, 600, 1}, {780, 1688, 2}, {3200, 2000, 2}};
  for (const explorer::Size size : sizes) {
    for (const std::string language : {"en", "zh"}) {
      explorer::Headless window(
          "#seqlen-q=100000&seqlen-k=131072&pass=forward%2Bbackward&gpu=a100-sxm-40gb&lang=" + language, size);
      INFO(size.width << " " << language);
      keep(window, sim::text("top-", size.width, "-", language));
      const auto& probes = window.driver.screen.state.probes;
      for (const std::string name : {"algorithm", "options", "share", "theme", "language", "help", "tour"}) {
        if (name == "algorithm" && !probes.contains(name)) continue;  // drawn as segments
        INFO(name);
        REQUIRE(probes.contains(name));
        CHECK(probes.at(name).right() <= static_cast<float>(size.width));
        CHECK(probes.at(name).height >= 20 * size.dpr);
      }
    }
  }
}

TEST_CASE("buttons request files, switch theme and language, and open the help") {
  explorer::Headless window("", {});
  window.driver.click("share");
  window.driver.click("share/json");
  REQUIRE(window.explorer.model.requests.size() == 1);
  CHECK(window.explorer.model.requests[0] == explorer::Request::save_json);
  window.driver.click("theme");
  CHECK(window.explorer.model.state.look.theme == explorer::Theme::light);
  window.driver.click("language");
  CHECK(window.explorer.model.state.look.language == explorer::Language::zh);
  window.driver.click("language");
  CHECK(window.explorer.model.state.look.language == explorer::Language::en);
  window.driver.click("help");
  CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::help);
}

TEST_CASE("options show bytes with a unit, and the exact number while it is typed into") {
  explorer::Headless window("options=1&gpu=a100-sxm-40gb&sram=102400", {1600, 1400});
  const auto has_long_number = [&] {
    window.driver.screen.texts.emplace();
    window.driver.frame();
    return std::any_of(window.driver.screen.texts->begin(), window.driver.screen.texts->end(), [](const auto& text) {
      std::size_t digits = 0, most = 0;
      for (const char c : text.text)
        most = std::max(most, digits = std::isdigit(static_cast<unsigned char>(c)) ? digits + 1 : 0);
      return most > 5;
    });
  };
  CHECK_FALSE(has_long_number());
  window.driver.click("option/sram");
  CHECK(has_long_number());
}
