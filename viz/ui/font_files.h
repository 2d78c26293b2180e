// Fonts compiled into the program. The definition is generated: see cmake/Fonts.cmake.
#pragma once
#include <span>
#include <string_view>

namespace ui {

/// A font cut down to the characters that the explorer can show.
struct FontFile {
  std::string_view name;         ///< "inter-regular": as cmake/Fonts.cmake calls it
  const unsigned char* bytes;    ///< TrueType or OpenType
  int size;                      ///< number of `bytes`
  const unsigned short* ranges;  ///< code points: first, last, first, last, ..., 0
};

/// All fonts; "hanzi" is the Chinese one.
std::span<const FontFile> font_files();

}  // namespace ui
