#include "sim/report/line_breaks.h"

#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace report {
namespace {

using std::string_view;

using sim::first_character;
using sim::is_digit;
using sim::is_letter;

string_view first_of(string_view text) { return text.substr(0, first_character(text).size); }

/// True for Chinese characters and punctuation, which are written without spaces.
bool is_hanzi(string_view character) { return first_character(character).code >= 0x2E80; }
bool contains(string_view marks, string_view character) { return marks.find(character) != string_view::npos; }
bool closes(string_view character) { return contains("，。、；：？！）」』》〉】…”’,.;:?!)]}%", character); }
bool opens(string_view character) { return contains("（「『《〈【“‘([{", character); }

std::size_t script_size(string_view text) {
  if (text.size() < 2 || (text[0] != '_' && text[0] != '^')) return 0;
  const std::size_t close = text[1] == '{' ? text.find('}') : string_view::npos;
  return close == string_view::npos ? 1 + first_character(text.substr(1)).size : close + 1;
}

/// Size of a character with its attachments: the backslash before it and its scripts.
std::size_t sign_size(string_view text) {
  const std::size_t slash = text[0] == '\\' && text.size() > 1 ? 1 : 0;
  std::size_t size = slash + first_character(text.substr(slash)).size;
  while (const std::size_t script = script_size(text.substr(size))) size += script;
  return size;
}

/// True if a line may end after `before`, when `after` comes next and `last` is the last byte before a space.
bool may_break(string_view before, string_view after, char last) {
  if (before == " ")
    return after != " " && !(is_digit(last) && (is_letter(after[0]) || contains("µ%", first_of(after))));
  const string_view a = first_of(before), b = first_of(after);
  return b != " " && (is_hanzi(a) || is_hanzi(b)) && !opens(a) && !closes(b);
}

/// Size of the text that stays on one line, with the spaces after it; a line feed is a chunk of its own.
std::size_t chunk_size(string_view text) {
  string_view before = text.substr(0, sign_size(text));
  char last = before.back();
  std::size_t size = before.size();
  while (size < text.size() && before != "\n" && text[size] != '\n') {
    const string_view after = text.substr(size, sign_size(text.substr(size)));
    if (may_break(before, after, last)) break;
    if (after != " ") last = after.back();
    size += after.size();
    before = after;
  }
  return size;
}

string_view without_end_blanks(string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Size of the part of a text that fits into a width, at least one character.
std::size_t fitting(string_view text, float width, const WidthOf& width_of) {
  std::size_t size = sign_size(text);
  while (size < text.size()) {
    const std::size_t next = size + sign_size(text.substr(size));
    if (width_of(text.substr(0, next)) > width) break;
    size = next;
  }
  return size;
}

/// Size of the first line in bytes, including the spaces and the line feed after it.
std::size_t line_size(string_view text, float width, const WidthOf& width_of) {
  constexpr float rounding = 0.5f;
  std::size_t size = 0;
  for (float x = 0; size < text.size();) {
    const string_view chunk = text.substr(size, chunk_size(text.substr(size)));
    if (chunk == "\n") return size + 1;
    if (x + width_of(without_end_blanks(chunk)) > width + rounding)
      return size > 0 ? size : fitting(chunk, width, width_of);
    x += width_of(chunk);
    size += chunk.size();
  }
  return size;
}

}  // namespace

float columns_of(string_view text) {
  float width = 0;
  while (!text.empty()) {
    const sim::Character character = first_character(text);
    text.remove_prefix(character.size);
    width += character.code >= 0x2E80 && character.code < 0x10000 ? 2 : 1;
  }
  return width;
}

std::vector<string_view> break_lines(string_view markup, float width, const WidthOf& width_of) {
  std::vector<string_view> lines;
  while (!markup.empty()) {
    const std::size_t size = line_size(markup, width, width_of);
    string_view line = markup.substr(0, size);
    if (line.ends_with('\n')) line.remove_suffix(1);
    lines.push_back(without_end_blanks(line));
    markup.remove_prefix(size);
  }
  return lines;
}

}  // namespace report
