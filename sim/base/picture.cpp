#include "sim/base/picture.h"

#include <fstream>

#include "sim/base/check.h"
#include "sim/base/text.h"

namespace sim {
namespace {

constexpr int end_of_file = std::istream::traits_type::eof();

bool is_blank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The next character that is neither blank nor part of a comment, which goes from # to the end of its line.
int next_word(std::istream& in) {
  int c = in.get();
  while (is_blank(c) || c == '#') {
    if (c == '#') {
      while (c != '\n' && c != end_of_file) c = in.get();
    } else {
      c = in.get();
    }
  }
  return c;
}

/// Width or height; the blank behind it is read, too.
std::int64_t read_size(std::istream& in, const std::string& name, const char* what) {
  constexpr std::int64_t longest = 1'000'000'000;
  std::int64_t size = 0;
  int c = next_word(in);
  const bool begins = c >= '0' && c <= '9';
  for (; c >= '0' && c <= '9' && size <= longest; c = in.get()) size = 10 * size + (c - '0');
  require(begins && (is_blank(c) || c == '#') && size >= 1 && size <= longest, name, ": the ", what,
          " of the picture is not a whole number from 1 to ", longest);
  if (c == '#') in.unget();
  return size;
}

[[noreturn]] void ends_early(const std::string& name, std::int64_t pixel, const Picture& picture) {
  throw Error(text(name, ": ends after ", pixel, " of ", picture.width, " x ", picture.height, " pixels"));
}

/// A digit for each pixel, with or without blanks between them.
void read_digits(std::istream& in, const std::string& name, Picture& picture) {
  for (std::size_t pixel = 0; pixel < picture.black.size(); ++pixel) {
    const int c = next_word(in);
    if (c == end_of_file) ends_early(name, static_cast<std::int64_t>(pixel), picture);
    require(c == '0' || c == '1', name, ": pixel ", pixel, " is neither 0, white, nor 1, black");
    picture.black[pixel] = c == '1';
  }
  require(next_word(in) == end_of_file, name, ": goes on behind its ", picture.width, " x ", picture.height,
          " pixels: one picture is allowed");
}

/// A bit for each pixel, the first one the highest; each row begins with a byte of its own.
void read_bits(std::istream& in, const std::string& name, Picture& picture) {
  std::size_t pixel = 0;
  for (std::int64_t row = 0; row < picture.height; ++row) {
    int byte = 0;
    for (std::int64_t column = 0; column < picture.width; ++column, ++pixel) {
      if (column % 8 == 0) byte = in.get();
      if (byte == end_of_file) ends_early(name, static_cast<std::int64_t>(pixel), picture);
      picture.black[pixel] = ((byte >> (7 - column % 8)) & 1) != 0;
    }
  }
  require(in.get() == end_of_file, name, ": goes on behind its ", picture.width, " x ", picture.height,
          " pixels: one picture is allowed");
}

}  // namespace

Picture read_pbm(std::istream& in, const std::string& name) {
  char first[2] = {};
  in.read(first, 2);
  const bool digits = first[0] == 'P' && first[1] == '1', bits = first[0] == 'P' && first[1] == '4';
  require(digits || bits, name, ": is no portable bitmap: it does not begin with P1 (text) or P4 (binary)");
  Picture picture;
  picture.width = read_size(in, name, "width");
  picture.height = read_size(in, name, "height");
  require(picture.width <= most_pixels / picture.height, name, ": has ", picture.width, " x ", picture.height,
          " pixels: allowed are at most ", most_pixels, ", 4,096 x 4,096");
  picture.black.resize(static_cast<std::size_t>(picture.width * picture.height));
  (digits ? read_digits : read_bits)(in, name, picture);
  return picture;
}

std::string to_pbm(const Picture& picture) {
  std::string bytes = text("P4\n", picture.width, " ", picture.height, "\n");
  for (std::int64_t row = 0; row < picture.height; ++row) {
    int byte = 0;
    for (std::int64_t column = 0; column < picture.width; ++column) {
      byte |= picture.is_black(row, column) ? 0x80 >> column % 8 : 0;
      if (column % 8 != 7 && column + 1 < picture.width) continue;
      bytes += static_cast<char>(byte);
      byte = 0;
    }
  }
  return bytes;
}

Picture read_pbm_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  require(in.good(), path, ": cannot be opened");
  return read_pbm(in, path);
}

}  // namespace sim
