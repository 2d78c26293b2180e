// Lists that are written in one text: "dark|light", "flash1,br:64+bc:32".
#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

namespace explorer {

/// What stands between the separators, empty pieces too; one piece for a text without any.
inline std::vector<std::string_view> pieces_of(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    pieces.push_back(text.substr(0, end));
    if (end == text.size()) return pieces;
    text.remove_prefix(end + 1);
  }
}

}  // namespace explorer
