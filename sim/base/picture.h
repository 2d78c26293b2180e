// Black-and-white pictures, read from portable bitmaps (PBM): the text format P1 and the binary format P4.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace sim {

struct Picture {
  std::int64_t width = 0, height = 0;
  std::vector<bool> black;  ///< row by row from the top
  bool is_black(std::int64_t row, std::int64_t column) const {
    return black[static_cast<std::size_t>(row * width + column)];
  }
  friend bool operator==(const Picture&, const Picture&) = default;
};

inline constexpr std::int64_t most_pixels = std::int64_t{1} << 24;

/// Reads one picture from a file that is open for reading; std::istream would link all its locales into the web page, 3
/// kB of its start. Throws Error with `name`, the fault and the allowed values: another format, a size that is not a
/// number or exceeds most_pixels (checked before allocation), too few pixels, or bytes after the last pixel. Source:
/// netpbm, pbm(5).
Picture read_pbm(std::FILE* in, const std::string& name);

/// Writes a picture as a binary bitmap, P4, which read_pbm() reads back.
std::string to_pbm(const Picture& picture);

/// Reads the picture in a file. Also throws Error if the file cannot be opened.
Picture read_pbm_file(const std::string& path);

}  // namespace sim
