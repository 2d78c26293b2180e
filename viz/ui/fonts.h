// Text styles of the explorer, rasterised from the fonts that are compiled in.
#pragma once
#include <imgui.h>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

namespace ui {

/// Role of a text, which determines its font and its size in CSS pixels: caption 12, control 13 Medium, body 14,
/// title 15 SemiBold, number 22 SemiBold with digits of equal width (Inter); code 14, table 12 (JetBrains Mono);
/// scripts: of small text 10, of body and title 11, of code 10 Mono.
enum class Style { caption, control, body, title, number, code, table, small_script, script, code_script };
inline constexpr int styles = 10;

/// Style of the subscripts and superscripts of a text.
Style script_of(Style style);

/// Every style at one scale, in one texture with one byte per pixel. The atlas must outlive the ImGui contexts that use
/// it: ImGui::CreateContext(fonts.atlas.get()), and ImGui::GetIO().Fonts between frames when the scale changes.
struct Fonts {
  float scale = 1;  ///< device pixels per CSS pixel
  std::unique_ptr<ImFontAtlas> atlas;
  std::array<ImFont*, styles> fonts{};  ///< owned by the atlas
  std::array<float, styles> ems{};      ///< sizes in device pixels

  ImFont& operator[](Style style) const { return *fonts[static_cast<std::size_t>(style)]; }
  float em(Style style) const { return ems[static_cast<std::size_t>(style)]; }
};

/// Rasterises the glyphs: 25 ms at scale 1, more with Chinese. The fallbacks DejaVu and Noto CJK are merged into each
/// style. Throws sim::Error for a scale outside 0.25 .. 8.
Fonts make_fonts(float scale);

/// make_fonts(), cached for the last six scales: a window that opens, or returns to a screen, does not rasterise glyphs
/// again. add_chinese() clears the cache. Not thread-safe.
std::shared_ptr<const Fonts> shared_fonts(float scale);

/// Adds the Chinese characters of a text from a TrueType font, or, if the text is empty, all of them, to what
/// make_fonts() rasterises from then on; existing characters are kept. Throws sim::Error if the bytes are not a font.
void add_chinese(std::string_view font, std::string_view text);

/// Characters of a UTF-8 text that a style cannot show, each once, in the order of the text; line ends do not count.
std::vector<char32_t> missing(const Fonts& fonts, Style style, std::string_view text);

}  // namespace ui
