// The dual layer on the host: CUDA's names and this layer's operations as functions of the emulator.
// Inaccuracies: exp2, log and tanh are of the C library, where a GPU approximates; mma sums in plain fp32.
#pragma once
#include <cmath>
#include <cstdint>

#include "kernels/dev/device.h"
#include "kernels/dev/element.h"
#include "kernels/emulator/thread.h"
#include "kernels/emulator/warp.h"

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's own names
#if defined(DEV_TRACED)
/// Inlines everything, as on a GPU: code order then follows execution order, by which lanes are merged.
#define __global__ __attribute__((flatten))
#else
#define __global__
#endif
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__

/// Precedes a loop with a compile-time trip count: the compiler must unroll it, so that arrays it indexes stay in
/// registers.
#define DEV_UNROLL
/// Precedes a long loop: unrolls two iterations, if unrolling all would run out of registers.
#define DEV_UNROLL_TWICE

#define threadIdx (::emulator::thread_index())
#define blockIdx (::emulator::block_index())
#define blockDim (::emulator::block_size())
#define gridDim (::emulator::grid_size())

inline void __syncthreads() { ::emulator::sync_block(); }
inline void __syncwarp(std::uint32_t mask = 0xffffffffu) { ::emulator::sync_warp(mask); }

template <class T>
T __shfl_sync(std::uint32_t mask, T value, int lane, int width = 32) {
  return ::emulator::shuffle(mask, value, ::emulator::shuffle_from(lane, width));
}
template <class T>
T __shfl_xor_sync(std::uint32_t mask, T value, int lanes, int width = 32) {
  return ::emulator::shuffle(mask, value, ::emulator::shuffle_xor(lanes, width));
}
template <class T>
T __shfl_down_sync(std::uint32_t mask, T value, unsigned lanes, int width = 32) {
  return ::emulator::shuffle(mask, value, ::emulator::shuffle_down(lanes, width));
}
inline std::uint32_t __ballot_sync(std::uint32_t mask, bool vote) { return ::emulator::ballot(mask, vote); }
// NOLINTEND(bugprone-reserved-identifier)

namespace dev {
inline namespace DEV_FLAVOUR {

#if defined(DEV_TRACED)
inline constexpr Flavour flavour = Flavour::traced;
#else
inline constexpr Flavour flavour = Flavour::emulated;
#endif

/// Sixteen bytes, moved by one load or store.
typedef std::uint32_t Chunk __attribute__((vector_size(16), may_alias));

inline Chunk load_chunk(const void* from) { return *static_cast<const Chunk*>(from); }
inline void store_chunk(void* to, Chunk chunk) { *static_cast<Chunk*>(to) = chunk; }

/// Two neighbouring numbers, moved by one load or store, at a multiple of 8 bytes.
struct Pair {
  float first, second;
};

inline Pair load_pair(const float* from) {
  typedef std::uint64_t Both __attribute__((may_alias));  // clang splits a vector into two accesses
  return __builtin_bit_cast(Pair, *reinterpret_cast<const Both*>(from));
}
inline void store_pair(float* to, Pair pair) {
  typedef std::uint64_t Both __attribute__((may_alias));
  *reinterpret_cast<Both*>(to) = __builtin_bit_cast(std::uint64_t, pair);
}

/// The block's dynamic shared memory, 1024-byte aligned.
inline unsigned char* shared_memory() { return ::emulator::shared_memory(); }

/// Address in shared memory as an integer, for adding and permuting: 32 bits of it on a GPU.
using SharedAddress = std::uintptr_t;
inline SharedAddress shared_address(const void* pointer) { return reinterpret_cast<SharedAddress>(pointer); }

/// Returns n, hidden from the optimiser: values derived from it are recomputed in each iteration, not kept in
/// registers.
template <class T>
T opaque(T n) {
  return n;
}

/// Index of the lowest set bit of a nonzero word.
inline int lowest_bit(std::uint32_t word) { return __builtin_ctz(word); }

/// Shifts the bits up by one; the lowest becomes the carry of a + b.
inline std::uint32_t shift_in_carry(std::uint32_t bits, std::uint32_t a, std::uint32_t b) {
  return bits << 1 | static_cast<std::uint32_t>((std::uint64_t{a} + b) >> 32);
}

inline float exp2(float x) { return std::exp2(x); }
inline float log(float x) { return std::log(x); }
inline float tanh(float x) { return std::tanh(x); }
inline float tanh_approximate(float x) { return std::tanh(x); }
inline float infinity() { return HUGE_VALF; }

/// *address += value, atomically over the grid.
inline void atomic_add(float* address, float value) { ::emulator::atomic_add(address, value); }

/// cp.async: copies 16 bytes from HBM to shared memory in the background; if not `valid`, stores zeros and reads
/// nothing.
inline void cp_async(void* to, const void* from, bool valid) { ::emulator::copy_async(to, from, valid); }
/// Closes the group of the copies issued since the last one.
inline void cp_async_commit() { ::emulator::commit_copies(); }
/// Waits until at most the `pending` newest groups of this thread are under way.
template <int pending>
inline void cp_async_wait() {
  ::emulator::wait_copies(pending);
}

/// ldmatrix: `count` 8 x 8 matrices of 16-bit elements; lane 8 m + r names row r of matrix m. Register m of lane l
/// holds elements (l / 4, 2 (l % 4)) and its right neighbour; with `transposed` (2 (l % 4), l / 4) and the one below.
template <int count>
inline void ldmatrix(std::uint32_t (&registers)[count], SharedAddress row) {
  ::emulator::load_matrices(registers, count, reinterpret_cast<const void*>(row), false);
}
template <int count>
inline void ldmatrix_transposed(std::uint32_t (&registers)[count], SharedAddress row) {
  ::emulator::load_matrices(registers, count, reinterpret_cast<const void*>(row), true);
}

/// mma.sync m16n8k16: C (16, 8) += A (16, 16) B (16, 8) in fp32, the warp's fragments in registers. With g = lane / 4
/// and t = lane % 4: a0 (g, 2t), a1 (g + 8, 2t), a2 (g, 2t + 8), a3 (g + 8, 2t + 8), b0 (2t, g), b1 (2t + 8, g), each
/// with its neighbour along k; c0, c1 (g, 2t), (g, 2t + 1); c2, c3 eight rows below.
template <class T>
inline void mma(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]);
template <>
inline void mma<fp16>(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  ::emulator::multiply_fp16(c, a, b);
}
template <>
inline void mma<bf16>(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  ::emulator::multiply_bf16(c, a, b);
}

/// Runs `kernel` with `grid` CTAs of `block` threads and `smem` bytes of dynamic shared memory each. Throws
/// DeviceError.
template <class... Parameter, class... Argument>
void launch(Stream stream, const char* name, void (*kernel)(Parameter...), std::int64_t grid, int block,
            std::int64_t smem, const Argument&... arguments) {
  const auto body = [=] { kernel(arguments...); };
  ::emulator::launch(stream, {name, grid, block, smem, flavour == Flavour::traced, &body, sizeof body},
                     [](const void* parameters) { (*static_cast<decltype(&body)>(parameters))(); });
}

}  // namespace DEV_FLAVOUR
}  // namespace dev
