// NumPy .npy files (format 1.0 to 3.0): read f2, bfloat16 (V2), f4 and f8 of rank 2 to 4 as float; write f2 or f4.
// Source: numpy.lib.format. Files are untrusted: every size is checked before memory is allocated.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sim {

/// An array in C order. `shape` is as in the file: (N, d), (H, N, d) or (B, H, N, d), or (B, H, N) for statistics.
struct NpyArray {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  std::string dtype;  ///< as in the file: "f2", "bf16", "f4" or "f8"; f8 is narrowed to float
  /// The first finite value of an f8 file that overflows float, with its index in `values`.
  std::optional<std::pair<std::size_t, double>> beyond_float = {};
  std::int64_t beyond_float_count = 0;  ///< number of such values
};

/// Parses the bytes of a file; errors begin with `name`. Throws Error that states the fault and the allowed values
/// (magic, version, header, dtype with byte order, Fortran order (accepted and transposed), rank 1 to 4, sizes against
/// the bytes present).
NpyArray parse_npy(std::span<const std::byte> bytes, const std::string& name);

/// Reads and parses a file.
NpyArray read_npy(const std::filesystem::path& path);

/// The bytes of a version 1.0 .npy file with little-endian C-order values of dtype "f2" or "f4".
std::vector<std::byte> format_npy(std::span<const std::int64_t> shape, std::span<const float> values,
                                  const std::string& dtype);

}  // namespace sim
