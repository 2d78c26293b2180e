// Windows for devices without predicted times or without a model of their caches: every view names the missing data,
// and none shows a number that is unknown.
#include <catch2/catch.hpp>

#include "tests/explorer/finish.h"
#include "viz/model/center_view.h"
#include "viz/model/explained.h"
#include "viz/words/words.h"

namespace {

using explorer::Headless;

const std::vector<std::string> devices = {"v100-sxm2-16gb", "mi300x"};

bool says(const std::vector<std::string>& texts, std::string_view words) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

void check_numbers(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    INFO(text);
    CHECK((text.find("nan") == std::string::npos || text.find("nanose") != std::string::npos));
    CHECK(text.find("0.0 µs") != 0);
    CHECK(text.find(" inf") == std::string::npos);
  }
}

TEST_CASE("no view of a device without predicted times shows a number for them", "[repeats]") {
  for (const std::string& gpu : devices) {
    for (const explorer::CenterView& view : explorer::center_views) {
      for (const std::string more : {"", "&timeline=grid&compare=standard", "&pass=forward%2Bbackward&tab=counters"}) {
        const std::string link = sim::text("seqlen=1024&heads=4&time=9000&gpu=", gpu, "&center=", view.name, more);
        INFO(link);
        Headless window(link, {1600, 1000, 1});
        check_numbers(drawn_texts(window));
      }
    }
    for (const std::string race : {"&compare=standard&play=run&run-time=30", "&play=run"}) {
      INFO(gpu << race);
      Headless window(sim::text("seqlen=1024&gpu=", gpu, race), {1440, 900, 1});
      const std::vector<std::string> texts = drawn_texts(window);
      check_numbers(texts);
      CHECK(says(texts, "No time is predicted"));
    }
  }
}

TEST_CASE("timeline and engineer's lens name the fields that a device's time lacks") {
  for (const std::string center : {"matrix", "engineer"}) {
    Headless window("seqlen=1024&gpu=v100-sxm2-16gb&center=" + center, {1600, 1000, 1});
    INFO(center);
    const std::vector<std::string> texts = drawn_texts(window);
    CHECK(says(texts, "hbm_latency_cycles"));
  }
}

TEST_CASE("a device without predicted times can be played, stepped and explored like any other", "[repeats]") {
  for (const std::string& gpu : devices) {
    Headless window("seqlen=512&gpu=" + gpu, {1440, 900, 1});
    finish(window);
    explorer::Model& model = window.explorer.model;
    model.play(true);
    for (int frame = 0; frame < 20; ++frame) window.driver.frame();
    model.step(explorer::Step::event, 1);
    for (const std::string& path : explorer::explained_paths(model.world.run())) {
      model.state.look.selection = path;
      window.driver.frame();
    }
    std::vector<std::string> names;
    for (const auto& [name, rect] : window.driver.screen.state.probes) names.push_back(name);
    for (const std::string& name : names) {
      if (window.driver.shows(name)) window.driver.hover(name, 0.5f);
    }
    check_numbers(drawn_texts(window));
  }
}

}  // namespace
