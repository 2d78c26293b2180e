// Steps of the tour: a question, a clip, a slider, and words that highlight what they name.
#include <algorithm>
#include <catch2/catch.hpp>

#include "lessons/catalogue.h"
#include "lessons/scene.h"
#include "sim/base/text.h"
#include "tests/explorer/pictures.h"
#include "viz/model/lesson/lesson.h"

using explorer::Headless;

namespace {

const lessons::WrittenLesson& tour() { return lessons::built_in("00-tour"); }

}  // namespace

TEST_CASE("Enter answers a question, reveals the text and advances") {
  Headless window("overlay=tour", {});
  explorer::Model& model = window.explorer.model;
  const auto says = [&](std::string_view words) {
    window.driver.screen.texts.emplace();
    window.driver.frame();
    const auto& texts = *window.driver.screen.texts;
    return std::any_of(texts.begin(), texts.end(), [&](const auto& t) { return t.text.find(words) != words.npos; });
  };
  REQUIRE(window.driver.shows("lesson/check/size"));
  CHECK_FALSE(window.driver.shows("lesson/told/1/1"));
  window.driver.type("3");
  window.driver.key(ImGuiKey_Enter);
  CHECK(says("Right."));
  CHECK(window.driver.shows("lesson/told/1/1"));
  CHECK(model.state.look.tour_step == 1);
  keep(window, "tour-answered");
  window.driver.key(ImGuiKey_Enter);
  CHECK(model.state.look.tour_step == 2);
  window.driver.key(ImGuiKey_Enter);  // without an answer it asks first
  CHECK(says("Press Enter again"));
  CHECK_FALSE(says("Shown."));
  window.driver.key(ImGuiKey_Enter);
  CHECK(says("Shown."));
  CHECK(model.state.look.tour_step == 2);
  window.driver.key(ImGuiKey_Enter);
  CHECK(model.state.look.tour_step == 3);
  window.driver.key(ImGuiKey_LeftArrow);
  CHECK(says("Shown."));  // from the notebook
  window.driver.click("lesson/step/3");
  window.driver.click("lesson/answer/often");
  window.driver.type("4");
  window.driver.key(ImGuiKey_Enter);  // handled by the field
  CHECK(says("Right."));
  CHECK(model.state.look.tour_step == 3);
}

TEST_CASE("most steps of the tour ask before they tell, in both languages") {
  std::size_t asking = 0, told = 0;
  for (const lessons::Step& step : tour().lesson.steps) {
    asking += step.questions.empty() ? 0 : 1;
    told += tour().en.page(step.name).told.empty() ? 0 : 1;
    CHECK(tour().en.page(step.name).told.size() == tour().zh.page(step.name).told.size());
  }
  CHECK(asking == tour().lesson.steps.size());
  CHECK(told == asking);
}

TEST_CASE("each step of the tour plays its clip once, up to the moment that it shows") {
  for (int n = 1; n <= explorer::tour_steps; ++n) {
    INFO("step " << n);
    Headless window("overlay=tour&tour-step=" + std::to_string(n), {});
    explorer::Model& model = window.explorer.model;
    const auto& from = tour().lesson.steps[static_cast<std::size_t>(n) - 1].from;
    const bool races = model.state.plays_run();
    const auto now = [&] {
      return races ? model.state.look.run_time : static_cast<double>(model.world.time().count());
    };
    const double moment = now();
    CHECK(model.playing() == from.has_value());
    if (!from) continue;
    for (int round = 0; round < 2; ++round) {
      model.tick(0.01);
      CHECK(now() < moment);
      int ticks = 0;
      while (model.playing() && ++ticks < 200) model.tick(0.1);
      CHECK(ticks < 120);  // seconds / 10
      CHECK(now() == moment);
      window.driver.key(ImGuiKey_Space);
      CHECK(model.playing());
    }
  }
  const Headless still("overlay=tour&tour-step=5&still=1", {});
  CHECK_FALSE(still.explorer.model.playing());
}

TEST_CASE("the text of the tour follows the option dragged in a step") {
  for (int n = 1; n <= explorer::tour_steps; ++n) {
    const lessons::Step& step = tour().lesson.steps[static_cast<std::size_t>(n) - 1];
    if (step.drag.empty()) continue;
    INFO("step " << step.name);
    Headless window("overlay=tour&tour-step=" + std::to_string(n), {1600, 1200, 1});
    explorer::Model& model = window.explorer.model;
    const std::string& option = step.drag.front().name;
    CHECK_FALSE(window.driver.shows("lesson/drag/" + option));  // it would reveal the answer
    window.driver.type("s");
    const std::string before = explorer::following_page(model).told.front().text;
    window.driver.click("lesson/drag/" + option, 0.999f);
    CHECK_FALSE(window.driver.shows("lesson/restore"));
    const std::vector<std::string_view> stops = sim::split(step.drag.front().scenario, ",");
    CHECK(model.state.options.at(option) == sim::trimmed(stops.back()));
    const lessons::Scene there(tour().lesson, step, sim::built_in_gpu, {{option, model.state.options.at(option)}});
    const lessons::Page page = lessons::filled(tour().en.page(step.name), there.facts());
    CHECK(explorer::following_page(model).told.front().text == page.told.front().text);
    CHECK(page.told.front().text != before);
    model.set_option("head-dim", "128");  // beyond the range of the slider
    window.driver.frame();
    CHECK(window.driver.shows("lesson/restore"));
    CHECK(explorer::following_page(model).told.front().text == before);
  }
}

TEST_CASE("words of the tour highlight what they name") {
  Headless window("overlay=tour&tour-step=5", {});
  const ui::Reading& reading = window.driver.screen.state.reading;
  CHECK(reading.lit == "tile");
  window.driver.type("s");
  window.driver.hover("lesson/told/1/1");
  window.driver.frame();
  CHECK(reading.lit == "level:shared");
  REQUIRE(reading.lit_places.size() == 1);
  CHECK(common(reading.lit_places[0], ui::make_layout(1600, 1000, 1).memory).width > 100);
  window.driver.hover("tour");                                                          // off the words
  for (const char* place : {"level:shared", "level:hbm", "level:registers", "tile"}) {  // the first follows the last
    window.driver.key(ImGuiKey_DownArrow);
    window.driver.frame();
    CHECK(reading.lit == place);
  }
  window.driver.key(ImGuiKey_UpArrow);
  window.driver.frame();
  CHECK(reading.lit == "level:registers");
}
