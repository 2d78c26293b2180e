// Foreign text for people: what a file, a name or an argument holds, without what deceives a reader or drives a
// terminal. Everything that goes out passes here once, at the one place of its format.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sim {

/// The first character of a text that is not empty. What is not UTF-8 is one byte, and not valid.
struct Character {
  char32_t code = 0;
  std::size_t size = 1;
  bool valid = false;
};
Character first_character(std::string_view text);

/// Does a reader see it, or the space that it takes? Not so controls (C0, C1), marks that turn the direction of text,
/// characters without width, and code points that are no characters.
bool is_visible(char32_t code);

/// One line: white space is a space, what cannot be seen is written out (\u{202e}, \x1b), and so is each byte that is
/// not UTF-8 (\xff). Printable text stays as it is.
std::string printable(std::string_view foreign);

/// The same with its line ends.
std::string printable_lines(std::string_view text);

/// The same as printable, and "..." for what is more than `longest` bytes.
std::string shortened(std::string_view foreign, std::size_t longest);

/// The same in double quotes.
std::string quoted(std::string_view foreign, std::size_t longest = 60);

/// JSON that means the same: what cannot be seen in its texts is \u202e there, and a byte that is not UTF-8 is U+FFFD.
std::string printable_json(std::string_view json);

}  // namespace sim
