#include "viz/ui/fonts.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/base/check.h"
#include "viz/ui/font_files.h"

using namespace ui;

namespace {

const Style all[] = {Style::caption, Style::control, Style::body,         Style::title,  Style::number,
                     Style::code,    Style::table,   Style::small_script, Style::script, Style::code_script};

float advance(const Fonts& fonts, Style style, char c) {
  const ImFontGlyph* glyph = fonts[style].FindGlyphNoFallback(static_cast<ImWchar>(c));
  REQUIRE(glyph != nullptr);
  return glyph->AdvanceX;
}

}  // namespace

TEST_CASE("every style has the symbols of attention's equations") {
  const Fonts fonts = make_fonts(1);
  for (const Style style : all) {
    CHECK(missing(fonts, style, "The quick brown fox 0123456789 jumps over (a ≤ b) × {c} · d − e ± µs ²").empty());
    CHECK(missing(fonts, style, "∑ √ ≠ ≈ ≥ ∞ ∈ ℝ ← → ℓ αβγδεθλμσ Π Σ ∂ ∇ ⌈⌉ ⌊⌋ ∝ ⊙ ∘ ′ … ᵀ ₀ ᵢ ⱼ").empty());
  }
}

TEST_CASE("every style shows the Chinese characters of the string files, and no others") {
  const Fonts fonts = make_fonts(1);
  for (const Style style : all) {
    CHECK(missing(fonts, style, "中文 Q 注意力").empty());
    CHECK(missing(fonts, style, "中国") == std::vector<char32_t>{U'国'});
  }
}

TEST_CASE("characters that no font has are reported once, in the order of the text") {
  const Fonts fonts = make_fonts(1);
  CHECK(missing(fonts, Style::body, "a⏸b☃⏸\n🎲") == std::vector<char32_t>{U'⏸', U'☃', U'🎲'});
}

TEST_CASE("the letters of a style have the size that designers expect") {
  // Inter's capitals are 0.727 em high, JetBrains Mono's 0.73: whole pixels at a large scale show the em.
  const Fonts fonts = make_fonts(4);
  for (const auto& [style, em] :
       {std::pair{Style::caption, 12.f}, {Style::body, 14.f}, {Style::number, 22.f}, {Style::code, 14.f}}) {
    const ImFontGlyph& h = *fonts[style].FindGlyphNoFallback('H');
    CHECK(h.Y1 - h.Y0 == Approx(4 * em * 0.729).margin(1.6));  // glyphs have half a pixel of border
    CHECK(fonts.em(style) == 4 * em);
  }
}

TEST_CASE("digits have the same width in tabular text") {
  const Fonts fonts = make_fonts(1);
  for (const Style style : {Style::number, Style::table, Style::code}) {
    for (char c = '1'; c <= '9'; ++c) CHECK(advance(fonts, style, c) == advance(fonts, style, '0'));
  }
}

TEST_CASE("digits are centred in their cells in tabular text, wide or narrow") {
  const Fonts fonts = make_fonts(4);
  for (char c = '0'; c <= '9'; ++c) {
    const ImFontGlyph& digit = *fonts[Style::number].FindGlyphNoFallback(static_cast<ImWchar>(c));
    INFO(c);
    CHECK((digit.X0 + digit.X1) / 2 == Approx(digit.AdvanceX / 2).margin(0.05 * fonts.em(Style::number)));
  }
}

TEST_CASE("an atlas is built again with the same pixels") {
  const Fonts one = make_fonts(1.25f), two = make_fonts(1.25f);
  unsigned char *a = nullptr, *b = nullptr;
  int width = 0, height = 0, width_again = 0, height_again = 0;
  one.atlas->GetTexDataAsAlpha8(&a, &width, &height);
  two.atlas->GetTexDataAsAlpha8(&b, &width_again, &height_again);
  REQUIRE(width == width_again);
  REQUIRE(height == height_again);
  const bool same = std::equal(a, a + width * height, b);
  CHECK(same);
}

TEST_CASE("windows of the last six scales share their font atlases") {
  const auto first = shared_fonts(1), second = shared_fonts(1.25f);
  CHECK(second->scale == 1.25f);
  for (const float scale : {0.5f, 0.75f, 1.5f, 2.f}) shared_fonts(scale);
  CHECK(shared_fonts(1) == first);  // now the most recently used
  shared_fonts(0.25f);
  CHECK(shared_fonts(1) == first);
  CHECK(shared_fonts(1.25f) != second);
}

TEST_CASE("an invalid scale is refused") {
  CHECK_THROWS_AS(shared_fonts(0), sim::Error);
  CHECK_THROWS_WITH(make_fonts(0), "fonts: a scale of 0 cannot be drawn; 0.25 to 8 can");
  CHECK_THROWS_AS(make_fonts(9), sim::Error);
}

TEST_CASE("the fonts that are compiled in are small") {
  int bytes = 0;
  for (const FontFile& file : font_files()) bytes += file.size;
  CHECK(bytes > 50 * 1024);
  CHECK(bytes < 400 * 1024);
}

TEST_CASE("bytes that are not a complete TrueType font are refused before they are parsed") {
  const auto files = font_files();
  const auto hanzi =
      std::find_if(files.begin(), files.end(), [](const FontFile& file) { return file.name == "hanzi"; });
  REQUIRE(hanzi != files.end());
  const std::string whole(reinterpret_cast<const char*>(hanzi->bytes), static_cast<std::size_t>(hanzi->size));
  const auto error_of = [](const std::string& font) -> std::string {
    try {
      add_chinese(font, "中");
    } catch (const sim::Error& error) {
      return error.what();
    }
    return "";
  };
  const auto with = [&](std::size_t at, const std::string& bytes) {
    return std::string(whole).replace(at, bytes.size(), bytes);
  };
  CHECK_THAT(error_of(""), Catch::Contains("are not a font"));
  CHECK_THAT(error_of(with(0, "OTTO")), Catch::Contains("do not begin as a TrueType font"));
  CHECK_THAT(error_of("<!DOCTYPE html><title>404</title>"), Catch::Contains("do not begin"));
  CHECK_THAT(error_of(whole.substr(0, 20)), Catch::Contains("table of contents"));
  CHECK_THAT(error_of(whole.substr(0, whole.size() / 2)), Catch::Contains("a table of a font is cut off"));
  CHECK_THAT(error_of(with(12 + 8, "\xff\xff\xff\xff")), Catch::Contains("cut off"));   // its offset
  CHECK_THAT(error_of(with(12 + 12, "\x7f\xff\xff\xff")), Catch::Contains("cut off"));  // its size
  CHECK_THAT(error_of(with(12, "none")), Catch::Contains("has no table"));
}
