#include "sim/programs/recorded/long_texts.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace sim::recorded {
namespace {

constexpr std::string_view quotes = "\"\"\"";

/// Encodes a code point as UTF-8.
std::string encoded(char32_t code) {
  const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F))};
  if (code < 0x10000) return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
  return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)), byte(0x80 | (code >> 6 & 0x3F)),
          byte(0x80 | (code & 0x3F))};
}

class Scanner {
 public:
  Scanner(std::string_view toml, const std::string& origin) : rest_(toml), origin_(origin) {}

  WithoutLongTexts scan() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      const std::string_view line = trimmed(rest_.substr(0, end), " \t\r");
      if (line.ends_with(quotes) && trimmed(line.substr(0, line.size() - 3)).ends_with('=') && !line.starts_with('#')) {
        found_.toml += line.substr(0, line.size() - 3);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        const int first = line_++;
        take_text(first);
      } else {
        found_.toml += rest_.substr(0, std::min(end + 1, rest_.size()));
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++line_;
      }
    }
    return std::move(found_);
  }

 private:
  void take_text(int first) {
    std::string text;
    while (!rest_.starts_with(quotes)) {
      require(!rest_.empty(), origin_, ":", first, ": the text that begins here does not end: \"\"\" is missing");
      line_ += rest_.front() == '\n';
      if (rest_.front() == '\\') {
        text += escaped();
      } else {
        text += rest_.front();
        rest_.remove_prefix(1);
      }
    }
    rest_.remove_prefix(quotes.size());
    found_.toml +=
        sim::text("\"@", found_.texts.size(), "\"", std::string(static_cast<std::size_t>(line_ - first), '\n'));
    found_.texts.push_back(std::move(text));
    const std::string_view after = rest_.substr(0, rest_.find('\n'));
    require(trimmed(after, " \t\r").empty(), origin_, ":", line_, ": nothing may follow \"\"\"");
    rest_.remove_prefix(std::min(after.size() + 1, rest_.size()));
    ++line_;
  }

  std::string escaped() {
    const char kind = rest_.size() > 1 ? rest_[1] : '\0';
    constexpr std::string_view letters = "btnfr\"\\", meanings = "\b\t\n\f\r\"\\";
    if (const std::size_t at = letters.find(kind); kind != '\0' && at != std::string_view::npos) {
      rest_.remove_prefix(2);
      return {meanings[at]};
    }
    const std::size_t digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    require(digits > 0, origin_, ":", line_, ": ", quoted(rest_.substr(0, 2)), " is not an escape of TOML");
    const std::string_view number = rest_.substr(2, digits);
    const bool is_number =
        number.size() == digits && number.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    const auto code = is_number ? static_cast<char32_t>(std::stoul(std::string(number), nullptr, 16)) : 0;
    require(is_number && code < 0x110000 && (code < 0xD800 || code > 0xDFFF), origin_, ":", line_, ": ",
            quoted(rest_.substr(0, 2 + digits)), " is not a character");
    rest_.remove_prefix(2 + digits);
    return encoded(code);
  }

  std::string_view rest_;
  const std::string& origin_;
  WithoutLongTexts found_;
  int line_ = 1;
};

}  // namespace

WithoutLongTexts take_out_long_texts(std::string_view toml, const std::string& origin) {
  return Scanner(toml, origin).scan();
}

}  // namespace sim::recorded
