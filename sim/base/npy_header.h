// The header of an .npy file: what it says about the values. Source: numpy.lib.format.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// Ranks that are read and written: 1 to this.
inline constexpr std::size_t largest_npy_rank = 4;

/// A header; empty where a key is missing.
struct NpyHeader {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

/// Parses the Python dict literal {'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), }, with the longs of
/// Python 2 too: (4L, 2L). Throws Error that begins with `name` and says the character and what was expected.
NpyHeader parse_npy_header(std::string_view header, const std::string& name);

/// Text of a file, shortened for a one-line message.
std::string shown_of_npy(std::string_view found);

}  // namespace sim
