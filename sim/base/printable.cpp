#include "sim/base/printable.h"

#include <algorithm>

namespace sim {
namespace {

/// Code points that printable() escapes. Source: Unicode 15, the categories Cc, Zl and Zp and the property
/// Default_Ignorable_Code_Point.
struct CodePointRange {
  char32_t first, last;
};
constexpr CodePointRange invisible[] = {{0x0, 0x1f},      {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},
                                        {0x61c, 0x61c},   {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
                                        {0x200b, 0x200f}, {0x2028, 0x202e},   {0x2060, 0x206f},   {0x3164, 0x3164},
                                        {0xfdd0, 0xfdef}, {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
                                        {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

std::string hex(std::uint32_t number, std::size_t digits) {
  std::string text;
  for (; number > 0 || text.size() < digits; number /= 16) text.insert(0, 1, "0123456789abcdef"[number % 16]);
  return text;
}

bool is_space(char32_t code) { return code >= '\t' && code <= '\r'; }

/// Number of leading plain ASCII bytes: nearly all output consists of them, and they need no further check.
std::size_t plain_bytes(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && text[n] >= ' ' && text[n] <= '~') ++n;
  return n;
}

std::string shown(const Character& character, std::string_view bytes) {
  if (!character.valid) return "\\x" + hex(static_cast<unsigned char>(bytes[0]), 2);
  if (is_space(character.code)) return " ";
  if (is_visible(character.code)) return std::string(bytes);
  return character.code < 0x80 ? "\\x" + hex(character.code, 2) : "\\u{" + hex(character.code, 1) + "}";
}

/// Returns \u202e; beyond 16 bits a surrogate pair.
std::string json_escape(char32_t code) {
  if (code < 0x10000) return "\\u" + hex(code, 4);
  const char32_t rest = code - 0x10000;
  return "\\u" + hex(0xd800 + (rest >> 10), 4) + "\\u" + hex(0xdc00 + (rest & 0x3ff), 4);
}

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t n) {
    return n < text.size() ? static_cast<unsigned char>(text[n]) : static_cast<unsigned char>(0);
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  char32_t code = lead & (0x7fu >> size);
  for (std::size_t n = 1; n < size; ++n) {
    if ((byte(n) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(n) & 0x3fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // by size: lower code points are overlong
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (lead < 0xc0 || lead > 0xf7 || code < least[size] || code > 0x10ffff || surrogate) return {};
  return {code, size, true};
}

bool is_visible(char32_t code) {
  if ((code & 0xfffe) == 0xfffe) return false;  // the last two of each plane
  return std::none_of(std::begin(invisible), std::end(invisible),
                      [&](const CodePointRange& range) { return range.first <= code && code <= range.last; });
}

std::string printable(std::string_view text) { return shortened(text, std::string_view::npos); }

std::string printable_lines(std::string_view text) {
  std::string lines;
  for (;;) {
    const std::size_t end = text.find('\n');
    lines += printable(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    lines += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string shortened(std::string_view text, std::size_t longest) {
  std::string line(text.substr(0, std::min(plain_bytes(text), longest)));
  text.remove_prefix(line.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string next = shown(character, text.substr(0, character.size));
    if (line.size() + next.size() > longest) return line + "...";
    line += next;
    text.remove_prefix(character.size);
  }
  return line;
}

std::string quoted(std::string_view text, std::size_t longest) { return "\"" + shortened(text, longest) + "\""; }

std::string printable_json(std::string_view json) {
  std::string text;
  while (!json.empty()) {
    if (const std::size_t plain = plain_bytes(json); plain > 0) {
      text += json.substr(0, plain);
      json.remove_prefix(plain);
      continue;
    }
    const Character character = first_character(json);
    const bool layout = character.code < ' ';  // between strings: within a string it is not valid JSON
    if (!character.valid)
      text += "\\ufffd";
    else if (layout || is_visible(character.code))
      text += json.substr(0, character.size);
    else
      text += json_escape(character.code);
    json.remove_prefix(character.size);
  }
  return text;
}

}  // namespace sim
