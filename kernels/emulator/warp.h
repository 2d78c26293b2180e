// Operations of a warp: each lane leaves its operands and waits; the last one to come computes for all.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace emulator {

inline constexpr int warp_size = 32;

/// The operands of the lanes of a warp; null for lanes that are not in `mask`.
struct Lanes {
  std::uint32_t mask = 0;
  std::array<void*, warp_size> operand{};
};

/// Waits until the lanes of `mask` that have not ended have all come to the same operation, and computes it once.
/// Throws dev::DeviceError when lanes of one mask are in different operations, or the caller is not in its own mask.
void collective(const char* name, std::uint32_t mask, void* operand, void (*compute)(const Lanes&));

/// Which lane each lane reads.
struct ShuffleSource {
  enum class Kind { from, across, down } kind;
  int amount, width;
};
inline ShuffleSource shuffle_from(int lane, int width) { return {ShuffleSource::Kind::from, lane, width}; }
inline ShuffleSource shuffle_xor(int lanes, int width) { return {ShuffleSource::Kind::across, lanes, width}; }
inline ShuffleSource shuffle_down(unsigned lanes, int width) {
  return {ShuffleSource::Kind::down, static_cast<int>(lanes), width};
}

std::uint64_t shuffle_bits(std::uint32_t mask, std::uint64_t value, ShuffleSource source);

/// The value of another lane of `mask`; the lane's own where the source lies behind its group of `width` lanes. As on a
/// GPU, an xor may reach an earlier group.
template <class T>
T shuffle(std::uint32_t mask, T value, ShuffleSource source) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = shuffle_bits(mask, bits, source);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

/// Bit n: the vote of lane n.
std::uint32_t ballot(std::uint32_t mask, bool vote);

/// ldmatrix and mma.sync of whole warps: kernels/dev/host.h says what they do.
void load_matrices(std::uint32_t* registers, int count, const void* row, bool transposed);
void multiply_fp16(float* c, const std::uint32_t* a, const std::uint32_t* b);
void multiply_bf16(float* c, const std::uint32_t* a, const std::uint32_t* b);

}  // namespace emulator
