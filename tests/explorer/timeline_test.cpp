// The timeline and its transport, as a user meets them.
#include <catch2/catch.hpp>

#include "tests/explorer/pictures.h"
#include "viz/panels/spoken.h"

namespace {

using explorer::Headless;

constexpr std::string_view target = "#seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000";

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
  for (const auto& [name, link] : cases) {
    INFO(name);
    Headless window(link, {});
    CHECK(window.explorer.model.error().empty());
    CHECK(window.explorer.model.complaints().empty());
    while (window.explorer.update(0)) {
    }
    window.driver.settle();
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
    for (const char* more : {"", "&lang=zh&theme=light", "&timeline=grid"}) {
      Headless window(with(more), size);
      while (window.explorer.update(0)) {
      }
      window.driver.settle();
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
