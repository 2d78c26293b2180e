#include "sim/base/picture.h"

#include <string_view>

#include "sim/base/check.h"
#include "sim/base/read_file.h"
#include "sim/base/text.h"

namespace sim {
namespace {

constexpr int end_of_file = -1;

/// The bytes of a file and the position of the next one.
struct FileBytes {
  std::string_view all;
  std::size_t at = 0;
  int take() { return at < all.size() ? static_cast<unsigned char>(all[at++]) : end_of_file; }
};

bool is_blank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Returns the next character that is neither blank nor part of a comment; a comment runs from # to the end of its
/// line.
int next_word(FileBytes& in) {
  int c = in.take();
  while (is_blank(c) || c == '#') {
    if (c == '#') {
      while (c != '\n' && c != end_of_file) c = in.take();
    } else {
      c = in.take();
    }
  }
  return c;
}

/// Reads a width or height and the blank after it.
std::int64_t read_size(FileBytes& in, const std::string& name, const char* what) {
  constexpr std::int64_t longest = 1'000'000'000;
  std::int64_t size = 0;
  int c = next_word(in);
  const bool begins = c >= '0' && c <= '9';
  for (; c >= '0' && c <= '9' && size <= longest; c = in.take()) size = 10 * size + (c - '0');
  require(begins && (is_blank(c) || c == '#') && size >= 1 && size <= longest, name, ": the ", what,
          " of the picture is not a whole number from 1 to ", longest);
  if (c == '#') --in.at;
  return size;
}

[[noreturn]] void ends_early(const std::string& name, std::int64_t pixel, const Picture& picture) {
  throw Error(name, ": ends after ", pixel, " of ", picture.width, " x ", picture.height, " pixels");
}

/// Reads a digit for each pixel, with or without blanks between them.
void read_digits(FileBytes& in, const std::string& name, Picture& picture) {
  for (std::size_t pixel = 0; pixel < picture.black.size(); ++pixel) {
    const int c = next_word(in);
    if (c == end_of_file) ends_early(name, static_cast<std::int64_t>(pixel), picture);
    require(c == '0' || c == '1', name, ": pixel ", pixel, " is neither 0, white, nor 1, black");
    picture.black[pixel] = c == '1';
  }
  require(next_word(in) == end_of_file, name, ": continues after its ", picture.width, " x ", picture.height,
          " pixels: one picture is allowed");
}

/// Reads a bit for each pixel, the first pixel in the highest bit; each row starts at a new byte.
void read_bits(FileBytes& in, const std::string& name, Picture& picture) {
  std::size_t pixel = 0;
  for (std::int64_t row = 0; row < picture.height; ++row) {
    int byte = 0;
    for (std::int64_t column = 0; column < picture.width; ++column, ++pixel) {
      if (column % 8 == 0) byte = in.take();
      if (byte == end_of_file) ends_early(name, static_cast<std::int64_t>(pixel), picture);
      picture.black[pixel] = ((byte >> (7 - column % 8)) & 1) != 0;
    }
  }
  require(in.take() == end_of_file, name, ": continues after its ", picture.width, " x ", picture.height,
          " pixels: one picture is allowed");
}

}  // namespace

Picture read_pbm(std::string_view file, const std::string& name) {
  FileBytes in{file};
  const bool begins = in.take() == 'P';
  const int format = begins ? in.take() : end_of_file;
  const bool digits = format == '1', bits = format == '4';
  require(digits || bits, name, ": is not a portable bitmap: it does not begin with P1 (text) or P4 (binary)");
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
  constexpr std::int64_t longest = 4 * most_pixels;  // a digit and a blank for each, times two
  return read_pbm(read_file(path, longest), path);
}

}  // namespace sim
