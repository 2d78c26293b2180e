// The guided tour: its claims hold, and it can be walked in both languages and every window.
#include "viz/panels/lesson/tour.h"

#include <catch2/catch.hpp>
#include <map>

#include "lessons/catalogue.h"
#include "lessons/scene.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "viz/model/microscope.h"
#include "viz/model/run.h"
#include "viz/words/words.h"

using explorer::Headless;
using explorer::Language;
using ui::Rect;

namespace {

const lessons::WrittenLesson& tour() { return lessons::built_in("00-tour"); }

std::string link_of(const lessons::Step& step) {
  return lessons::link_of(lessons::options_of(tour().lesson, step), step);
}

Rect panel_of(const ui::Layout& layout, std::string_view name) {
  const std::map<std::string_view, Rect> panels = {{"controls", layout.controls}, {"roofline", layout.roofline},
                                                   {"memory", layout.memory},     {"matrix", layout.matrix},
                                                   {"softmax", layout.softmax},   {"timeline", layout.timeline}};
  const auto found = panels.find(name);
  return found == panels.end() ? Rect{} : found->second;
}

}  // namespace

TEST_CASE("the tour has the steps that the explorer shows") {
  CHECK(tour().lesson.steps.size() == static_cast<std::size_t>(explorer::tour_steps));
}

TEST_CASE("links of the tour open the scenarios of their steps") {
  for (const lessons::Step& step : tour().lesson.steps) {
    explorer::Model model(sim::built_in_gpu);
    const std::string link = link_of(step);
    model.follow(link);
    INFO(link);
    CHECK(model.link_errors.empty());
    CHECK(model.world.error().empty());
    explorer::Model again(sim::built_in_gpu);
    again.follow(model.link());
    CHECK(again.link() == model.link());
    CHECK(model.state.options == lessons::options_of(tour().lesson, step));
  }
}

TEST_CASE("the tour can be walked forth and back, and keeps theme and language") {
  Headless window("overlay=tour&theme=light&lang=zh", {});
  const auto& look = window.explorer.model.state.look;
  for (int n = 1; n < explorer::tour_steps; ++n) {
    CHECK(look.tour_step == n);
    keep(window, "tour-" + std::to_string(n));
    window.driver.click("lesson/next");
  }
  CHECK(look.theme == explorer::Theme::light);
  CHECK(look.language == Language::zh);
  CHECK(window.explorer.model.state.options.at("br") == "64");
  window.driver.click("lesson/back");
  CHECK(look.tour_step == explorer::tour_steps - 1);
  window.driver.click("lesson/step/3");
  CHECK(window.explorer.model.world.replay().kernel == 1);
  window.driver.click("lesson/close");
  CHECK(look.overlay == explorer::Overlay::none);
  CHECK_FALSE(window.driver.shows("lesson/next"));
}

TEST_CASE("the tour is walked with keys") {
  Headless window("overlay=tour", {});
  explorer::Model& model = window.explorer.model;
  window.driver.key(ImGuiKey_RightArrow);
  CHECK(model.state.look.tour_step == 2);
  window.driver.key(ImGuiKey_LeftArrow);
  CHECK(model.state.look.tour_step == 1);
  window.driver.key(ImGuiKey_LeftArrow);  // it is the first step
  CHECK(model.state.look.tour_step == 1);
  window.driver.key(ImGuiKey_PageDown);
  CHECK(model.state.look.tour_step == 2);
  const auto time = model.world.time();
  const bool playing = model.playing();
  window.driver.key(ImGuiKey_Space);
  CHECK(model.playing() != playing);
  CHECK(model.world.time() == time);
  for (const char* letter : {"c", "r", "/", "l", "p", "n"}) window.driver.type(letter);  // 6 and e begin an answer
  CHECK(model.world.subjects() == 1);
  CHECK(model.state.look.overlay == explorer::Overlay::tour);
  CHECK(model.state.look.center == explorer::Center::wall);  // the view of the step
  CHECK(model.state.look.lesson.empty());
  CHECK(model.state.look.play == explorer::Play::cta);
  window.driver.type("t");
  CHECK(model.state.look.theme == explorer::Theme::light);
  window.driver.key(ImGuiKey_Escape);
  CHECK(model.state.look.overlay == explorer::Overlay::none);
  window.driver.key(ImGuiKey_RightArrow);  // the explorer handles the key again
  CHECK(model.state.look.tour_step == 2);
}

TEST_CASE("the last step of the tour ends it") {
  Headless window("overlay=tour&tour-step=" + std::to_string(explorer::tour_steps), {});
  window.driver.click("lesson/next");
  CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::none);
}

