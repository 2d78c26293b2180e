#include "viz/ui/paragraph.h"

#include <catch2/catch.hpp>

#include "tests/ui/draw_on.h"

using namespace ui;

namespace {

constexpr Style body = Style::body;

/// The lines, joined by |, of a text as wide as `ruler` in body text.
std::string broken(std::string_view markup, std::string_view ruler) {
  std::string result;
  draw_on(20, 20, [&](Canvas& c) {
    for (const std::string_view line : wrap(c, body, markup, rich_width(c, body, ruler)))
      result += (result.empty() ? "" : "|") + std::string(line);
  });
  return result;
}

/// The number of rows down to the last one that differs from the window's colour.
int highest_drawn(const platform::Picture& picture) {
  int rows = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      if (picture.at(x, y) != dark_theme().window) rows = y + 1;
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("a paragraph breaks between words and drops the space there") {
  CHECK(broken("one two three", "one two three") == "one two three");
  CHECK(broken("one two three", "one two") == "one two|three");
  CHECK(broken("one two  three ", "three") == "one|two|three");
  CHECK(broken("", "x").empty());
}

TEST_CASE("a line feed ends a line, and two leave an empty one") {
  CHECK(broken("one\ntwo", "one two three") == "one|two");
  CHECK(broken("one\n\ntwo\n", "one two three") == "one||two");
}

TEST_CASE("scripts stay with their letter, and words keep their colours") {
  CHECK(broken("load Q_i K_j^T now", "load Q_i") == "load Q_i|K_j^T|now");
  CHECK(broken("a x_{i j} b", "a x_{i}") == "a|x_{i j}|b");
  CHECK(broken("in \\OK now", "in OK") == "in \\OK|now");
}

TEST_CASE("a number stays with its unit") {
  CHECK(broken("it reads 16.8 MB again", "it reads 16.8") == "it reads|16.8 MB|again");
  CHECK(broken("about 47 % of it", "about 47") == "about|47 % of|it");
  CHECK(broken("6 = 2 + 4", "6 = 2") == "6 = 2|+ 4");
}

TEST_CASE("Chinese breaks anywhere but before closing and after opening marks") {
  CHECK(broken("中文注意力", "中文注") == "中文注|意力");
  CHECK(broken("中文注，意力", "中文注") == "中文|注，意|力");
  CHECK(broken("中文（注）意", "中文（注") == "中文|（注）意");
  CHECK(broken("注意HBM中文", "注意HBM") == "注意HBM|中文");
}

TEST_CASE("a word wider than the line is broken where the line ends") {
  CHECK(broken("abcdefgh", "abc") == "abc|def|gh");
  CHECK(broken("ab", "") == "a|b");
}

TEST_CASE("no line is wider than the given width") {
  const std::string text = "S = Q_i K_j^T / √d 注意 HBM，中文 16.8 MB back, then dP_{ij} ← dO_i V_j^T（注意力）.";
  draw_on(20, 20, [&](Canvas& c) {
    for (float width = 70; width < 700; width += 13) {
      std::string joined;
      for (const std::string_view line : wrap(c, body, text, width)) {
        CHECK(rich_width(c, body, line) <= width + 1);
        joined += line;
      }
      std::string spaceless = text;
      std::erase(spaceless, ' ');
      std::erase(joined, ' ');
      CHECK(joined == spaceless);
    }
  });
}

TEST_CASE("a paragraph is as high as its lines and never leaves its box") {
  const std::string text = "one two three four five six seven eight nine ten eleven twelve";
  const Color white = rgb(0xFFFFFF);
  draw_on(400, 300, [&](Canvas& c) {
    const float height = paragraph_height(c, body, text, 80);
    CHECK(height == static_cast<float>(wrap(c, body, text, 80).size()) * line_step(c, body));
    CHECK(paragraph(c, {0, 0, 80, 300}, body, {.color = white}, text) == height);
    CHECK(paragraph(c, {0, 0, 80, 45}, body, {.color = white}, text) == 2 * line_step(c, body));
    CHECK(paragraph(c, {0, 0, 80, 5}, body, {.color = white}, text) == 0);
  });
  const auto picture = draw_on(100, 100, [&](Canvas& c) {
    paragraph(c, {0, 0, 80, 45}, body, {.color = white}, text);
  });
  CHECK(highest_drawn(picture) > 21);
  CHECK(highest_drawn(picture) <= 45);
}

TEST_CASE("text that does not fit below is replaced by dots") {
  const std::string text = "one two three four five six seven";
  const auto drawn = [&](std::string_view markup, float height) {
    return draw_on(120, 60, [&](Canvas& c) {
      paragraph(c, {0, 0, 80, height}, body, {.color = rgb(0xFFFFFF)}, markup);
    });
  };
  const bool dots = drawn(text, 21) == drawn("one two…", 21), whole = drawn("one two", 21) == drawn("one two…", 21);
  CHECK(dots);
  CHECK_FALSE(whole);
}
