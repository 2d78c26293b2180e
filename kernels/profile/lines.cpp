#include "kernels/profile/lines.h"

#include <algorithm>

namespace profile {
namespace {

bool is_of_profiler(std::string_view line) {
  if (!line.starts_with("==")) return false;
  const std::size_t end = line.find("==", 2);
  return end != std::string_view::npos && end > 2 &&
         std::all_of(line.begin() + 2, line.begin() + static_cast<std::ptrdiff_t>(end),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); });
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      byte(0xE0 | code >> 12);
    } else {
      byte(0xF0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3F));
    }
    byte(0x80 | (code >> 6 & 0x3F));
  }
  byte(0x80 | (code & 0x3F));
}

/// Decodes UTF-16, two bytes per unit, low or high byte first; two units for code points beyond 2^16.
std::string from_utf16(std::string_view text, bool low_first) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]), second = static_cast<unsigned char>(text[at + 1]);
    return static_cast<std::uint32_t>(low_first ? first | second << 8 : second | first << 8);
  };
  std::string out;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    std::uint32_t code = unit(at);
    if (code >= 0xD800 && code < 0xDC00 && at + 3 < text.size() && unit(at + 2) >= 0xDC00 && unit(at + 2) < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (unit(at + 2) - 0xDC00);
      at += 2;
    }
    append_utf8(out, code);
  }
  return out;
}

}  // namespace

std::string in_utf8(std::string_view text) {
  if (text.starts_with("\xFF\xFE")) return from_utf16(text.substr(2), true);
  if (text.starts_with("\xFE\xFF")) return from_utf16(text.substr(2), false);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return std::string(text);
}

bool Lines::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    while (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    if (!is_of_profiler(line_)) return true;
  }
  return false;
}

}  // namespace profile
