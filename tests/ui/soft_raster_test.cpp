#include "viz/platform/soft_raster.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "sim/base/check.h"
#include "viz/platform/screen.h"

using platform::Picture;
using ui::Color;
using ui::Point;

namespace {

const Color ground = ui::dark_theme().window;
constexpr ImU32 half_white = IM_COL32(255, 255, 255, 128);
const Color once = ui::mix(ground, ui::rgb(0xFFFFFF), 128 / 255.f);

struct Corner {
  Point at, uv;
  ImU32 color;
};
using Shape = std::array<Corner, 3>;

ImVec2 vec(Point p) { return {p.x, p.y}; }

/// The triangles as given, without the anti-aliased borders of ImGui's shapes. White: an opaque texel.
Picture draw(platform::Screen& screen, const std::vector<Shape>& shapes) {
  screen.frame(ui::dark_theme(), [&](ui::Ui&) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const Shape& shape : shapes) {
      list.PrimReserve(3, 3);
      for (const Corner& corner : shape) list.PrimVtx(vec(corner.at), vec(corner.uv), corner.color);
    }
  });
  return screen.picture();
}

/// The white texel of the last screen: at one scale it is the same on all.
Point white() {
  const ImVec2 uv = ImGui::GetIO().Fonts->TexUvWhitePixel;
  return {uv.x, uv.y};
}

Shape flat(Point a, Point b, Point c, ImU32 color = half_white) {
  const Point uv = white();
  return {Corner{a, uv, color}, Corner{b, uv, color}, Corner{c, uv, color}};
}

double iteration(Point a, Point b, double x, double y) {
  return (double(b.x) - a.x) * (y - a.y) - (double(b.y) - a.y) * (x - a.x);
}

}  // namespace

