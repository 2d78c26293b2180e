#include "viz/ui/widgets.h"

#include <array>
#include <catch2/catch.hpp>

#include "sim/base/check.h"
#include "viz/platform/driver.h"

using namespace ui;
using platform::Driver;

namespace {

constexpr std::array<std::string_view, 3> names{"one", "two", "three"};

Driver open(platform::Draw draw) { return {400, 300, 1, dark_theme(), std::move(draw)}; }

}  // namespace

TEST_CASE("a button is pressed once per click") {
  int clicks = 0, icons = 0;
  Driver driver = open([&](Ui& ui) {
    clicks += button(ui, "go", {10, 10, 80, 32}, "Go", Weight::primary);
    icons += icon_button(ui, "step", {100, 10, 32, 32}, Icon::step);
  });
  driver.click("go");
  driver.click("go", 0.01f);
  driver.click("step");
  CHECK(clicks == 2);
  CHECK(icons == 1);
}

TEST_CASE("a button that the pointer leaves before the release is not pressed") {
  int clicks = 0;
  Driver driver = open([&](Ui& ui) { clicks += button(ui, "go", {10, 10, 80, 32}, "Go"); });
  driver.drag("go", 0.5f, 3);
  CHECK(clicks == 0);
}

TEST_CASE("a segment is chosen by its name") {
  int chosen = 0;
  Driver driver = open([&](Ui& ui) { chosen = segmented(ui, "algo", {10, 10, 200, 32}, names, names, chosen); });
  driver.click("algo/three");
  CHECK(chosen == 2);
  driver.click("algo/two");
  CHECK(chosen == 1);
  CHECK(driver.rect("algo/three").right() <= 210);
}

TEST_CASE("a switch changes with each click") {
  bool on = false;
  Driver driver = open([&](Ui& ui) { on = toggle(ui, "causal", {10, 10, 100, 32}, "Causal", on); });
  driver.click("causal");
  CHECK(on);
  driver.click("causal");
  CHECK(!on);
}

TEST_CASE("a slider takes the value at which it is pressed and follows the pointer beyond its ends") {
  float value = 0;
  Driver driver = open([&](Ui& ui) { value = slider(ui, "time", {50, 10, 200, 32}, value); });
  driver.click("time", 0.5f);
  CHECK(value == Approx(0.5));
  driver.drag("time", 0.5f, 0.9f);
  CHECK(value == Approx(0.9));
  driver.drag("time", 0.5f, 1.4f);
  CHECK(value == 1);
}

TEST_CASE("a drop-down opens, chooses and closes") {
  int chosen = 0;
  Driver driver = open([&](Ui& ui) { chosen = drop_down(ui, "n", {10, 10, 90, 32}, "N", names, chosen); });
  CHECK(!driver.shows("n/two"));
  driver.click("n");
  CHECK(driver.screen.state.open == "n");
  driver.click("n/two");
  CHECK(chosen == 1);
  CHECK(driver.screen.state.open.empty());
  CHECK(!driver.shows("n/two"));
}

TEST_CASE("an open list closes with the field, with Escape and with a click elsewhere, and keeps the value") {
  int chosen = 2, elsewhere = 0;
  Driver driver = open([&](Ui& ui) {
    chosen = drop_down(ui, "n", {10, 10, 90, 32}, "N", names, chosen);
    elsewhere += button(ui, "far", {300, 250, 60, 32}, "Far");
  });
  for (const int way : {0, 1, 2}) {
    driver.click("n");
    REQUIRE(driver.shows("n/one"));
    if (way == 0) driver.click("n");
    if (way == 1) driver.key(ImGuiKey_Escape);
    if (way == 2) driver.click("far");
    CHECK(!driver.shows("n/one"));
  }
  CHECK(chosen == 2);
  CHECK(elsewhere == 1);
}

