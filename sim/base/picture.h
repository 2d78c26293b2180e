// Black-and-white pictures, read from portable bitmaps (PBM): the text format P1 and the binary format P4.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
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

/// Reads the picture in a file with these bytes. Throws Error with `name`, the fault and the allowed values: another
/// format, a size that is not a number or exceeds most_pixels (checked before allocation), too few pixels, or bytes
/// after the last pixel. Source: netpbm, pbm(5).
Picture read_pbm(std::string_view file, const std::string& name);

/// Writes a picture as a binary bitmap, P4, which read_pbm() reads back.
std::string to_pbm(const Picture& picture);

/// Reads the picture in the file `path`. Also throws Error if it cannot be read.
Picture read_pbm_file(const std::string& path);

}  // namespace sim
