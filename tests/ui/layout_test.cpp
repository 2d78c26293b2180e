#include "viz/ui/layout.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "sim/base/check.h"

using namespace ui;

namespace {

struct Place {
  std::string name;
  Rect rect;
  float least_width, least_height;  ///< CSS pixels of the design, if shown
};

std::vector<Place> places(const Layout& l) {
  std::vector<Place> result{{"title", l.title, is_for_fingers(l.window.width, l.scale) ? 40.f : 140.f, 40},
                            {"controls", l.controls, 350, 40},
                            {"actions", l.actions, 260, 40},
                            {"tab_bar", l.tab_bar, 350, 32},
                            {"roofline", l.roofline, 170, 80},
                            {"memory", l.memory, 280, 280},
                            {"matrix", l.matrix, 350, 280},
                            {"code", l.code, 350, 160},
                            {"softmax", l.softmax, 350, 100},
                            {"timeline", l.timeline, 350, 200}};
  for (std::size_t i = 0; i < l.counters.size(); ++i) {
    result.push_back({"counter " + std::to_string(i), l.counters[i], 150, 80});
  }
  return result;
}

void check_places(const Layout& layout) {
  const std::vector<Place> all = places(layout);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Rect r = all[i].rect;
    if (r.empty()) continue;
    INFO(all[i].name << " at " << r.x << ", " << r.y << ": " << r.width << " x " << r.height);
    CHECK((r.x >= 0 && r.y >= 0 && r.right() <= layout.window.width && r.bottom() <= layout.window.height));
    CHECK(r.width >= std::floor(all[i].least_width * layout.scale));
    CHECK(r.height >= std::floor(all[i].least_height * layout.scale));
    CHECK((r.x == std::floor(r.x) && r.y == std::floor(r.y) && r.width == std::floor(r.width)));
    for (std::size_t j = 0; j < i; ++j) {
      INFO("and " << all[j].name);
      CHECK(common(r, all[j].rect).empty());
    }
  }
}

int shown(const Layout& layout) {
  int count = 0;
  for (const Place& place : places(layout)) count += !place.rect.empty();
  return count;
}

struct Window {
  float width, height, dpr;
};

}  // namespace

TEST_CASE("nothing overlaps, nothing leaves the window and everything has its minimum size") {
  for (const Window w : {Window{960, 600, 1},
                         {1024, 768, 1},
                         {1199, 700, 1},
                         {1200, 720, 1},
                         {1280, 720, 1},
                         {1366, 768, 1},
                         {1440, 900, 1},
                         {1600, 1000, 1},
                         {1920, 1080, 1},
                         {2560, 1440, 1},
                         {3840, 2160, 1},
                         {3840, 2160, 2},
                         {3200, 2000, 2},
                         {390, 844, 1},
                         {780, 1688, 2},
                         {1170, 2532, 3},
                         {360, 640, 1},
                         {768, 1024, 1},
                         {1601, 1003, 1.25f}}) {
    for (const Tab tab : {Tab::matrix, Tab::memory, Tab::code, Tab::softmax, Tab::counters}) {
      INFO(w.width << " x " << w.height << " at " << w.dpr << ", tab " << static_cast<int>(tab));
      check_places(make_layout(w.width, w.height, w.dpr, tab));
    }
  }
}

TEST_CASE("cards keep a distance of 12 pixels of the design, and 16 from the window's sides and bottom") {
  for (const Window w : {Window{1600, 1000, 1}, {1280, 720, 1}, {780, 1688, 2}, {960, 600, 1}}) {
    for (const Tab tab : {Tab::matrix, Tab::counters}) {
      const Layout l = make_layout(w.width, w.height, w.dpr, tab);
      std::vector<Rect> cards(l.counters.begin(), l.counters.end());
      cards.insert(cards.end(), {l.roofline, l.memory, l.matrix, l.code, l.softmax, l.timeline});
      std::erase_if(cards, [](Rect r) { return r.empty(); });
      const float gap = std::round(12 * l.scale), margin = std::round(16 * l.scale);
      for (std::size_t i = 0; i < cards.size(); ++i) {
        CHECK(common(cards[i], l.window.inset(margin)).width == cards[i].width);
        CHECK(common(cards[i], l.window.inset(margin)).height == cards[i].height);
        for (std::size_t j = 0; j < i; ++j) CHECK(common(cards[i].inset(-gap / 2), cards[j].inset(-gap / 2)).empty());
      }
    }
  }
}

