// The whole window in many sizes, looks and scenarios: nothing overlaps or leaves the window, and the fonts have every
// character.
#include <algorithm>
#include <catch2/catch.hpp>

#include "lessons/catalogue.h"
#include "lessons/scene.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "viz/model/center_view.h"

namespace {

using explorer::Headless;
using ui::Rect;

struct WindowSize {
  explorer::Size size;
  std::string name;
};

const std::vector<WindowSize> sizes = {{{1600, 1000, 1}, "1600x1000"}, {{1280, 720, 1}, "1280x720"},
                                       {{960, 600, 1}, "960x600"},     {{3840, 2160, 2}, "3840x2160"},
                                       {{1170, 2532, 3}, "phone"},     {{2532, 1170, 3}, "phone that lies"}};

/// Reports all faults of a view in one message.
void check(const std::string& link, const WindowSize& size) {
  Headless window(link, size.size);
  window.driver.screen.texts.emplace();
  finish(window);
  const std::string faults = layout::text_of_faults(window);
  INFO(size.name << " #" << link << faults);
  CHECK(window.driver.screen.texts->size() > 10);
  CHECK(faults.empty());
}

}  // namespace

TEST_CASE("nothing overlaps in windows of any size", "[repeats]") {
  const std::string target = "batch=4&heads=32&seqlen=2048&head-dim=64&causal=1&cta=0,0,6,0&time=9000";
  for (const WindowSize& size : sizes) {
    check(target, size);
    check(target + "&theme=light&lang=zh", size);
  }
}

TEST_CASE("nothing overlaps in any tab of a narrow window", "[repeats]") {
  for (const std::string tab : {"matrix", "memory", "code", "softmax", "counters"}) {
    check("seqlen=2048&cta=0,0,6,0&time=9000&tab=" + tab, sizes[2]);
    check("seqlen=2048&cta=0,0,6,0&time=9000&lang=zh&tab=" + tab, sizes[4]);
    check("seqlen=2048&cta=0,0,6,0&time=9000&tab=" + tab, sizes[5]);
  }
}

TEST_CASE("nothing overlaps in any view of the middle", "[repeats]") {
  for (const explorer::CenterView& view : explorer::center_views) {
    const std::string center(view.name);
    for (const std::size_t n : {0u, 1u, 4u, 5u}) check("seqlen=2048&time=9000&center=" + center, sizes[n]);
    check("lesson=06&center=" + center, sizes[0]);
  }
}

TEST_CASE("nothing overlaps with any algorithm") {
  for (const std::string algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    for (const std::string pass : {"forward", "backward", "forward+backward"}) {
      const std::string link = "algorithm=" + algorithm + "&pass=" + pass + "&seqlen=512&causal=1&time=4000";
      check(link, sizes[0]);
      if (pass == "backward") check(link + "&lang=zh", sizes[1]);
    }
  }
}

TEST_CASE("nothing overlaps in odd scenarios", "[repeats]") {
  for (const std::string link :
       {"seqlen=1", "seqlen=131072&heads=32&batch=8&time=50000", "gpu=toy&seqlen=64&head-dim=16&dtype=fp32",
        "seqlen=1000&br=64&bc=128&window=300&padding=37", "heads=32&kv-heads=4&seqlen=4096&pass=backward",
        "seqlen-q=1&seqlen-k=8192", "algorithm=flash1&tiling=paper&seqlen=2048", "dropout=0.1&seqlen=2048&dtype=bf16",
        "algorithm=standard&kernel=1&seqlen=2048&dropout=0.1&causal=1", "br=99999"}) {
    check(link, sizes[1]);
    check(link + std::string("&lang=zh&tab=memory"), sizes[2]);
  }
}

TEST_CASE("nothing overlaps while runs race", "[repeats]") {
  const std::string race = "batch=4&heads=32&seqlen=2048&play=run&run-time=1000";
  for (const WindowSize& size : sizes) {
    check(race + "&algorithm=standard&compare=flash1,flash2", size);
    check(race + "&lang=zh&algorithm=flash1&compare=standard,flash2,flash2+br:64", size);
    check(race + "&algorithm=flash2", size);
  }
}

TEST_CASE("nothing overlaps while runs are compared in low and narrow windows") {
  for (const auto& [width, height] : {std::pair{800, 480},
                                      {1600, 500},
                                      {320, 480},
                                      {320, 560},
                                      {400, 480},
                                      {480, 480},
                                      {560, 480},
                                      {640, 599},
                                      {640, 320},
                                      {844, 390}}) {
    const WindowSize size{{width, height, 1}, sim::text(width, "x", height)};
    for (const std::string tab : {"matrix", "memory", "code"})
      check("seqlen=512&compare=flash2&time=3000&tab=" + tab, size);
    check("seqlen=512&compare=flash1,standard&pane=2&lang=zh", size);
  }
}

TEST_CASE("nothing overlaps in any step of the tour") {
  const lessons::Lesson& tour = lessons::built_in("00-tour").lesson;
  for (int n = 1; n <= explorer::tour_steps; ++n) {
    const lessons::Step& step = tour.steps[static_cast<std::size_t>(n - 1)];
    const std::string link = lessons::link_of(lessons::options_of(tour, step), step);
    check(sim::text(link, "&overlay=tour&tour-step=", n), n % 2 == 0 ? sizes[1] : sizes[4]);
  }
}

TEST_CASE("the layout check detects overlaps and widgets that leave the window") {
  Headless window("seqlen=512", {});
  window.driver.screen.texts.emplace();
  window.driver.frame();
  const Rect screen{0, 0, 1600, 1000};
  REQUIRE(layout::text_faults(window, screen).empty());
  REQUIRE(layout::probe_faults(window, screen).empty());
  ui::DrawnText moved = window.driver.screen.texts->front();
  moved.text += "!";
  moved.box = moved.box.moved(3, 2);
  window.driver.screen.texts->push_back(moved);
  CHECK(layout::text_faults(window, screen).size() == 1);
  moved.box = {1590, 400, 40, 20};
  moved.clip = screen;
  window.driver.screen.texts->back() = moved;
  CHECK(layout::text_faults(window, screen).size() == 1);
  window.driver.screen.state.probes["over"] = window.driver.screen.state.probes.begin()->second;
  CHECK_FALSE(layout::probe_faults(window, screen).empty());
}

TEST_CASE("the microscope's line of a new maximum does not cross the number of the old one") {
  Headless window("seqlen=200&heads=4&keys=down&bc=64&row=190&center=microscope&time=9e9", {});
  finish(window);
  window.driver.screen.texts.emplace();
  window.driver.frame();
  const auto box = [&](std::string_view begin) {
    const auto& texts = *window.driver.screen.texts;
    const auto found =
        std::find_if(texts.begin(), texts.end(), [&](const auto& t) { return t.text.starts_with(begin); });
    REQUIRE(found != texts.end());
    return found->box;
  };
  const float line = box("m′ = ").bottom();  // its number is above
  const Rect old = box("m = ");
  CHECK((old.bottom() <= line + 1 || old.y >= line));
}
