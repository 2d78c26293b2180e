// Tiles in shared memory and the verbs on them, each done by the whole block and closed by a barrier: what the teaching
// kernels are written in. A kernel then reads like its program in sim/programs. All arithmetic is fp32; elements are
// converted on their way from and to HBM. Threads take elements in turn, so that neighbours touch neighbours in HBM.
#pragma once
#include "kernels/mask.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// (rows, cols) in fp32, row-major in shared memory. A vector of a row block has one column.
struct Tile {
  float* at;
  std::int32_t rows, cols;
  __device__ float& operator()(std::int32_t row, std::int32_t col) const { return at[row * cols + col]; }
  __device__ float& operator[](std::int32_t row) const { return at[row]; }
};

/// Hands out shared memory from its beginning.
struct Shelf {
  float* next;
  __device__ Tile tile(std::int32_t rows, std::int32_t cols) {
    float* at = next;
    next += rows * cols;
    return {at, rows, cols};
  }
};

/// Calls f(row, col) for each element, threads taking turns, and waits for all of them.
template <class F>
__device__ void each(std::int32_t rows, std::int32_t cols, F f) {
  for (std::int32_t n = threadIdx.x; n < rows * cols; n += blockDim.x) f(n / cols, n % cols);
  __syncthreads();
}

/// Rows of a tensor in HBM, `cols` elements each.
template <class T>
struct Rows {
  T* at;
  std::int32_t count, cols;
};

/// Rows `range` of a head of (heads, rows, cols).
template <class T>
__device__ Rows<T> rows_of(void* tensor, std::int64_t head, std::int32_t rows, std::int32_t cols, Range range) {
  T* first = static_cast<T*>(tensor) + (head * rows + range.begin) * static_cast<std::int64_t>(cols);
  return {first, range.size(), cols};
}

/// tile = rows of HBM
template <class T>
__device__ Tile load(Tile tile, Rows<T> from) {
  tile.rows = from.count;
  each(tile.rows, tile.cols, [&](auto r, auto c) { tile(r, c) = dev::to_float(from.at[r * from.cols + c]); });
  return tile;
}

/// rows of HBM = tile
template <class T>
__device__ void store(Tile tile, Rows<T> to) {
  each(to.count, to.cols, [&](auto r, auto c) { to.at[r * to.cols + c] = dev::from_float<T>(tile(r, c)); });
}

__device__ inline Tile fill(Tile tile, float value) {
  each(tile.rows, tile.cols, [&](auto r, auto c) { tile(r, c) = value; });
  return tile;
}

__device__ inline void copy(Tile to, Tile from) {
  each(to.rows, to.cols, [&](auto r, auto c) { to(r, c) = from(r, c); });
}

/// S = A B^T
__device__ inline Tile gemm_nt(Tile S, Tile A, Tile B) {
  S.rows = A.rows;
  S.cols = B.rows;
  each(S.rows, S.cols, [&](auto r, auto c) {
    float sum = 0;
    for (std::int32_t k = 0; k < A.cols; ++k) sum += A(r, k) * B(c, k);
    S(r, c) = sum;
  });
  return S;
}

/// C = C + A B
__device__ inline void gemm_nn_add(Tile C, Tile A, Tile B) {
  each(C.rows, C.cols, [&](auto r, auto c) {
    float sum = C(r, c);
    for (std::int32_t k = 0; k < A.cols; ++k) sum += A(r, k) * B(k, c);
    C(r, c) = sum;
  });
}

__device__ inline void scale(Tile S, float factor) {
  each(S.rows, S.cols, [&](auto r, auto c) { S(r, c) *= factor; });
}

/// S = -inf where the key is hidden from the query
__device__ inline void mask(Tile S, const Arguments& a, Range queries, Range keys) {
  each(S.rows, S.cols, [&](auto r, auto c) {
    if (!visible(a, queries.begin + r, keys.begin + c)) S(r, c) = -dev::infinity();
  });
}

/// m' = max(m, rowmax(S))
__device__ inline void row_max(Tile m_new, Tile S, Tile m) {
  each(S.rows, 1, [&](auto r, auto) {
    float largest = m[r];
    for (std::int32_t c = 0; c < S.cols; ++c) largest = fmaxf(largest, S(r, c));
    m_new[r] = largest;
  });
}

/// exp(x - m), 0 where both are -inf: a row that sees nothing yet
__device__ inline float exp_difference(float x, float m) {
  constexpr float log2_e = 1.44269504088896341f;
  return m == -dev::infinity() ? 0.0f : dev::exp2((x - m) * log2_e);
}

/// alpha = exp(m - m')
__device__ inline void exp_sub_rows(Tile alpha, Tile m, Tile m_new) {
  each(m_new.rows, 1, [&](auto r, auto) { alpha[r] = exp_difference(m[r], m_new[r]); });
}

/// P = exp(S - m), in the place of S
__device__ inline Tile exp_sub(Tile S, Tile m) {
  each(S.rows, S.cols, [&](auto r, auto c) { S(r, c) = exp_difference(S(r, c), m[r]); });
  return S;
}

/// l = alpha l + rowsum(P)
__device__ inline void add_row_sum(Tile l, Tile alpha, Tile P) {
  each(P.rows, 1, [&](auto r, auto) {
    float sum = 0;
    for (std::int32_t c = 0; c < P.cols; ++c) sum += P(r, c);
    l[r] = alpha[r] * l[r] + sum;
  });
}

/// O = diag(alpha) O
__device__ inline void scale_rows(Tile O, Tile alpha) {
  each(O.rows, O.cols, [&](auto r, auto c) { O(r, c) *= alpha[r]; });
}

/// O = diag(l)^-1 O, 0 for rows that saw nothing
__device__ inline void divide_rows(Tile O, Tile l) {
  each(O.rows, O.cols, [&](auto r, auto c) { O(r, c) = l[r] > 0 ? O(r, c) / l[r] : 0.0f; });
}

/// L = m + log l
__device__ inline void log_sum_exp(Tile L, Tile m, Tile l) {
  each(L.rows, 1, [&](auto r, auto) { L[r] = l[r] > 0 ? m[r] + dev::log(l[r]) : -dev::infinity(); });
}

/// Calls f with a value of the element type: a kernel is compiled for each.
template <class F>
void with_element(Element element, F f) {
  if (element == Element::fp16) return f(dev::fp16{});
  if (element == Element::bf16) return f(dev::bf16{});
  f(float{});
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
