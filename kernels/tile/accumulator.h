// Sums of products in thread-local memory: dK and dV of the fused backward passes. The programs keep them in registers,
// which leaves shared memory to the tiles.
// Inaccuracies: a GPU cannot index registers, so it keeps these in local memory, which its L1 caches: L2 counts their
// stores among those of the kernel.
#pragma once
#include "kernels/tile/tile.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

inline constexpr std::int32_t most_sums = 128;  // per thread: two such tiles fill all registers of 256 threads

/// (rows, cols) in fp32, spread over the block: of T threads, thread t has elements t, t + T, t + 2 T ...
struct Accumulator {
  float at[most_sums];
  std::int32_t rows, cols;
};

/// Local memory per thread: dK and dV, the stack frame that the compiler reports.
inline constexpr std::int64_t sums_bytes = 2 * sizeof(Accumulator);

/// Calls f(element, row, col) for each element, in the thread that owns it, and waits for all of them.
template <class F>
__device__ void each(Accumulator& sums, F f) {
  for (std::int32_t n = 0, index = this_thread(); index < sums.rows * sums.cols; ++n, index += threads()) {
    f(sums.at[n], index / sums.cols, index % sums.cols);
  }
  __syncthreads();
}

/// C = 0 (rows, cols)
__device__ inline void clear(Accumulator& C, std::int32_t rows, std::int32_t cols) {
  C.rows = rows;
  C.cols = cols;
  each(C, [](float& element, auto, auto) { element = 0; });
}

/// C = C + A^T B
template <class A_element, class B_element>
__device__ void gemm_tn_add(Accumulator& C, Tile<A_element> A, Tile<B_element> B) {
  each(C, [&](float& element, auto r, auto c) {
    float sum = element;
    for (std::int32_t k = 0; k < A.rows; ++k) sum = add_weighted(sum, A(k, r), B(k, c));
    element = sum;
  });
}

__device__ inline void scale(Accumulator& C, float factor) {
  each(C, [&](float& element, auto, auto) { element *= factor; });
}

/// block of HBM = C, rounded to the element type
template <class T>
__device__ void store(Accumulator& C, Rows<T> to) {
  each(C, [&](float& element, auto r, auto c) { to(r, c) = dev::from_float<T>(element); });
}

/// Throws sim::Error if a block of `threads` cannot hold (rows, cols).
inline void check_accumulators(const char* kernel, std::int32_t rows, std::int32_t cols, std::int32_t threads) {
  const std::int64_t most = std::int64_t{most_sums} * threads;
  sim::require(std::int64_t{rows} * cols <= most, kernel, ": dK and dV of (Bc, d) = (", rows, ", ", cols, ") have ",
               std::int64_t{rows} * cols, " elements each; allowed are ", most, ": use a smaller --bc");
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
