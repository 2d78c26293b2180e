// Inputs that are command lines: a word per line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines.emplace_back(line);
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
  }
  return lines;
}

/// The longest run of digits: texts with short ones take little time.
inline std::size_t longest_number(std::string_view text) {
  std::size_t digits = 0, longest = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > longest) longest = digits;
  }
  return longest;
}

}  // namespace fuzz
