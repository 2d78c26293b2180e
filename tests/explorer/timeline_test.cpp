// The timeline and its transport controls, as users operate them.
#include <catch2/catch.hpp>

#include "tests/explorer/pictures.h"
#include "viz/panels/description.h"
#include "viz/ui/rich_text.h"

namespace {

using explorer::Headless;

constexpr std::string_view target = "#seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000";

/// Runs until the CTAs are placed on the SMs; the computations of other panels take longer.
void finish(Headless& window) {
  for (int n = 0; n < 8; ++n) window.explorer.update(0);
  window.driver.frame();
}

std::string with(std::string_view more) { return std::string(target) + std::string(more); }

}  // namespace

TEST_CASE("the timeline draws every kind of kernel in both themes and languages") {
  const std::pair<std::string, std::string> cases[] = {
      {"target-dark", with("")},
      {"target-light", with("&theme=light&bookmarks=0:0,0,6,0:20000/0:0,0,6,0:31000")},
      {"target-zh", with("&lang=zh")},
      {"grid", with("&timeline=grid&batch=4&heads=8")},
      {"grid-light", with("&timeline=grid&batch=4&heads=16&theme=light")},
      {"grid-toy", "#gpu=toy&seqlen=512&head-dim=64&br=32&bc=32&causal=1&timeline=grid&time=3000"},
      {"grid-huge", "#algorithm=standard&seqlen=32768&heads=32&kernel=1&timeline=grid"},
      {"flash1", "#algorithm=flash1&seqlen=1024&causal=1&time=40000"},
      {"standard", "#algorithm=standard&seqlen=2048&head-dim=128&causal=1&kernel=0&time=3000"},
      {"softmax", "#algorithm=standard&seqlen=2048&kernel=1&time=500"},
      {"backward", "#pass=backward&seqlen=1024&kernel=1&cta=0,0,0,3&time=20000&causal=1"},
      {"memory-efficient", "#algorithm=memory-efficient&seqlen=1024&time=10000"},
      {"long", "#seqlen=131072&head-dim=64&time=5000000&zoom=-30"},
      {"one-tile", "#seqlen=64&head-dim=64&time=500"},
      {"fp32", "#dtype=fp32&seqlen=1024&time=20000"},
      {"still", with("&still=1&zoom=8&loop=1")}};
  Headless window("", {});
  for (const auto& [name, link] : cases) {
    INFO(name);
    window.explorer.model.follow(link);
    window.driver.frame();
    CHECK(window.explorer.model.world.error().empty());
    CHECK(window.explorer.model.link_errors.empty());
    finish(window);
    CHECK(window.driver.shows("timeline"));
    keep(window, "timeline-" + name);
  }
}

TEST_CASE("the timeline fits into windows of every size") {
  const std::pair<std::string, explorer::Size> sizes[] = {{"hd", {1280, 720, 1}},
                                                          {"tabs", {960, 600, 1}},
                                                          {"phone", {780, 1688, 2}},
                                                          {"small-phone", {320, 568, 1}},
                                                          {"large", {3200, 2000, 2}}};
  for (const auto& [name, size] : sizes) {
    Headless window("", size);
    for (const char* more : {"", "&lang=zh&theme=light", "&timeline=grid"}) {
      window.explorer.model.follow(with(more));
      window.driver.frame();
      finish(window);
      for (const char* widget : {"play", "step", "step-back", "to-start", "to-end", "timeline"}) {
        INFO(name << " " << more << " " << widget);
        const ui::Rect place = window.driver.rect(widget);
        CHECK(place.width > 8);
        CHECK(place.right() <= static_cast<float>(size.width));
        CHECK(place.bottom() <= static_cast<float>(size.height));
      }
      keep(window, "timeline-" + name + (more[0] == '\0' ? "" : more[1] == 'l' ? "-zh" : "-grid"));
    }
  }
}

TEST_CASE("a click on a bar moves to the start of its event, and a drag moves the lanes") {
  Headless window(target, {});
  explorer::Model& model = window.explorer.model;
  const sim::Cycles before = model.world.time();
  window.driver.drag("timeline", 0.5f, 0.4f);
  CHECK(model.world.time() > before);
  window.driver.drag("timeline", 0.4f, 0.5f);
  CHECK(std::abs((model.world.time() - before).count()) < 4096);
  window.driver.click("overview", 0.25f);
  const double part =
      static_cast<double>(model.world.time().count()) / static_cast<double>(model.world.replay().index.end().count());
  CHECK(part == Approx(0.25).margin(0.002));
  int begins = 0;
  const auto& events = model.world.replay().trace.events;
  for (int n = 1; n < 20; ++n) {  // some of these points are on bars of the lane in the middle, others between them
    window.driver.click("timeline", static_cast<float>(n) / 20);
    begins += std::any_of(events.begin(), events.end(), [&](const auto& e) { return e.begin == model.world.time(); });
  }
  CHECK(begins >= 3);
}

TEST_CASE("the wheel zooms the lanes, and zooming out beyond the whole CTA shows the grid") {
  Headless window(target, {});
  explorer::Look& look = window.explorer.model.state.look;
  window.driver.wheel("timeline", 3);
  CHECK(look.zoom == 3);
  for (int n = 0; n < 40 && look.timeline == explorer::TimelineOf::cta; ++n) window.driver.wheel("timeline", -1);
  CHECK(look.timeline == explorer::TimelineOf::grid);
  finish(window);
  window.driver.click("timeline", 0.02f);
  CHECK(window.explorer.model.world.time() == sim::Cycles{});
  window.driver.wheel("timeline", 1);
  CHECK(look.timeline == explorer::TimelineOf::cta);
}

TEST_CASE("the transport plays, loops, marks and chooses the step") {
  Headless window(target, {});
  explorer::Model& model = window.explorer.model;
  window.driver.click("play");
  CHECK(model.playing());
  window.driver.click("loop");
  CHECK(model.state.look.loop);
  window.driver.click("bookmark");
  CHECK(model.at_bookmark());
  window.driver.click("speed/4×");
  CHECK(model.state.speed == 4);
  window.driver.click("to-start");
  CHECK_FALSE(model.playing());
  window.driver.click("next-bookmark");
  CHECK(model.at_bookmark());
  window.driver.click("unit");
  window.driver.click("unit/line");
  CHECK(model.state.look.unit == explorer::Step::line);
}

TEST_CASE("the current moment is described in whole sentences in both languages") {
  const ui::Fonts fonts = ui::make_fonts(1);
  for (const char* language : {"en", "zh"}) {
    Headless window(with(std::string("&lang=") + language), {});
    const explorer::Model& model = window.explorer.model;
    const explorer::Subject& subject = model.world.subject(0);
    const explorer::Description now = explorer::describe(subject);
    const std::string text = explorer::description_text(model.state.look.language, subject);
    INFO(text);
    for (const std::string& part :
         {std::string("FlashAttention-2"), std::string("flash2_forward"), std::string("16.39"),
          std::to_string(subject.replay->trace.events[static_cast<std::size_t>(now.event)].line)})
      CHECK(text.find(part) != std::string::npos);
    const std::string step = explorer::step_sentence(model.state.look.language, subject, now, true);
    CHECK(text.find(ui::plain(step)) != std::string::npos);
    CHECK(ui::missing(fonts, ui::Style::body, ui::plain(step)).empty());
  }
}
