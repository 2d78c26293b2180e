// Operations of a warp: each lane leaves its operands and waits; the last one to arrive computes for all.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace emulator {

inline constexpr int warp_size = 32;

/// Operands of the lanes of a warp; null for lanes that are not in `mask`.
struct Lanes {
  std::uint32_t mask = 0;
  std::array<void*, warp_size> operand{};
};

/// Waits until all lanes of `mask` that have not ended have reached the same operation, and computes it once. Throws
/// dev::DeviceError if lanes of one mask are in different operations, or the caller is not in its own mask.
void collective(const char* name, std::uint32_t mask, void* operand, void (*compute)(const Lanes&));

/// Source lane of each lane.
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

/// Value of another lane of `mask`; the lane's own if the source is beyond its group of `width` lanes. As on a GPU, an
/// xor may reach an earlier group.
template <class T>
T shuffle(std::uint32_t mask, T value, ShuffleSource source) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = shuffle_bits(mask, bits, source);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

/// Mask of votes: bit n is the vote of lane n.
std::uint32_t ballot(std::uint32_t mask, bool vote);

/// ldmatrix and mma.sync of whole warps, as specified in kernels/dev/host.h.
void load_matrices(std::uint32_t* registers, int count, const void* row, bool transposed);
void multiply_fp16(float* c, const std::uint32_t* a, const std::uint32_t* b);
void multiply_bf16(float* c, const std::uint32_t* a, const std::uint32_t* b);

}  // namespace emulator
