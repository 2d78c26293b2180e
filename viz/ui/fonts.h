// The text styles of the explorer, drawn from the fonts that are compiled in.
#pragma once
#include <imgui.h>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

namespace ui {

/// What a text is, which decides its font and its size in CSS pixels: caption 12, control 13 Medium, body 14,
/// title 15 SemiBold, number 22 SemiBold with digits of equal width (Inter); code 14, table 12 (JetBrains Mono);
/// scripts: of small text 10, of body and title 11, of code 10 Mono.
enum class Style { caption, control, body, title, number, code, table, small_script, script, code_script };
inline constexpr int styles = 10;

/// The style of the subscripts and superscripts of a text.
Style script_of(Style style);

/// Every style at one scale, in one texture with one byte a pixel. The atlas must outlive the ImGui contexts that use
/// it: ImGui::CreateContext(fonts.atlas.get()), and ImGui::GetIO().Fonts between frames when the scale changes.
struct Fonts {
  float scale = 1;  ///< device pixels per CSS pixel
  std::unique_ptr<ImFontAtlas> atlas;
  std::array<ImFont*, styles> fonts{};  ///< they belong to the atlas
  std::array<float, styles> ems{};      ///< their sizes in device pixels

  ImFont& operator[](Style style) const { return *fonts[static_cast<std::size_t>(style)]; }
  float em(Style style) const { return ems[static_cast<std::size_t>(style)]; }
};

/// Draws the glyphs: 25 ms at scale 1, more with Chinese. The fallbacks DejaVu and Noto CJK are merged into each style.
/// Throws sim::Error for a scale outside 0.25 .. 8.
Fonts make_fonts(float scale);

/// make_fonts(), or what it made for one of the last six scales: a window that opens, or comes back to a screen, does
/// not draw glyphs anew. add_chinese() forgets them. For one thread.
std::shared_ptr<const Fonts> shared_fonts(float scale);

/// Adds a TrueType font with the Chinese characters of a text to what make_fonts() draws from then on, or, without a
/// text, with all that it has; those that are there already stay as they are. Throws sim::Error for what is no font.
void add_chinese(std::string_view font, std::string_view text);

/// The characters of a UTF-8 text that a style cannot show, each once, in the order of the text; line ends are no
/// characters.
std::vector<char32_t> missing(const Fonts& fonts, Style style, std::string_view text);

}  // namespace ui
