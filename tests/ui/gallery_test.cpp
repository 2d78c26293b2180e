// The gallery in both themes and at several sizes. With FLASHSCOPE_PICTURES=folder the pictures are written there.
#include "tests/ui/gallery.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "viz/platform/driver.h"
#include "viz/platform/png.h"

namespace {

struct Size {
  int width, height;
  float dpr;
};

platform::Draw drawing(Size size, gallery::Values& values, ui::Tab tab = ui::Tab::matrix) {
  values.tab = static_cast<int>(tab);
  const ui::Layout layout =
      ui::make_layout(static_cast<float>(size.width), static_cast<float>(size.height), size.dpr, tab);
  return [layout, &values](ui::Ui& ui) { gallery::draw(ui, layout, values); };
}

platform::Driver open(Size size, ui::Theme theme, gallery::Values& values, ui::Tab tab = ui::Tab::matrix) {
  const float scale = ui::ui_scale(static_cast<float>(size.width), static_cast<float>(size.height), size.dpr);
  return {size.width, size.height, scale, theme, drawing(size, values, tab)};
}

void keep(const platform::Driver& driver, const std::string& name) {
  if (const char* folder = std::getenv("FLASHSCOPE_PICTURES")) {
    std::filesystem::create_directories(folder);
    driver.screenshot(std::filesystem::path(folder) / (name + ".png"));
  }
}

}  // namespace

TEST_CASE("the gallery draws the same picture twice, in both themes", "[repeats]") {
  for (const ui::Theme& theme : {ui::dark_theme(), ui::light_theme()}) {
    gallery::Values values, again;
    const platform::Driver driver = open({1600, 1000, 1}, theme, values);
    keep(driver, theme.dark ? "dark" : "light");
    const bool same = driver.picture() == open({1600, 1000, 1}, theme, again).picture();
    CHECK(same);  // not compared by Catch, which would print the pictures
  }
}

TEST_CASE("the gallery shows an open list, twice the pixels, and a phone") {
  gallery::Values values;
  platform::Driver list = open({1600, 1000, 1}, ui::dark_theme(), values);
  list.click("n");
  list.hover("n/4096");
  CHECK(list.shows("n/4096"));
  keep(list, "list");
  keep(open({3200, 2000, 2}, ui::light_theme(), values), "twice");
  keep(open({1280, 720, 1}, ui::dark_theme(), values), "small");
  const platform::Driver phone = open({780, 1688, 2}, ui::dark_theme(), values);
  CHECK(phone.shows("tab/Memory"));
  keep(phone, "phone");
  keep(open({780, 1688, 2}, ui::dark_theme(), values, ui::Tab::code), "phone-code");
  keep(open({780, 1688, 2}, ui::light_theme(), values, ui::Tab::counters), "phone-counters");
}
