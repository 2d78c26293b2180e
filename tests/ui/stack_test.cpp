// Rows and columns: sizes, shares within bounds, parts that are left out, and the gaps between them.
#include "viz/ui/stack.h"

#include <array>
#include <catch2/catch.hpp>

namespace {

using ui::Part, ui::Rect;

TEST_CASE("a row gives fixed parts their size and the rest to one part") {
  const auto [first, second, third] = ui::columns({10, 5, 100, 20}, 4, {30, ui::rest(), 6});
  CHECK(first.x == 10);
  CHECK(first.width == 30);
  CHECK(second.x == 44);
  CHECK(second.width == 56);  // 100 - 30 - 6 - 2 * 4
  CHECK(third.right() == 110);
  CHECK(third.height == 20);
}

TEST_CASE("a list of parts has a length, and is drawn in it") {
  const std::array<Part, 3> parts = {8, ui::rest(20), 0};
  CHECK(ui::length_of(2, parts) == 30);
  const auto [head, body, left_out] = ui::rows({0, 0, 10, 30}, 2, parts);
  CHECK(body.y == 10);
  CHECK(body.height == 20);
  CHECK(left_out.empty());
}

TEST_CASE("shares fill a column exactly, in whole pixels") {
  const auto [first, second, third] = ui::rows({0, 0, 10, 101}, 3, {ui::share(1), ui::share(1), ui::share(1)});
  CHECK(first.height == 31);
  CHECK(second.height == 32);
  CHECK(third.bottom() == 101);
}

TEST_CASE("shares stay within their bounds, and the others share what is left") {
  const std::vector<Part> parts = {{60, 1}, {0, 1, 10}, {0, 2}};
  const std::vector<float> sizes = ui::sizes_of(100, 0, parts);
  CHECK(sizes[0] == 60);
  CHECK(sizes[1] == 10);
  CHECK(sizes[2] == 30);
}

TEST_CASE("optional parts are left out, the last one first, and their gaps with them") {
  const std::vector<Part> parts = {{40}, ui::optional(30), ui::optional(30), {20}};
  CHECK(ui::length_of(5, parts) == 135);
  CHECK(ui::sizes_of(135, 5, parts) == std::vector<float>{40, 30, 30, 20});
  CHECK(ui::sizes_of(134, 5, parts) == std::vector<float>{40, 30, 0, 20});
  CHECK(ui::sizes_of(99, 5, parts) == std::vector<float>{40, 0, 0, 20});
  const std::vector<Rect> places = ui::columns({0, 0, 99, 9}, 5, parts);
  CHECK(places[3].x == 45);
}

TEST_CASE("parts that do not fit are cut at the end, never negative") {
  const std::vector<Part> parts = {{40}, {40}, ui::rest()};
  CHECK(ui::sizes_of(50, 5, parts) == std::vector<float>{40, 0, 0});
  CHECK(ui::sizes_of(0, 5, parts) == std::vector<float>{0, 0, 0});
  const std::vector<Part> shares = {ui::share(1, 40), ui::share(1, 40), {30}};
  CHECK(ui::sizes_of(60, 0, shares) == std::vector<float>{40, 20, 0});
}

TEST_CASE("a space gives strips away from its ends, each with its gap") {
  ui::Space space({0, 0, 100, 50}, 4);
  CHECK(space.left(10).x == 0);
  CHECK(space.left(0).width == 0);  // no strip, no gap
  CHECK(space.left(10).x == 14);
  CHECK(space.right(20, 0).x == 80);
  CHECK(space.rest().x == 28);
  CHECK(space.width() == 52);
  CHECK(space.top(100).height == 50);
  CHECK(space.height() == 0);
}

TEST_CASE("equal columns have whole pixels, and leave the rest at the end") {
  const std::vector<Rect> places = ui::equal_columns({0, 0, 100, 9}, 3, 3);
  REQUIRE(places.size() == 3);
  CHECK(places[0].width == 31);
  CHECK(places[2].right() == 99);
  CHECK(ui::equal_rows({0, 0, 9, 100}, 3, 3)[1].y == 34);
  CHECK(ui::equal_rows({0, 0, 9, 100}, 3, 0).empty());
}

TEST_CASE("cells of a grid fill its rows from the left") {
  const Rect cell = ui::grid_cell({10, 5, 90, 100}, 3, 20, 4);
  CHECK(cell.x == 40);
  CHECK(cell.y == 25);
  CHECK(cell.width == 30);
  CHECK(ui::middle({0, 0, 9, 30}, 10).y == 10);
}

}  // namespace