TEST_CASE("a click on an open list does not reach widgets below it") {
  int chosen = 0, below = 0;
  Driver driver = open([&](Ui& ui) {
    below += button(ui, "below", {10, 50, 90, 90}, "Below");
    chosen = drop_down(ui, "n", {10, 10, 90, 32}, "N", names, chosen);
  });
  driver.click("n");
  driver.click("n/two");
  CHECK(chosen == 1);
  CHECK(below == 0);
  driver.click("below");
  CHECK(below == 1);
}

TEST_CASE("a list at the bottom of the window opens upwards and stays inside") {
  int chosen = 0;
  Driver driver = open([&](Ui& ui) { chosen = drop_down(ui, "n", {350, 260, 45, 32}, "N", names, chosen); });
  driver.click("n");
  for (const char* option : {"n/one", "n/two", "n/three"}) {
    const Rect row = driver.rect(option);
    CHECK((row.bottom() <= 260 && row.y >= 0 && row.x >= 0 && row.right() <= 400));
  }
}

TEST_CASE("a view scrolls with the wheel and its bar, and not beyond its content") {
  float offset = 0;
  Driver driver = open([&](Ui& ui) {
    const Rect view{10, 10, 200, 100};
    offset = begin_scroll(ui, "view", view, 300, offset);
    button(ui, "first", {10, 10 - offset, 80, 32}, "First");
    button(ui, "last", {10, 270 - offset, 80, 32}, "Last");
    end_scroll();
  });
  CHECK(driver.shows("first"));
  CHECK(!driver.shows("last"));
  driver.wheel("first", -1);
  CHECK(offset == 48);
  driver.wheel("view", -100);
  CHECK(offset == 200);
  CHECK(!driver.shows("first"));
  CHECK(driver.rect("last").bottom() <= 110);
  driver.wheel("view", 100);
  CHECK(offset == 0);
  driver.click("view");  // in the middle of its bar
  CHECK(offset == Approx(100).margin(1));
}

TEST_CASE("a widget partly out of view reacts only in its visible part") {
  int clicks = 0, other = 0;
  float offset = 20;
  Driver driver = open([&](Ui& ui) {
    offset = begin_scroll(ui, "view", {10, 50, 200, 100}, 300, offset);
    clicks += button(ui, "half", {10, 50 - offset, 80, 32}, "Half");
    end_scroll();
    other += button(ui, "above", {10, 10, 80, 40}, "Above");
  });
  CHECK(driver.rect("half").height == 12);
  driver.click("above", 0.5f);
  CHECK(clicks == 0);
  CHECK(other == 1);
  driver.click("half");
  CHECK(clicks == 1);
}

TEST_CASE("two widgets of one name are an error, and the next frame works") {
  bool twice = true;
  platform::Screen screen(400, 300, 1);
  const auto draw = [&](Ui& ui) {
    button(ui, "go", {10, 10, 80, 32}, "Go");
    if (twice) button(ui, "go", {10, 50, 80, 32}, "Go");
  };
  CHECK_THROWS_WITH(screen.frame(dark_theme(), draw),
                    "widgets: two are called \"go\" in one frame; a name belongs to one");
  twice = false;
  screen.frame(dark_theme(), draw);
  CHECK(screen.state.probes.contains("go"));
}

TEST_CASE("an unknown widget is reported with the existing ones") {
  Driver driver = open([](Ui& ui) { button(ui, "go", {10, 10, 80, 32}, "Go"); });
  CHECK_THROWS_WITH(driver.click("gone"), "driver: no widget is called \"gone\"; there are go");
}

TEST_CASE("two screens share no state") {
  int a = 0, b = 0;
  Driver one = open([&](Ui& ui) { a = drop_down(ui, "n", {10, 10, 90, 32}, "N", names, a); });
  Driver two = open([&](Ui& ui) { b = drop_down(ui, "n", {10, 10, 90, 32}, "N", names, b); });
  one.click("n");
  two.frame();
  CHECK(one.shows("n/two"));
  CHECK(!two.shows("n/two"));
}
