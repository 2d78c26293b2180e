// Reductions over one row of scores in shared memory, by the whole block: the building blocks of the softmax kernels of
// `standard`. Threads take elements in a cyclic order; results are combined by shuffles inside a warp, then in shared
// memory.
#pragma once
#include "kernels/tile/tile_softmax.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Scratch in shared memory: a number per warp of the block, 32 at most.
struct PerWarp {
  float* at;
  __device__ float& operator[](std::int32_t warp) const { return at[warp]; }
};
inline constexpr std::int32_t most_warps = 32;

__device__ inline PerWarp per_warp(SmemAllocator& smem) { return {smem.vec(most_warps).at}; }

/// Combines one number per thread, and returns the result to all of them.
template <class F>
__device__ float reduce(PerWarp found, float value, F combine) {
  for (std::int32_t lanes = 16; lanes > 0; lanes /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, lanes));
  }
  if (this_thread() % 32 == 0) found[this_thread() / 32] = value;
  __syncthreads();
  value = found[0];
  for (std::int32_t warp = 1; warp < threads() / 32; ++warp) value = combine(value, found[warp]);
  __syncthreads();
  return value;
}

/// The sum of f(col) over the row
template <class F>
__device__ float sum_over(std::int32_t cols, PerWarp found, F f) {
  float sum = 0;
  for (std::int32_t c = this_thread(); c < cols; c += threads()) sum += f(c);
  return reduce(found, sum, [](float a, float b) { return a + b; });
}

/// max(m, rowmax(S))
template <class T>
__device__ float row_max(Tile<T> S, float m, PerWarp found) {
  for (std::int32_t c = this_thread(); c < S.cols; c += threads()) m = fmaxf(m, S(0, c));
  return reduce(found, m, [](float a, float b) { return fmaxf(a, b); });
}

/// rowsum(exp(S - m))
template <class T>
__device__ float row_sum_exp(Tile<T> S, float m, PerWarp found) {
  return sum_over(S.cols, found, [&](auto c) { return exp_difference(S(0, c), m); });
}

/// P = exp(S - m) / l, in place; 0 for a row that saw nothing
template <class T>
__device__ Tile<T> softmax(Tile<T> S, float m, float l) {
  each(1, S.cols, [&](auto r, auto c) { S.set(r, c, divide(exp_difference(S(r, c), m), l)); });
  return S;
}

/// rowsum(P o dP), where a P = 0 adds nothing
template <class T>
__device__ float row_dot(Tile<T> P, Tile<T> dP, PerWarp found) {
  return sum_over(P.cols, found, [&](auto c) { return add_weighted(0, P(0, c), dP(0, c)); });
}

/// dS = P o (dP - D), reusing the buffer of dP
template <class T>
__device__ Tile<T> jacobian(Tile<T> P, Tile<T> dP, float D) {
  each(1, P.cols, [&](auto r, auto c) { dP.set(r, c, gradient_of_score(P(r, c), dP(r, c), D)); });
  return dP;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