TEST_CASE("a link that names a step of the tour opens the run of that step, and all else that it names") {
  for (int n = 1; n <= explorer::tour_steps; ++n) {
    const std::string link = "overlay=tour&tour-step=" + std::to_string(n);
    INFO(link);
    const Headless window(link + "&lang=zh&still=1&tab=memory&unit=line", {});
    const explorer::Model& model = window.explorer.model;
    const lessons::Step& step = tour().lesson.steps[static_cast<std::size_t>(n) - 1];
    CHECK(model.state.options == lessons::options_of(tour().lesson, step));
    CHECK_FALSE(window.driver.shows("lesson/restore"));
    CHECK(model.state.look.tour_step == n);
    CHECK(model.state.look.language == Language::zh);
    CHECK(model.state.look.still);
    CHECK((model.state.look.tab == explorer::Tab::memory && model.state.look.unit == explorer::Step::line));
    const Headless again(model.link(), {});  // a copied link has all of them
    CHECK(again.explorer.model.link() == model.link());
    CHECK_FALSE(again.driver.shows("lesson/restore"));
  }
}

TEST_CASE("a link that names a step of the tour and a scenario opens on that scenario") {
  const Headless window("seqlen=512&overlay=tour&tour-step=6", {});
  CHECK(window.explorer.model.link() == "batch=1&heads=1&seqlen=512&overlay=tour&tour-step=6");
  CHECK(window.driver.shows("lesson/restore"));
}

TEST_CASE("a scenario that was changed during the tour can be restored") {
  Headless window("overlay=tour", {});
  CHECK_FALSE(window.driver.shows("lesson/restore"));
  window.explorer.model.set_option("batch", "1");
  window.driver.frame();
  keep(window, "tour-changed");
  window.driver.click("lesson/restore");
  CHECK(window.explorer.model.state.options.at("batch") == "4");
  CHECK_FALSE(window.driver.shows("lesson/restore"));
}

TEST_CASE("a click on the card of the tour does not reach the widgets below it") {
  Headless window("overlay=tour&tour-step=2", {});  // the card covers part of the matrix
  const std::string before = window.explorer.model.link();
  const Rect text = window.driver.rect("lesson/step/1");
  window.driver.screen.input.push(platform::PointerMoved{text.x, text.y - 60});
  window.driver.screen.input.push(platform::ButtonChanged{ImGuiMouseButton_Left, true});
  window.driver.screen.input.push(platform::ButtonChanged{ImGuiMouseButton_Left, false});
  window.driver.settle();
  CHECK(window.explorer.model.link() == before);
}

TEST_CASE("the softmax step of the tour shows one row after its rescaling, with its sums visible") {
  for (const explorer::Size size : {explorer::Size{1600, 1000, 1}, {1440, 900, 1}}) {
    Headless window("overlay=tour&tour-step=6", size);
    finish(window);
    explorer::Model& model = window.explorer.model;
    REQUIRE(model.state.look.center == explorer::Center::microscope);
    const explorer::ShownRow row = explorer::shown_row(model);
    CHECK(row.tiles()[row.moment.tile].alpha < 0.5f);
    CHECK(row.moment.is(explorer::RowStage::sum));
    window.driver.frame();
    const auto [begin, end] = window.driver.screen.state.places.equal_range("kept");
    REQUIRE(begin != end);
    const Rect next = window.driver.rect("lesson/next");  // a corner of the card
    CHECK(common(begin->second, next).empty());
    CHECK(next.x > begin->second.right());
  }
}

TEST_CASE("the card of the tour is next to the panel it points at, and over a part of it on phones") {
  const auto height = [](float width) { return 90000 / width; };
  for (const explorer::Size size : {explorer::Size{1600, 1000, 1}, {1280, 720, 1}, {960, 600, 1}, {390, 844, 1}}) {
    const auto width = static_cast<float>(size.width), tall = static_cast<float>(size.height);
    for (const ui::Tab tab : {ui::Tab::matrix, ui::Tab::counters}) {
      const ui::Layout layout = ui::make_layout(width, tall, 1, tab);
      for (const lessons::Step& step : tour().lesson.steps) {
        const Rect target = panel_of(layout, step.point);  // empty for views that fill the window
        const Rect card = explorer::place_of_tour(target, layout.window.inset(8), 420, 12, height);
        const float over = layout.tabbed ? tall / 2 : 0;  // a sheet shows at least half of its text
        const Rect both = common(card, target);
        CHECK((both.empty() || both.height <= over));
        CHECK(card.x >= 8);
        CHECK(card.y >= 8);
        CHECK(card.right() <= width - 8);
        CHECK(card.bottom() <= tall - 8);
      }
    }
  }
}

TEST_CASE("the tour fits every window", "[repeats]") {
  struct Case {
    explorer::Size size;
    std::string look;
  };
  for (const Case& c : {Case{{390, 844, 1}, "lang=zh"}, {{960, 600, 1}, "theme=light"}, {{1600, 1000, 1}, ""}}) {
    Headless window("overlay=tour&still=1&" + c.look, c.size);
    for (int n = 1; n <= explorer::tour_steps; ++n) {
      keep(window, sim::text("tour-", c.size.width, "-", n));
      REQUIRE(window.driver.shows("lesson/next"));
      window.driver.type("s");
      window.driver.screen.texts.emplace();
      window.driver.frame();
      for (const std::string& fault : layout::faults_of(window))
        FAIL_CHECK(c.size.width << ", step " << n << ": " << fault);
      keep(window, sim::text("tour-", c.size.width, "-", n, "-told"));
      window.driver.click("lesson/next");
    }
    CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::none);
  }
}
