#include "viz/ui/canvas.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/ui/draw_on.h"

using namespace ui;
using platform::Picture;

namespace {

const Color red = rgb(0xFF0000), green = rgb(0x00FF00), ground = dark_theme().window;

int count(const Picture& picture, Color color) {
  int n = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) n += picture.at(x, y) == color;
  }
  return n;
}

/// The smallest rectangle around all pixels that differ from the background.
Rect drawn_part(const Picture& picture) {
  int left = picture.width, top = picture.height, right = 0, bottom = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      if (picture.at(x, y) == ground) continue;
      left = std::min(left, x), top = std::min(top, y), right = std::max(right, x + 1),
      bottom = std::max(bottom, y + 1);
    }
  }
  return {float(left), float(top), float(right - left), float(bottom - top)};
}

}  // namespace

TEST_CASE("fills are aligned to whole pixels, and adjacent tiles leave no gap") {
  const Picture p = draw_on(40, 10, [](Canvas& c) {
    for (int i = 0; i < 7; ++i) c.fill({2 + float(i) * 5.3f, 1.4f, 5.3f, 6}, i % 2 ? red : green);
  });
  CHECK(count(p, red) + count(p, green) == 37 * 6);  // 2 .. 39.1 and 1.4 .. 7.4
  CHECK(count(p, ground) == 400 - 37 * 6);
}

TEST_CASE("moving a rounded card by a third of a pixel changes nothing") {
  const auto at = [](float x, float y) {
    return draw_on(40, 40, [&](Canvas& c) { c.card({x, y, 30, 30}, green, red, 8); });
  };
  const bool same = at(5, 5) == at(5.3f, 4.7f);
  CHECK(same);
}

TEST_CASE("a frame is drawn inside its rectangle, with square or round corners") {
  for (const float radius : {0.f, 6.f}) {
    const Picture p = draw_on(40, 30, [&](Canvas& c) { c.stroke({5, 4, 30, 20}, red, 2, radius); });
    const Rect drawn = drawn_part(p);
    CHECK((drawn.x == 5 && drawn.y == 4 && drawn.width == 30 && drawn.height == 20));
    CHECK(p.at(20, 5) == red);     // the second row of the line
    CHECK(p.at(20, 6) == ground);  // no third row
    CHECK((p.at(5, 4) == red) == (radius == 0));
  }
}

TEST_CASE("rectangles smaller than ten pixels have square corners") {
  const Picture p = draw_on(30, 30, [](Canvas& c) {
    c.fill({1, 1, 20, 9}, red, 4);
    c.fill({1, 15, 20, 12}, red, 4);
  });
  CHECK(p.at(1, 1) == red);
  CHECK(p.at(1, 15) != red);
}

TEST_CASE("a card has a border of one pixel around its inside") {
  const Picture p = draw_on(40, 40, [](Canvas& c) { c.card({5, 5, 30, 30}, green, red, 8); });
  CHECK(p.at(20, 5) == red);
  CHECK(p.at(20, 6) == green);
  CHECK(p.at(5, 5) == ground);
}

TEST_CASE("text that is too long ends in an ellipsis and stays in its box") {
  const Picture p = draw_on(120, 20, [](Canvas& c) {
    const float width = c.text({10, 0, 80, 20}, Style::body, red, "a rather long sentence");
    CHECK(width <= 81);
    CHECK(width > 60);
    CHECK(c.text({10, 0, 500, 20}, Style::body, with_alpha(red, 0), "short") == c.text_width(Style::body, "short"));
  });
  CHECK(drawn_part(p).right() <= 91);
}

TEST_CASE("text that is too long is left out if not even an ellipsis fits") {
  const Picture p = draw_on(60, 20, [](Canvas& c) {
    const float dots = c.text_width(Style::body, "…");
    CHECK(c.text({10, 0, dots - 2, 20}, Style::body, red, "a sentence") == 0);
    CHECK(c.text({10, 0, dots, 20}, Style::body, with_alpha(red, 0), "a sentence") > 0);
  });
  CHECK(count(p, ground) == p.width * p.height);
}

TEST_CASE("text is aligned left, in the middle and right, and in the middle from top to bottom") {
  const auto drawn = [](Align align) {
    return drawn_part(draw_on(200, 60, [&](Canvas& c) { c.text({10, 10, 180, 40}, Style::number, red, "H", align); }));
  };
  CHECK(drawn(Align::left).x == Approx(11.5).margin(1));  // the glyph's own margin
  CHECK(drawn(Align::center).center().x == Approx(100).margin(1));
  CHECK(drawn(Align::right).right() == Approx(188.5).margin(1));
  for (const Align align : {Align::left, Align::center, Align::right}) {
    CHECK(drawn(align).center().y == Approx(30).margin(1));
  }
}

TEST_CASE("text is aligned to whole pixels: half a pixel further gives the same picture") {
  const auto at = [](float x, float y) {
    return draw_on(60, 20, [&](Canvas& c) { c.text_at({x, y}, Style::body, red, "tile"); });
  };
  const bool same = at(5, 2) == at(5.4f, 2.4f), moved = at(5, 2) == at(5.6f, 2);
  CHECK(same);
  CHECK(!moved);
}

TEST_CASE("text on a partly filled box has one colour on the fill and another on the rest") {
  const Rect box{0, 0, 60, 20};
  const Picture p = draw_on(60, 20, [&](Canvas& c) {
    c.in_two_colors(box, box.share(0.5f), red, green, [&](Color color) { c.fill(box.inset(10, 5), color); });
  });
  CHECK(count(p, red) == 20 * 10);
  CHECK(count(p, green) == 20 * 10);
  CHECK(p.at(29, 10) == red);
  CHECK(p.at(30, 10) == green);
}

TEST_CASE("text on an empty box has the colour for the rest, on a full one that for the fill") {
  const Rect box{0, 0, 60, 20};
  for (const float share : {0.f, 1.f}) {
    const Picture p = draw_on(60, 20, [&](Canvas& c) {
      c.in_two_colors(box, box.share(share), red, green, [&](Color color) { c.fill(box, color); });
    });
    CHECK(count(p, share > 0 ? red : green) == 60 * 20);
  }
}

TEST_CASE("a fill in the middle of a box splits it into five pieces, each drawn once") {
  const Rect box{2, 2, 30, 30};
  const Picture p = draw_on(34, 34, [&](Canvas& c) {
    c.in_two_colors(box, {10, 12, 8, 5}, red, green, [&](Color color) { c.fill(box, with_alpha(color, 0.5f)); });
  });
  CHECK(count(p, mix(ground, red, 128 / 255.f)) == 8 * 5);
  CHECK(count(p, mix(ground, green, 128 / 255.f)) == 30 * 30 - 8 * 5);
}

TEST_CASE("clipping cuts to the intersection of the enclosing rectangles") {
  const Picture p = draw_on(40, 40, [](Canvas& c) {
    c.push_clip({0, 0, 20, 40});
    c.push_clip({10, 10, 30, 10});
    c.fill({0, 0, 40, 40}, red);
    c.pop_clip();
    c.pop_clip();
  });
  const Rect drawn = drawn_part(p);
  CHECK((drawn.x == 10 && drawn.y == 10 && drawn.width == 10 && drawn.height == 10));
}

TEST_CASE("a triangle is the same in either order of its corners") {
  const auto triangle = [](Point a, Point b, Point c) {
    return draw_on(30, 30, [=](Canvas& canvas) { canvas.triangle(a, b, c, red); });
  };
  const bool same = triangle({3, 3}, {25, 8}, {10, 26}) == triangle({3, 3}, {10, 26}, {25, 8});
  CHECK(same);
}
