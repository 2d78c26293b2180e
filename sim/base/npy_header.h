// Header of an .npy file. Source: numpy.lib.format.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// Largest rank that is read or written; the smallest is 1.
inline constexpr std::size_t largest_npy_rank = 4;

/// A parsed header; a field is empty if its key is missing.
struct NpyHeader {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

/// Parses the Python dict literal {'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), }, including Python 2
/// longs: (4L, 2L). Throws Error that begins with `name` and gives the unexpected character and what was expected.
NpyHeader parse_npy_header(std::string_view header, const std::string& name);

/// Returns text from a file, shortened for a one-line message.
std::string shown_of_npy(std::string_view found);

}  // namespace sim
