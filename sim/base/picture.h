// Pictures of black and white pixels, from portable bitmaps: PBM, the text format P1 and the binary one, P4.
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

/// One picture, from a file that is open for reading: a stream of the library would bring all of its locales into a
/// page, 3 kB of its start. Throws Error with `name`, what is wrong and what is allowed: another format, a size that is
/// no size or has more than most_pixels (before memory is taken), too few pixels, or bytes behind the last one. Source:
/// netpbm, pbm(5).
Picture read_pbm(std::FILE* in, const std::string& name);

/// The picture as a binary bitmap, P4, which read_pbm() reads again.
std::string to_pbm(const Picture& picture);

/// The picture in a file. Throws Error where it cannot be opened, too.
Picture read_pbm_file(const std::string& path);

}  // namespace sim
