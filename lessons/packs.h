// Packs: a lesson in one language, or the page's own texts in it ("words"), as one file that the web page fetches on
// demand. Written by Packs.cmake.
//
//   flashscope-pack 1 07-flash1-by-hand zh 8762 12491 20480
//   followed by its lesson.toml (empty for "words"), its zh.md and a font, of the sizes given
#pragma once
#include <string>
#include <string_view>

#include "lessons/page.h"

namespace lessons {

inline constexpr std::size_t longest_pack = std::size_t{512} * 1024;  ///< bytes

/// Contents of a pack, views of the bytes that it was read from. The font (TrueType) adds the Chinese characters that
/// the fonts already in the page lack; it is empty if they lack none.
struct Pack {
  std::string id;
  Language language = Language::en;
  std::string_view toml, words, font;
};

/// "07-flash1-by-hand.zh"
std::string pack_name(std::string_view id, Language language);

/// Throws sim::Error that names the file, if the bytes are not a pack, or fewer or more than the first line gives.
Pack read_pack(std::string_view bytes, const std::string& file);

/// Registers the lesson of a pack (catalogue.h). Throws sim::Error if the lesson is wrong.
void register_lesson(const Pack& pack, const std::string& file);

}  // namespace lessons
