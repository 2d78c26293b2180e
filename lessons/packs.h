// Packs: a lesson in one language, or what the page says in it ("words"), as one file that a page fetches when it is
// wanted. Packs.cmake writes them.
//
//   flashscope-pack 1 07-flash1-by-hand zh 8762 12491 20480
//   and below this line its lesson.toml (of words nothing), its zh.md and a font, each of so many bytes
#pragma once
#include <string>
#include <string_view>

#include "lessons/page.h"

namespace lessons {

inline constexpr std::size_t longest_pack = std::size_t{512} * 1024;  ///< bytes

/// Parts of the bytes that it was read from. The font, TrueType, has the Chinese characters that what is there before
/// lacks; it is empty where that lacks none.
struct Pack {
  std::string id;
  Language language = Language::en;
  std::string_view toml, words, font;
};

/// "07-flash1-by-hand.zh"
std::string pack_name(std::string_view id, Language language);

/// Throws sim::Error that names the file, for bytes that are no pack, or fewer or more than the first line says.
Pack read_pack(std::string_view bytes, const std::string& file);

/// Reads and shelves the lesson of a pack (catalogue.h). Throws sim::Error for one that is wrong.
void shelve(const Pack& pack, const std::string& file);

}  // namespace lessons
