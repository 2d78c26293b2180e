// UTF-8, as far as drawing needs it.
#pragma once
#include <string_view>

namespace ui {

/// The bytes of the first character of a text that is not empty: 1 to 4, never more than there are. A byte that begins
/// no character counts as one.
inline std::size_t first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  return size < text.size() ? size : text.size();
}

/// The code point of the first character.
inline char32_t code_point(std::string_view text) {
  const std::size_t size = first_character(text);
  const auto lead = static_cast<unsigned char>(text[0]);
  char32_t value = size == 1 ? lead : lead & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  return value;
}

}  // namespace ui
