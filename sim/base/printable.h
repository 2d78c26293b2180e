// Makes untrusted text (from files, names, arguments) safe to show: nothing in it can deceive a reader or control a
// terminal. All output passes through here once, where its format is written.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sim {

/// The first character of a text that is not empty. A byte that is not UTF-8 has size 1 and is not valid.
struct Character {
  char32_t code = 0;
  std::size_t size = 1;
  bool valid = false;
};
Character first_character(std::string_view text);

/// True if a reader sees the character, or the space it takes. Invisible are controls (C0, C1), bidirectional marks,
/// zero-width characters, and code points that are not characters.
bool is_visible(char32_t code);

/// Returns text as one line: white space becomes a space, invisible characters are escaped (\u{202e}, \x1b), and so is
/// each byte that is not UTF-8 (\xff). Printable text is unchanged.
std::string printable(std::string_view text);

/// Like printable(), but keeps line ends.
std::string printable_lines(std::string_view text);

/// Like printable(), but cut to at most `longest` bytes, with "..." for the rest.
std::string shortened(std::string_view text, std::size_t longest);

/// Like shortened(), in double quotes.
std::string quoted(std::string_view text, std::size_t longest = 60);

/// Returns equivalent JSON: invisible characters within its strings become \u202e and the like, and a byte that is not
/// UTF-8 becomes U+FFFD.
std::string printable_json(std::string_view json);

}  // namespace sim
