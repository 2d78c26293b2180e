#include "sim/base/painted.h"

#include <charconv>

#include "sim/base/check.h"
#include "sim/base/text.h"

namespace sim {
namespace {

constexpr std::string_view hex_digits = "0123456789ABCDEF";
constexpr const char* form = "painted:COLUMNS:ROW.ROW...";

int value_of(char digit) {
  const char upper = digit >= 'a' && digit <= 'f' ? static_cast<char>(digit - 'a' + 'A') : digit;
  const std::size_t at = hex_digits.find(upper);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

void read_row(std::string_view typed, std::int64_t row, Picture& picture) {
  const std::int64_t longest = (picture.width + 3) / 4, given = static_cast<std::int64_t>(typed.size());
  require(given <= longest, "pattern: row ", row, " of the painted blocks has ", given, " digits, ", picture.width,
          " columns take at most ", longest);
  for (std::int64_t n = 0; n < given; ++n) {
    const int bits = value_of(typed[static_cast<std::size_t>(n)]);
    require(bits >= 0, "pattern: row ", row, " of the painted blocks: \"", typed.substr(0, 50),
            "\" is not hexadecimal digits");
    for (std::int64_t bit = 0; bit < 4; ++bit) {
      if (((bits >> (3 - bit)) & 1) == 0) continue;
      const std::int64_t column = 4 * n + bit;
      require(column < picture.width, "pattern: row ", row, " of the painted blocks shows column ", column,
              ", allowed are those below ", picture.width);
      picture.black[static_cast<std::size_t>(row * picture.width + column)] = true;
    }
  }
}

std::string row_text(const Picture& picture, std::int64_t row) {
  std::string text;
  for (std::int64_t column = 0; column < picture.width; column += 4) {
    std::size_t bits = 0;
    for (std::int64_t bit = 0; bit < 4 && column + bit < picture.width; ++bit)
      bits |= picture.is_black(row, column + bit) ? std::size_t{8} >> bit : 0;
    text += hex_digits[bits];
  }
  text.resize(text.find_last_not_of('0') + 1);  // npos + 1: an empty row
  return text;
}

}  // namespace

Picture read_painted(std::string_view typed) {
  const std::vector<std::string_view> parts = split(typed, ":");
  require(parts.size() == 3 && parts[0] == painted_name, "pattern: \"", typed.substr(0, 50), "\" is not ", form);
  Picture picture;
  const std::string_view width = parts[1];
  const auto [end, error] = std::from_chars(width.data(), width.data() + width.size(), picture.width);
  require(
      error == std::errc{} && end == width.data() + width.size() && picture.width >= 1 && picture.width <= most_painted,
      "pattern: \"", width.substr(0, 50), "\" is not a number of painted columns from 1 to ", most_painted);
  const std::vector<std::string_view> rows = split(parts[2], ".");
  picture.height = static_cast<std::int64_t>(rows.size());
  require(picture.height <= most_painted / picture.width, "pattern: ", picture.width, " x ", picture.height,
          " painted blocks are more than ", most_painted, ": make a picture of them, FILE.pbm");
  picture.black.resize(static_cast<std::size_t>(picture.width * picture.height));
  for (std::size_t row = 0; row < rows.size(); ++row) read_row(rows[row], static_cast<std::int64_t>(row), picture);
  return picture;
}

std::string painted_text(const Picture& picture) {
  std::string painted = text(painted_name, ":", picture.width, ":");
  for (std::int64_t row = 0; row < picture.height; ++row) {
    if (row > 0) painted += '.';
    painted += row_text(picture, row);
  }
  return painted;
}

Picture resized(const Picture& picture, std::int64_t width, std::int64_t height) {
  Picture other{width, height, std::vector<bool>(static_cast<std::size_t>(width * height))};
  for (std::int64_t row = 0; row < height; ++row) {
    for (std::int64_t column = 0; column < width; ++column)
      other.black[static_cast<std::size_t>(row * width + column)] =
          picture.is_black(row * picture.height / height, column * picture.width / width);
  }
  return other;
}

}  // namespace sim
