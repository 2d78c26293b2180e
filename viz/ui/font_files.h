// The fonts that are compiled into the program. The definition is generated: see viz/fonts/make_subset.py.
#pragma once
#include <span>
#include <string_view>

namespace ui {

/// A font cut down to the characters that the explorer can show.
struct FontFile {
  std::string_view name;         ///< "inter-regular": as cmake/Fonts.cmake calls it
  const unsigned char* bytes;    ///< TrueType or OpenType
  int size;                      ///< of `bytes`
  const unsigned short* ranges;  ///< its code points: first, last, first, last, ..., 0
  float line_height;             ///< (ascent + descent) / em, of the table hhea
};

/// All of them; the Chinese font, "noto-cjk", only when the program has Chinese text.
std::span<const FontFile> font_files();

}  // namespace ui
