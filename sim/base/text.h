// String helpers: streams, ASCII case, trimming, splitting and joining.
#pragma once
#include <algorithm>
#include <ios>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// Output string stream that throws on failure: a plain std::ostringstream that runs out of memory silently drops text.
class TextStream : public std::ostringstream {
 public:
  TextStream() { exceptions(std::ios::badbit); }
};

/// Input string stream that throws on failure.
class WordStream : public std::istringstream {
 public:
  explicit WordStream(const std::string& text) : std::istringstream(text) { exceptions(std::ios::badbit); }
};

/// Joins its arguments as text: text("needs ", 3, " KiB") == "needs 3 KiB".
template <class... Part>
std::string text(const Part&... part) {
  TextStream out;
  (out << ... << part);
  return out.str();
}

constexpr bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Converts ASCII letters only: names have no others.
constexpr char in_lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = in_lower_case(c);
  return lower;
}

/// Removes blanks at both ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " ") {
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Splits "dark|light" at "|" into "dark", "light". Keeps empty parts; text without a separator is one part.
inline std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

/// Quotes an argument for a POSIX shell: in single quotes unless every character is plain.
inline std::string shell_word(std::string_view word) {
  const auto is_plain = [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("/._-+,:@~").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Joins texts with a separator: the inverse of split().
template <class Texts>
std::string joined(const Texts& texts, std::string_view separator = ", ") {
  std::string all;
  std::string_view before;
  for (const auto& text : texts) {
    all.append(before).append(text);
    before = separator;
  }
  return all;
}

}  // namespace sim
