#include "viz/ui/icons.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "tests/ui/draw_on.h"

using namespace ui;
using platform::Picture;

namespace {

constexpr int side = 16;
const Icon all[] = {Icon::play,   Icon::pause, Icon::step,  Icon::step_back, Icon::to_start,
                    Icon::to_end, Icon::share, Icon::theme, Icon::help};

Picture picture_of(Icon icon) {
  return draw_on(side, side, [&](Canvas& c) {
    c.fill({0, 0, side, side}, rgb(0x000000));
    draw_icon(c, icon, {side / 2.f, side / 2.f}, rgb(0xFFFFFF), rgb(0x000000));
  });
}

/// Rows of the picture with non-empty pixels: '#' white, '+' bright, '.' dark, ' ' black.
std::string rows_of(const Picture& picture) {
  std::string rows = "\n";
  for (int y = 0; y < side; ++y) {
    std::string row;
    for (int x = 0; x < side; ++x) row += " .+#"[picture.at(x, y).green * 4 / 256];
    row.erase(row.find_last_not_of(' ') + 1);
    if (!row.empty()) rows += row + "\n";
  }
  return rows;
}

Picture mirrored(Picture picture) {
  const Picture original = picture;
  for (int i = 0; i < side * side; ++i) {
    const Color c = original.at(side - 1 - i % side, i / side);
    const auto at = static_cast<std::size_t>(i) * 4;
    picture.rgba[at] = c.red, picture.rgba[at + 1] = c.green, picture.rgba[at + 2] = c.blue;
  }
  return picture;
}

}  // namespace

TEST_CASE("the icons of the transport look as drawn here") {
  CHECK(rows_of(picture_of(Icon::play)) == R"(
     +
     ##.
     ###+
     #####.
     ######+
     ########.
     ########.
     ######+
     #####.
     ###+
     ##.
     +
)");
  CHECK(rows_of(picture_of(Icon::pause)) == R"(
    ###  ###
    ###  ###
    ###  ###
    ###  ###
    ###  ###
    ###  ###
    ###  ###
    ###  ###
    ###  ###
    ###  ###
)");
  CHECK(rows_of(picture_of(Icon::step)) == R"(
   +       ##
   ##.     ##
   ####    ##
   #####+  ##
   #######.##
   #######.##
   #####+  ##
   ####    ##
   ##.     ##
   +       ##
)");
}

TEST_CASE("icons for backward are the mirror images of those for forward") {
  const auto close = [](const Picture& a, const Picture& b) {
    int furthest = 0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i) furthest = std::max(furthest, std::abs(a.rgba[i] - b.rgba[i]));
    return furthest <= 1;  // sums of anti-aliased edges depend on the order
  };
  CHECK(close(picture_of(Icon::step_back), mirrored(picture_of(Icon::step))));
  CHECK(close(picture_of(Icon::to_start), mirrored(picture_of(Icon::to_end))));
}

TEST_CASE("no two icons look alike, and none is empty", "[repeats]") {
  std::set<std::string> pictures;
  for (const Icon icon : all) {
    pictures.insert(rows_of(picture_of(icon)));
    CHECK(rows_of(picture_of(icon)).find('#') != std::string::npos);
  }
  CHECK(pictures.size() == std::size(all));
}
