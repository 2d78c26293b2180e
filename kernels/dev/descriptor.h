// Layouts of Hopper's matrix products and bulk copies, shared by kernels, the emulated device and tests.
// Source: PTX ISA, "Matrix descriptor", "Shared memory layout", "Register fragments for wgmma.mma_async.m64nNk16";
// CuTe, mma_sm90_desc.hpp. Never compared with a GPU.
// Units: offsets and addresses are in bytes of shared memory; rows, columns and k count 16-bit elements.
#pragma once
#include <cstdint>

namespace dev {

struct Position {
  int row, col;
  constexpr bool operator==(const Position&) const = default;
};

/// Permutation of the 16-byte chunks of shared memory, as numbered in a matrix descriptor.
enum class Swizzle : std::uint8_t { none = 0, bytes_128 = 1, bytes_64 = 2, bytes_32 = 3 };

inline constexpr std::uint32_t chunk_bytes = 16, core_rows = 8;  // a core matrix: 8 rows of 16 bytes
inline constexpr std::uint32_t element_bytes = 2, chunk_elements = chunk_bytes / element_bytes;
inline constexpr std::uint32_t atom_bytes = 128, atom_elements = atom_bytes / element_bytes;  // a row swizzled by 128 B
/// Address at a multiple of which a pattern of 128-byte rows begins.
inline constexpr std::uint32_t pattern_bytes = core_rows * atom_bytes;

/// Bytes of a row that the swizzle permutes; 16 without one.
constexpr std::uint32_t swizzle_span(Swizzle swizzle) {
  return swizzle == Swizzle::none ? chunk_bytes : atom_bytes >> (static_cast<std::uint32_t>(swizzle) - 1);
}

/// Where the hardware looks for a byte: address bits 4 to 6 are changed by bits 7 to 9, all three with 128 bytes, two
/// with 64, one with 32.
constexpr std::uint32_t swizzled(std::uint32_t address, Swizzle swizzle) {
  const std::uint32_t chunks = swizzle_span(swizzle) / chunk_bytes;
  return address ^ (address >> 7 & (chunks - 1)) << 4;
}

/// Offset of a byte in a tile of 128-byte rows swizzled by 128 bytes, whose base is a multiple of 1,024.
constexpr std::uint32_t swizzled_128(std::uint32_t row, std::uint32_t byte) {
  return swizzled(row * atom_bytes + byte, Swizzle::bytes_128);
}

/// A matrix in shared memory as wgmma takes it: 64 bits, offsets in units of 16 bytes.
struct MatrixDescriptor {
  std::uint32_t address, leading, stride, base;  // bytes; base: 0 to 7
  Swizzle swizzle;

  constexpr std::uint64_t encode() const {
    return field(address, 0) | field(leading, 16) | field(stride, 32) | std::uint64_t{base} << 49 |
           static_cast<std::uint64_t>(swizzle) << 62;
  }
  static constexpr MatrixDescriptor decode(std::uint64_t bits) {
    return {bytes_at(bits, 0), bytes_at(bits, 16), bytes_at(bits, 32), static_cast<std::uint32_t>(bits >> 49 & 7u),
            static_cast<Swizzle>(bits >> 62)};
  }

 private:
  static constexpr std::uint32_t mask = 0x3fff;
  static constexpr std::uint64_t field(std::uint32_t bytes, int bit) {
    return std::uint64_t{bytes / chunk_bytes & mask} << bit;
  }
  static constexpr std::uint32_t bytes_at(std::uint64_t bits, int bit) {
    return static_cast<std::uint32_t>(bits >> bit & mask) * chunk_bytes;
  }
};

/// Offset of element (row, k) of a K-major operand: rows of the swizzle's span, 8 of them `stride` bytes before the
/// next 8. Without a swizzle, neighbouring chunks of a row are `leading` bytes apart. For a swizzle it counts from the
/// start of the pattern; a descriptor adds it to its address before the bits are swizzled.
constexpr std::uint32_t k_major_linear(std::uint32_t row, std::uint32_t k, const MatrixDescriptor& m) {
  const std::uint32_t in_group = row % core_rows * swizzle_span(m.swizzle) + row / core_rows * m.stride;
  const std::uint32_t byte = k * element_bytes;
  if (m.swizzle != Swizzle::none) return in_group + byte;
  return in_group + byte % chunk_bytes + byte / chunk_bytes * m.leading;
}

/// Offset of element (k, mn) of an MN-major operand: lines of the swizzle's span along mn, one line for each k; 8 lines
/// are `stride` bytes before the next 8, and the next span of mn is `leading` bytes away. Without a swizzle the two
/// change roles.
constexpr std::uint32_t mn_major_linear(std::uint32_t mn, std::uint32_t k, const MatrixDescriptor& m) {
  const std::uint32_t span = swizzle_span(m.swizzle), byte = mn * element_bytes;
  const std::uint32_t next_mn = m.swizzle == Swizzle::none ? m.stride : m.leading;
  const std::uint32_t next_k = m.swizzle == Swizzle::none ? m.leading : m.stride;
  return byte % span + byte / span * next_mn + k % core_rows * span + k / core_rows * next_k;
}

/// Address of an element of an operand: `major_k` says in which direction its lines run.
constexpr std::uint32_t element_address(const MatrixDescriptor& m, bool major_k, std::uint32_t mn, std::uint32_t k) {
  return swizzled(m.address + (major_k ? k_major_linear(mn, k, m) : mn_major_linear(mn, k, m)), m.swizzle);
}

/// Offset of element (k, mn) in an MN-major tile swizzled by 128 bytes, whose base is a multiple of 1,024.
constexpr std::uint32_t mn_major_offset(std::uint32_t mn, std::uint32_t k, std::uint32_t leading,
                                        std::uint32_t stride) {
  return element_address({0, leading, stride, 0, Swizzle::bytes_128}, false, mn, k);
}

/// Descriptor of a tile whose rows are 128 bytes of k, swizzled: Q and K. The first product of 16 k begins at
/// `address`, the next ones 32 bytes further.
constexpr std::uint64_t k_major_descriptor(std::uint32_t address) {
  return MatrixDescriptor{address, chunk_bytes, pattern_bytes, 0, Swizzle::bytes_128}.encode();
}
/// Descriptor of a tile whose lines are 128 bytes along mn, swizzled: V, of which columns 64 to 127 begin `leading`
/// bytes after columns 0 to 63. The next product of 16 k begins 2,048 bytes further.
constexpr std::uint64_t mn_major_descriptor(std::uint32_t address, std::uint32_t leading) {
  return MatrixDescriptor{address, leading, pattern_bytes, 0, Swizzle::bytes_128}.encode();
}

/// Element of the accumulator of m64nN that a thread of the warpgroup (0 to 127) holds in fp32 register 0 to N / 2 - 1.
constexpr Position accumulator_at(int thread, int reg) {
  const int warp = thread / 32, lane = thread % 32;
  return {16 * warp + lane / 4 + 8 * (reg / 2 % 2), 8 * (reg / 4) + 2 * (lane % 4) + reg % 2};
}

/// Element (row, k) of A that the low half of 32-bit register 0 to 3 holds, if A is in registers; the high half has the
/// next k.
constexpr Position a_fragment_at(int thread, int reg) {
  const int warp = thread / 32, lane = thread % 32;
  return {16 * warp + lane / 4 + 8 * (reg % 2), 2 * (lane % 4) + 8 * (reg / 2)};
}

/// Widths N that wgmma has for 16-bit elements.
template <int n>
concept wgmma_width = n >= 8 && n <= 256 && n % 8 == 0;

}  // namespace dev
