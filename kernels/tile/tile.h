// Tiles in shared memory and their transfer from and to HBM: the building blocks of the teaching kernels, which read
// like their programs in sim/programs. Each verb is executed by the whole block and ends with a barrier. All arithmetic
// is fp32; a tile holds fp32 or the element type of HBM, and elements are converted at use. Threads take elements in a
// cyclic order, so that neighbours access neighbours in HBM. Products: tile_gemm.h; softmax: tile_softmax.h.
// Inaccuracies: rows are not padded, so that threads that walk down a column conflict in one bank.
#pragma once
#include <type_traits>

#include "kernels/tile/mask.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// (rows, cols) of T, row-major in shared memory.
template <class T>
struct Tile {
  T* at;
  std::int32_t rows, cols;
  __device__ float operator()(std::int32_t row, std::int32_t col) const { return dev::to_float(at[row * cols + col]); }
  __device__ void set(std::int32_t row, std::int32_t col, float value) const {
    at[row * cols + col] = dev::from_float<T>(value);
  }
  __device__ T& operator[](std::int32_t index) const { return at[index]; }
};

/// One number per row of a block: m, l, alpha ...
using Vec = Tile<float>;

/// Bytes of shared memory for a tile. Tiles start at multiples of 16.
template <class T>
__host__ __device__ constexpr std::int64_t tile_bytes(std::int64_t rows, std::int64_t cols) {
  return (rows * cols * static_cast<std::int64_t>(sizeof(T)) + 15) / 16 * 16;
}

/// Allocator of shared memory: hands it out from the start, never frees.
struct SmemAllocator {
  unsigned char* next;
  template <class T>
  __device__ Tile<T> tile(std::int32_t rows, std::int32_t cols) {
    T* at = reinterpret_cast<T*>(next);
    next += tile_bytes<T>(rows, cols);
    return {at, rows, cols};
  }
  __device__ Vec vec(std::int32_t rows) { return tile<float>(rows, 1); }
};

__device__ inline SmemAllocator smem_allocator() { return {dev::shared_memory()}; }

__device__ inline std::int32_t this_thread() { return static_cast<std::int32_t>(threadIdx.x); }
__device__ inline std::int32_t threads() { return static_cast<std::int32_t>(blockDim.x); }

/// Calls f(row, col) for each element, spread over the threads, and waits for all of them.
template <class F>
__device__ void each(std::int32_t rows, std::int32_t cols, F f) {
  for (std::int32_t n = this_thread(); n < rows * cols; n += threads()) f(n / cols, n % cols);
  __syncthreads();
}

/// Calls f(row) for each row, a thread per row, and waits for all of them.
template <class F>
__device__ void each_row(std::int32_t rows, F f) {
  for (std::int32_t row = this_thread(); row < rows; row += threads()) f(row);
  __syncthreads();
}

/// (rows, cols) of a tensor in HBM; rows are `stride` elements apart.
template <class T>
struct Rows {
  T* at;
  std::int32_t rows, cols, stride;
  __device__ T& operator()(std::int32_t row, std::int32_t col) const { return at[row * stride + col]; }
};

/// Rows and columns of a head of (heads, rows, cols).
template <class T>
__device__ Rows<T> rows_of(void* tensor, std::int64_t head, std::int32_t rows, std::int32_t cols, Range range,
                           Range columns) {
  T* first = static_cast<T*>(tensor) + (head * rows + range.begin) * static_cast<std::int64_t>(cols) + columns.begin;
  return {first, range.size(), columns.size(), cols};
}
template <class T>
__device__ Rows<T> rows_of(void* tensor, std::int64_t head, std::int32_t rows, std::int32_t cols, Range range) {
  return rows_of<T>(tensor, head, rows, cols, range, {0, cols});
}

/// tile = block of HBM, in the buffer of `tile`
template <class T>
__device__ Tile<T> load(Tile<T> tile, Rows<T> from) {
  tile.rows = from.rows;
  tile.cols = from.cols;
  each(tile.rows, tile.cols, [&](auto r, auto c) { tile[r * tile.cols + c] = from(r, c); });
  return tile;
}

/// block of HBM = tile, rounded to the element type
template <class From, class To>
__device__ void store(Tile<From> tile, Rows<To> to) {
  each(to.rows, to.cols, [&](auto r, auto c) {
    if constexpr (std::is_same_v<From, To>) {
      to(r, c) = tile[r * tile.cols + c];
    } else {
      to(r, c) = dev::from_float<To>(tile(r, c));
    }
  });
}

/// block of HBM = value, without a load
template <class T>
__device__ void initialise(Rows<T> to, float value) {
  each(to.rows, to.cols, [&](auto r, auto c) { to(r, c) = dev::from_float<T>(value); });
}

__device__ inline Tile<float> fill(Tile<float> tile, float value) {
  each(tile.rows, tile.cols, [&](auto r, auto c) { tile.set(r, c, value); });
  return tile;
}

__device__ inline void copy(Tile<float> to, Tile<float> from) {
  each(to.rows, to.cols, [&](auto r, auto c) { to.set(r, c, from(r, c)); });
}

/// sum + weight x, or sum if the weight is 0, whatever x is
__device__ inline float add_weighted(float sum, float weight, float x) { return weight == 0 ? sum : sum + weight * x; }

/// Calls f with a value of the element type, so that a kernel is compiled for each.
template <class F>
void with_element(Element element, F f) {
  if (element == Element::fp16) return f(dev::fp16{});
  if (element == Element::bf16) return f(dev::bf16{});
  f(float{});
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
