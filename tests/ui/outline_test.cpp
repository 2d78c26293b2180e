#include "viz/ui/outline.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "tests/ui/draw_on.h"
#include "viz/ui/front.h"

using namespace ui;

namespace {

const Color white = rgb(0xFFFFFF);
const double pi = std::acos(-1.);

/// The drawn area in pixels, weighted by brightness, in white on black.
double area(const std::function<void(Canvas&)>& draw) {
  platform::Screen screen(100, 100, 1);
  Theme theme = dark_theme();
  theme.window = rgb(0);
  screen.frame(theme, [&](Ui& ui) { draw(ui.canvas); });
  const platform::Picture picture = screen.picture();
  double sum = 0;
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) sum += picture.at(x, y).green / 255.0;
  }
  return sum;
}

/// FNV-1a hash of the corners' positions, bit by bit.
std::uint64_t bits_of(const std::function<void(Canvas&)>& draw) {
  platform::Screen screen(100, 100, 1);
  screen.frame(dark_theme(), [&](Ui& ui) { draw(ui.canvas); });
  std::uint64_t hash = 14695981039346656037ull;
  for (const ImDrawVert& vertex : screen.drawn().CmdLists[0]->VtxBuffer) {
    unsigned char bytes[sizeof vertex.pos];
    std::memcpy(bytes, &vertex.pos, sizeof vertex.pos);
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211ull;
  }
  return hash;
}

void zigzag(Canvas& canvas, int points) {
  std::vector<Point> line;
  for (int n = 0; n < points; ++n)
    line.push_back({10 + 80 * static_cast<float>(n) / static_cast<float>(points), n % 2 ? 40.f : 60.f});
  canvas.polyline(line, white, 1);
}

}  // namespace

TEST_CASE("points of the unit circle have distance 1 from its centre, and turn clockwise from the right") {
  for (const int steps : {4, 8, 32, 128}) {
    for (int n = 0; n < steps; ++n) {
      const Point p = on_circle(n, steps);
      CHECK(std::abs(p.x - std::cos(2 * pi * n / steps)) < 6e-8);
      CHECK(std::abs(p.y - std::sin(2 * pi * n / steps)) < 6e-8);
    }
  }
  CHECK(on_circle(-1, 8).x == on_circle(7, 8).x);
  CHECK(on_circle(0, 8).y == 0);
  CHECK(on_circle(2, 8).x == 0);
}

TEST_CASE("discs, rings and slanted lines have their geometric area") {
  for (const float r : {1.5f, 3.f, 8.f, 20.f, 40.f}) {
    INFO("radius " << r);
    CHECK(area([&](Canvas& c) { c.disc({50, 50}, r, white); }) == Approx(pi * r * r).epsilon(0.04));
    CHECK(area([&](Canvas& c) { c.ring({50, 50}, r, white, 2); }) == Approx(4 * pi * (r - 0.5)).epsilon(0.03));
  }
  for (const float width : {1.f, 1.5f, 2.f, 5.f}) {
    INFO("width " << width);
    const auto line = [&](Canvas& c) { c.line({20, 30}, {80, 70}, white, width); };
    CHECK(area(line) == Approx(std::sqrt(60. * 60 + 40 * 40) * width).epsilon(0.03));
  }
}

TEST_CASE("a rectangle with maximal corner radius has a half circle at each end") {
  const double drawn = area([](Canvas& c) { c.fill({10, 10, 60, 20}, white, 99); });
  CHECK(drawn == Approx(40 * 20 + pi * 100).epsilon(0.02));
}

TEST_CASE("the corner of a line is a mitre") {
  const auto corner = [](Canvas& c) { c.polyline(std::array{Point{20, 60}, Point{20, 20}, Point{60, 20}}, white, 10); };
  CHECK(area(corner) == Approx(45 * 10 + 35 * 10));
  const platform::Picture p = draw_on(100, 100, corner);
  CHECK(p.at(16, 16) == white);
}

TEST_CASE("a repeated point changes nothing") {
  const auto drawn = [](std::vector<Point> points) {
    return draw_on(60, 60, [&](Canvas& c) {
      c.polyline(points, white, 3);
      c.convex(points, with_alpha(white, 0.5f));
    });
  };
  const Point a{10, 10}, b{50, 20}, d{30, 50};
  const bool same = drawn({a, b, d}) == drawn({a, a, b, b, b, d, d});
  CHECK(same);
}

TEST_CASE("a convex polygon has no seams between its parts") {
  const Point square[] = {{20, 20}, {60, 20}, {60, 60}, {20, 60}};
  const platform::Picture p = draw_on(80, 80, [&](Canvas& c) { c.convex(square, white); });
  for (int n = 21; n < 59; ++n) CHECK((p.at(n, n) == white && p.at(n, 79 - n) == white));
}

TEST_CASE("a line of more points than a 16-bit index can address is drawn to its end") {
  std::vector<Point> line;
  for (int n = 0; n <= 50'000; ++n) line.push_back({10 + 80 * float(n) / 50'000, 40 + 20 * float(n) / 50'000});
  CHECK(area([&](Canvas& c) { c.polyline(line, white, 2); }) ==
        Approx(2 * std::sqrt(80. * 80 + 20 * 20)).epsilon(0.02));
}

TEST_CASE("invisible shapes are not drawn: no colour, no length, no corners") {
  platform::Screen screen(50, 50, 1);
  screen.frame(dark_theme(), [](Ui& ui) {
    ui.canvas.disc({20, 20}, 9, with_alpha(white, 0));
    ui.canvas.polyline(std::array{Point{5, 5}, Point{5, 5}}, white, 2);
    ui.canvas.convex(std::array{Point{5, 5}, Point{9, 9}}, white);
  });
  CHECK(screen.drawn().TotalVtxCount == 0);
}

TEST_CASE("windows and pointer areas draw nothing: no shape of Dear ImGui is in a picture") {
  platform::Screen screen(100, 100, 1);
  screen.input.touch_down(30, 30);
  for (int frame = 0; frame < 3; ++frame) {
    screen.frame(dark_theme(), [](Ui& ui) {
      hit(ui, "behind", {60, 60, 20, 20});
      begin_front("card", {10, 10, 40, 40});
      hit(ui, "in front", {20, 20, 20, 20});
      end_front();
    });
    CHECK(screen.drawn().TotalVtxCount == 0);
  }
  CHECK(ImGui::IsMouseDown(ImGuiMouseButton_Left));
}

TEST_CASE("round and slanted shapes have the same bits on every processor") {
  CHECK(bits_of([](Canvas& c) {
          c.fill({3, 4, 30, 21}, white, 7);
          c.stroke({40, 4, 30, 21}, white, 2, 5);
          c.disc({20, 50}, 6.3f, white);
          c.ring({50, 50}, 14.7f, white, 1.5f);
          c.triangle({70, 60}, {95, 71}, {80, 93}, white);
          c.line({5, 70}, {33, 91}, white, 1.7f);
          zigzag(c, 7);
        }) == 0x9998060215fbdfc4);
}