TEST_CASE("the layout at 1600 x 1000 is that of the design") {
  const Layout l = make_layout(1600, 1000, 1);
  CHECK(l.scale == 1);
  CHECK(!l.tabbed);
  CHECK((l.counters[0].x == 16 && l.counters[0].y == 58 && l.counters[0].height == 96));
  CHECK((l.roofline.width == 392 && l.roofline.right() == 1584));
  CHECK((l.timeline.height == 236 && l.timeline.bottom() == 984));
  CHECK(l.memory.width == Approx(0.245 * 1568).margin(1));
  CHECK(l.code.width == Approx(0.325 * 1568).margin(1));
  CHECK(l.matrix.y == 58 + 96 + 12);
  CHECK(l.matrix.bottom() + 12 == l.timeline.y);
  CHECK(shown(l) == 14);  // all except the tabs
}

TEST_CASE("the scale follows the smaller side between 0.75 and 1.25, times the device pixel ratio") {
  CHECK(ui_scale(1600, 1000, 1) == 1);
  CHECK(ui_scale(1280, 900, 1) == Approx(0.8));
  CHECK(ui_scale(1280, 720, 1) == 0.75f);
  CHECK(ui_scale(3840, 2160, 1) == 1.25f);
  CHECK(ui_scale(3200, 2000, 2) == 2);
  CHECK(ui_scale(780, 1688, 2) == 2);  // a phone of 390 x 844
}

TEST_CASE("below 1200 pixels of width the panels share tabs") {
  CHECK(!make_layout(1200, 800, 1).tabbed);
  CHECK(make_layout(1199, 800, 1).tabbed);
  CHECK(make_layout(2000, 1600, 2).tabbed);
  CHECK(shown(make_layout(390, 844, 1, Tab::code)) == 6);
  CHECK(shown(make_layout(390, 844, 1, Tab::counters)) == 11);
  CHECK(!make_layout(390, 844, 1, Tab::softmax).softmax.empty());
}

TEST_CASE("a window that is too small is refused with the required size") {
  CHECK_THROWS_WITH(make_layout(300, 844, 1),
                    Catch::Contains("300 x 844") && Catch::Contains("320 x 480 or 640 x 320 CSS pixels"));
  CHECK_THROWS_AS(make_layout(390, 844, 3), sim::Error);
}

TEST_CASE("on a phone in landscape the panel is next to the timeline") {
  for (const Window w : {Window{844, 390, 1}, {740, 340, 1}, {640, 320, 1}, {2532, 1170, 3}}) {
    for (const Tab tab : {Tab::matrix, Tab::memory, Tab::code, Tab::softmax, Tab::counters}) {
      const Layout l = make_layout(w.width, w.height, w.dpr, tab);
      CHECK(l.lies);
      const Rect panels = l.panels();
      CHECK(panels.bottom() <= w.height);
      CHECK(l.timeline.height == panels.height);
      CHECK(l.timeline.height >= 0.5f * w.height);
      CHECK(l.timeline.width >= 0.4f * w.width);
    }
  }
  CHECK_FALSE(make_layout(844, 480, 1).lies);
}

TEST_CASE("a window below the minimum is laid out smaller, and below half of it in part") {
  const WindowSize phone = size_to_lay_out({1170, 2532, 3});
  CHECK((phone.width == 1170 && phone.height == 2532 && phone.dpr == 3));
  const WindowSize short_one = size_to_lay_out({844, 240, 1});
  CHECK((short_one.width == 844 && short_one.height == 240 && short_one.dpr == 0.75f));
  CHECK_NOTHROW(make_layout(short_one.width, short_one.height, short_one.dpr));
  const WindowSize none = size_to_lay_out({0, 0, 2});
  CHECK((none.width == 320 && none.height == 480 && none.dpr == 1));
  CHECK_NOTHROW(make_layout(none.width, none.height, none.dpr));
}