TEST_CASE("triangles that share edges cover each pixel once") {
  platform::Screen screen(48, 48, 1);
  std::mt19937 random(7);
  std::uniform_real_distribution<float> inside(4, 44);
  for (int round = 0; round < 20; ++round) {
    // A fan around a point of a rectangle whose edges pass through pixel centres: left and top edges are inside.
    const Point hub = round == 0 ? Point{20.5f, 20.5f} : Point{inside(random), inside(random)};
    const std::array<Point, 6> rim{Point{3.5f, 3.5f}, {inside(random), 3.5f}, {44.5f, 3.5f},
                                   {44.5f, 44.5f},    {20.5f, 44.5f},         {3.5f, 44.5f}};
    std::vector<Shape> fan;
    for (std::size_t i = 0; i < rim.size(); ++i) fan.push_back(flat(hub, rim[i], rim[(i + 1) % rim.size()]));
    const Picture picture = draw(screen, fan);
    int wrong = 0;
    for (int y = 0; y < 48; ++y) {
      for (int x = 0; x < 48; ++x) {
        const bool covered = x >= 3 && x < 44 && y >= 3 && y < 44;
        wrong += picture.at(x, y) != (covered ? once : ground);
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a triangle covers the pixels whose centres are inside, in either order of its corners") {
  platform::Screen screen(60, 60, 1);
  std::mt19937 random(3);
  std::uniform_int_distribution<int> anywhere(-10 * 256, 70 * 256);
  for (int round = 0; round < 50; ++round) {
    const auto point = [&] { return Point{float(anywhere(random)) / 256, float(anywhere(random)) / 256}; };
    const Point a = point(), b = point(), c = point();
    const Picture picture = draw(screen, {flat(a, b, c)});
    const bool same = picture == draw(screen, {flat(c, b, a)});
    CHECK(same);
    int wrong = 0;
    for (int y = 0; y < 60; ++y) {
      for (int x = 0; x < 60; ++x) {
        const double e = iteration(a, b, x + 0.5, y + 0.5), f = iteration(b, c, x + 0.5, y + 0.5),
                     g = iteration(c, a, x + 0.5, y + 0.5);
        const bool inside = (e > 0 && f > 0 && g > 0) || (e < 0 && f < 0 && g < 0);
        const bool outside = std::min({e, f, g}) < 0 && std::max({e, f, g}) > 0;
        if (inside || outside) wrong += picture.at(x, y) != (inside ? once : ground);
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("colours vary linearly between the corners") {
  platform::Screen screen(100, 100, 1);
  const Point uv = white();
  const Shape shape{Corner{{0, 0}, uv, IM_COL32(0, 0, 0, 255)}, Corner{{100, 0}, uv, IM_COL32(200, 100, 0, 255)},
                    Corner{{0, 100}, uv, IM_COL32(0, 0, 50, 255)}};
  const Picture picture = draw(screen, {shape});
  for (const auto& [x, y] : {std::pair{0, 0}, {50, 20}, {10, 80}, {98, 0}}) {
    const Color c = picture.at(x, y);
    CHECK(std::abs(c.red - 2 * (x + 0.5)) <= 1);
    CHECK(std::abs(c.green - (x + 0.5)) <= 1);
    CHECK(std::abs(c.blue - (y + 0.5) / 2) <= 1);
  }
}

TEST_CASE("an upright rectangle is drawn like its two triangles") {
  platform::Screen screen(64, 48, 1);
  const auto one_quad = [&](const std::array<Corner, 4>& k, bool as_imgui_does) {
    screen.frame(ui::dark_theme(), [&](ui::Ui&) {
      ImDrawList& list = *ImGui::GetWindowDrawList();
      list.PrimReserve(6, 4);
      const auto first = static_cast<ImDrawIdx>(list._VtxCurrentIdx);
      for (const int i : as_imgui_does ? std::array<int, 6>{0, 1, 2, 0, 2, 3} : std::array<int, 6>{1, 2, 0, 2, 3, 0}) {
        list.PrimWriteIdx(static_cast<ImDrawIdx>(first + i));
      }
      for (const Corner& corner : k) list.PrimWriteVtx(vec(corner.at), vec(corner.uv), corner.color);
    });
    return screen.picture();
  };
  const auto corners = [](ui::Rect r, Point low, Point high) {
    return std::array<Corner, 4>{
        Corner{{r.x, r.y}, low, half_white}, Corner{{r.right(), r.y}, {high.x, low.y}, half_white},
        Corner{{r.right(), r.bottom()}, high, half_white}, Corner{{r.x, r.bottom()}, {low.x, high.y}, half_white}};
  };
  const auto flat_corners = corners({5.5f, 3.25f, 30.25f, 20.5f}, white(), white());
  const bool same = one_quad(flat_corners, true) == one_quad(flat_corners, false);
  CHECK(same);

  const auto textured = corners({5.5f, 3.25f, 40, 30}, {0, 0}, {0.1f, 0.05f});  // a part of the atlas
  const Picture fast = one_quad(textured, true), slow = one_quad(textured, false);
  int drawn = 0, furthest = 0;
  for (std::size_t i = 0; i < fast.rgba.size(); ++i) {
    furthest = std::max(furthest, std::abs(fast.rgba[i] - slow.rgba[i]));
    drawn += i % 4 == 0 && fast.rgba[i] != ground.red;
  }
  CHECK(drawn > 50);
  CHECK(furthest <= 1);
}

TEST_CASE("drawing beyond the picture and the clip rectangle is cut off") {
  platform::Screen screen(20, 20, 1);
  const Picture picture = draw(screen, {flat({-1e6f, -1e6f}, {1e6f, -1e6f}, {0, 1e6f})});
  int covered = 0;
  for (int i = 0; i < 400; ++i) covered += picture.at(i % 20, i / 20) == once;
  CHECK(covered == 400);

  screen.frame(ui::dark_theme(), [](ui::Ui& ui) {
    ui.canvas.push_clip({-50, 5, 60, 200});
    ui.canvas.disc({10, 10}, 300, ui::rgb(0xFFFFFF));
    ui.canvas.pop_clip();
  });
  CHECK(screen.picture().at(9, 5) == ui::rgb(0xFFFFFF));
  CHECK(screen.picture().at(10, 5) == ground);
  CHECK(screen.picture().at(9, 4) == ground);
}

TEST_CASE("blending rounds to the nearest for every pair of bytes") {
  int wrong = 0;
  for (unsigned x = 0; x <= 255 * 255; ++x) wrong += platform::over_255(x) != (2 * x + 255) / 510;
  CHECK(wrong == 0);
}

TEST_CASE("more corners than 16 bits can count are drawn") {
  platform::Screen screen(200, 200, 1);
  screen.frame(ui::dark_theme(), [](ui::Ui& ui) {
    for (int i = 0; i < 40'000; ++i) ui.canvas.fill({float(i % 200), float(i / 200), 1, 1}, ui::rgb(0xFFFFFF));
  });
  const Picture picture = screen.picture();
  int covered = 0;
  for (int i = 0; i < 40'000; ++i) covered += picture.at(i % 200, i / 200) == ui::rgb(0xFFFFFF);
  CHECK(covered == 40'000);
}

TEST_CASE("an invalid display is refused") {
  const ui::Fonts fonts = ui::make_fonts(1);
  ImDrawData data;
  data.DisplaySize = {0, 10};
  CHECK_THROWS_AS(platform::rasterize(data, *fonts.atlas, ground), sim::Error);
  data.DisplaySize = {20000, 10};
  CHECK_THROWS_WITH(platform::rasterize(data, *fonts.atlas, ground), Catch::Contains("20000 x 10"));
}
