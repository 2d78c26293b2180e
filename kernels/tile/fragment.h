// Matrices of 16-bit elements between HBM, shared memory and the tensor cores: the building blocks of the tensor-core
// kernels. A product reads as its equation: S = Q K^T is
//   gemm_add<T, d>(S, Left{Q}, RightTransposed{K}).
// For 16 queries of a warp, 64 keys and d = 64 that is 4 steps of 8 mma; each multiplies 16 x 16 elements of Q by
// 16 x 8 of K^T into 16 x 8 of S.
//
// In shared memory: tiles are 16-byte chunks, permuted within their rows, since ldmatrix reads the same chunk of eight
// rows at a time. Chunks at 64 columns, by the slot that holds them; a slot is four of the 32 banks:
//
//   row 0   0 1 2 3 4 5 6 7      chunk 0 is in slots 0, 1, 2 ... 7 of rows 0 to 7: all banks, one pass;
//   row 1   1 0 3 2 5 4 7 6      without the permutation eight times in slot 0: eight passes
//   row 2   2 3 0 1 6 7 4 5
//   ...
//
// In registers: in each 16 x 8 block of S, lane 5 holds row 1, columns 2 and 3, and row 9, columns 2 and 3. As a left
// factor of P V it must supply the same elements of P, so P, rounded, is used in place (LeftRounded).
// Source: PTX ISA, "Matrix fragments for mma.m16n8k16" and "ldmatrix".
#pragma once
#include <type_traits>

#include "kernels/dev/dev.h"
#include "kernels/tile/arguments.h"
#include "kernels/tile/mask.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// This thread's index in its block, read again at each call: values derived from it occupy no register for long.
/// Unsigned, so that quotients and remainders are a shift or a mask.
__device__ inline unsigned thread_number() { return dev::opaque(threadIdx.x); }
__device__ inline int lane_number() { return static_cast<int>(thread_number() % 32); }

enum class Layout { swizzled, plain };

/// (rows, columns) elements of 16 bits in shared memory, row-major; `at` is 1024-byte aligned. Swizzled: chunk c of row
/// r is stored in slot c ^ phase(r); the XOR changes only bits within a group of chunks: 128 bytes of a row, or 64 if
/// the row length is not a multiple of 128.
template <int columns, Layout layout = Layout::swizzled>
struct SharedTile {
  static_assert(columns % 32 == 0);
  static constexpr int cols = columns, row_bytes = 2 * columns, group = columns % 64 == 0 ? 8 : 4;
  unsigned char* at;

  /// The part that starts at `row`, a multiple of 8.
  __device__ SharedTile from(int row) const { return {at + row * row_bytes}; }
  /// XOR mask of a row's chunks; repeats every 8 rows.
  __device__ static int phase(int row) {
    if constexpr (layout == Layout::plain) return 0;
    return group == 8 ? row % 8 : row / 2 % 4;
  }
  /// Byte offset of a chunk.
  __device__ static int offset(int row, int chunk) { return row * row_bytes + (chunk ^ phase(row)) * 16; }
  /// Moves `lane`, which is offset(row, chunk) or the address there, ahead by `chunks`; requires a chunk in the first
  /// group whose bits below `chunks` are clear. One instruction if `chunks` is a constant.
  template <class Place>
  __device__ static Place along(Place lane, int chunks) {
    if constexpr (layout == Layout::plain) return lane + static_cast<Place>(chunks * 16);
    return (lane ^ static_cast<Place>(chunks % group * 16)) + static_cast<Place>(chunks / group * group * 16);
  }
};

/// Compile-time stride of contiguous rows of HBM.
template <int columns>
using WithoutGaps = std::integral_constant<std::int32_t, columns>;

/// Starts copying rows of HBM (count, columns), `stride` elements apart, to a tile of `rows` rows; rows from `count` on
/// become zeros. Uses cp.async of 16 bytes, spread over `threads` threads. The caller commits and waits. Reads each
/// element once.
template <int rows, int threads, class T, int columns, Layout layout, class Stride = WithoutGaps<columns>>
__device__ void load_async(SharedTile<columns, layout> tile, const T* from, std::int32_t count, Stride stride = {}) {
  using Tile = SharedTile<columns, layout>;
  constexpr int step = threads / Tile::group;  // rows at a time: each row's chunks of one group
  static_assert(rows % step == 0 && step % 8 == 0 && sizeof(T) == 2);
  const unsigned thread = thread_number();
  const int row = static_cast<int>(thread / Tile::group), chunk = static_cast<int>(thread % Tile::group);
  unsigned char* to = tile.at + Tile::offset(row, chunk);
  from += row * stride + chunk * 8;
  const auto copy = [&](int r, bool valid) {
    DEV_UNROLL
    for (int c = 0; c < columns / 8; c += Tile::group)
      dev::cp_async(to + r * Tile::row_bytes + c * 16, from + r * stride + c * 8, valid);
  };
  if (count >= rows) {  // separate loop: most tiles are whole, and comparisons are not free
    DEV_UNROLL
    for (int r = 0; r < rows; r += step) copy(r, true);
  } else {
    DEV_UNROLL
    for (int r = 0; r < rows; r += step) copy(r, row + r < count);
  }
}

/// Order in which ldmatrix reads the quarters of a block: (0, 0), (8, 0), (0, 8), (8, 8) of (row, column), or (0, 0),
/// (0, 8), (8, 0), (8, 8). A fragment needs consecutive registers: with the wrong order each one is moved.
enum class Quarters { rows_first, columns_first };

/// A tile as ldmatrix reads it, in blocks of 16 x 16: address of this lane's row of the first block. Other blocks are a
/// constant or an XOR away, which the tile's alignment allows on the address as well.
template <class Tile, Quarters order>
struct Blocks {
  dev::SharedAddress at;
  __device__ explicit Blocks(Tile tile) {
    const int n = static_cast<int>(threadIdx.x % 32);
    const int row = order == Quarters::rows_first ? n % 16 : n % 8 + n / 16 * 8;
    const int chunk = order == Quarters::rows_first ? n / 16 : n / 8 % 2;
    const auto offset = static_cast<dev::SharedAddress>(tile.offset(row, chunk));
    at = dev::opaque(dev::shared_address(tile.at) + offset);  // else each block's address takes a register
  }
  /// Reads the quarters of a block in `order`.
  __device__ void read(std::uint32_t (&quarters)[4], int row_block, int col_block) const {
    dev::ldmatrix<4>(quarters, place(row_block, col_block));
  }
  /// As read(), with each quarter transposed.
  __device__ void read_transposed(std::uint32_t (&quarters)[4], int row_block, int col_block) const {
    dev::ldmatrix_transposed<4>(quarters, place(row_block, col_block));
  }
  __device__ dev::SharedAddress place(int row_block, int col_block) const {
    return Tile::along(at, col_block * 2) + static_cast<dev::SharedAddress>(row_block * 16 * Tile::row_bytes);
  }
};

/// Left factor A = tile (m, k) of A B: fragment (i, k) is rows 16 i .., columns 16 k ..
template <class Tile>
struct Left {
  Blocks<Tile, Quarters::rows_first> blocks;
  __device__ explicit Left(Tile tile) : blocks(tile) {}
  __device__ void load(std::uint32_t (&a)[4], int i, int k) const { blocks.read(a, i, k); }
};

/// Left factor A = tile^T of A B, tile (k, m).
template <class Tile>
struct LeftTransposed {
  Blocks<Tile, Quarters::columns_first> blocks;
  __device__ explicit LeftTransposed(Tile tile) : blocks(tile) {}
  __device__ void load(std::uint32_t (&a)[4], int i, int k) const { blocks.read_transposed(a, k, i); }
};

/// Right factor B = tile (k, n) of A B, e.g. V in P V. Fragments are read in pairs: columns 16 j .. and 16 j + 8 ..
template <class Tile>
struct Right {
  Blocks<Tile, Quarters::rows_first> blocks;
  __device__ explicit Right(Tile tile) : blocks(tile) {}
  __device__ void load(std::uint32_t (&b)[2][2], int j, int k) const {
    std::uint32_t q[4];
    blocks.read_transposed(q, k, j);
    b[0][0] = q[0], b[0][1] = q[1], b[1][0] = q[2], b[1][1] = q[3];
  }
};

/// Right factor B = tile^T of A B, tile (n, k), e.g. K in Q K^T.
template <class Tile>
struct RightTransposed {
  Blocks<Tile, Quarters::columns_first> blocks;
  __device__ explicit RightTransposed(Tile tile) : blocks(tile) {}
  __device__ void load(std::uint32_t (&b)[2][2], int j, int k) const {
    std::uint32_t q[4];
    blocks.read(q, j, k);
    b[0][0] = q[0], b[0][1] = q[1], b[1][0] = q[2], b[1][1] = q[3];
  }
};

/// Accumulators of a warp (16 m, 8 n) in fp32. With g = lane / 4 and t = lane % 4, element c of block (i, j) is row
/// 16 i + g + 8 (c / 2), column 8 j + 2 t + c % 2.
template <int m, int n>
using Accumulators = float[m][n][4];

/// Left factor A (16 m, 16 k) in registers: accumulators rounded to T, already in the lanes that a product needs.
template <class T, int m, int k>
struct LeftRounded {
  std::uint32_t a_of[m][k][4];
  __device__ explicit LeftRounded(const Accumulators<m, 2 * k>& c) {
    DEV_UNROLL
    for (int i = 0; i < m; ++i) {
      DEV_UNROLL
      for (int j = 0; j < 2 * k; ++j) {
        a_of[i][j / 2][j % 2 * 2] = dev::pack<T>(c[i][j][0], c[i][j][1]);
        a_of[i][j / 2][j % 2 * 2 + 1] = dev::pack<T>(c[i][j][2], c[i][j][3]);
      }
    }
  }
  __device__ void load(std::uint32_t (&a)[4], int i, int k_block) const {
    DEV_UNROLL
    for (int r = 0; r < 4; ++r) a[r] = a_of[i][k_block][r];
  }
};

template <int m, int n>
__device__ void clear(Accumulators<m, n>& c) {
  DEV_UNROLL
  for (int i = 0; i < m; ++i) {
    DEV_UNROLL
    for (int j = 0; j < n; ++j) c[i][j][0] = c[i][j][1] = c[i][j][2] = c[i][j][3] = 0;
  }
}

/// C (16 m, 8 n) += A (16 m, 16) B (16, 8 n): step k of a product.
template <class T, int m, int n, class A, class B>
__device__ void gemm_step(float (&c)[m][n][4], const A& left, const B& right, int k) {
  static_assert(n % 2 == 0);
  std::uint32_t a[m][4];
  DEV_UNROLL
  for (int i = 0; i < m; ++i) left.load(a[i], i, k);
  DEV_UNROLL
  for (int j = 0; j < n / 2; ++j) {
    std::uint32_t b[2][2];
    right.load(b, j, k);
    DEV_UNROLL
    for (int i = 0; i < m; ++i) {
      dev::mma<T>(c[i][2 * j], a[i], b[0]);
      dev::mma<T>(c[i][2 * j + 1], a[i], b[1]);
    }
  }
}

/// C (16 m, 8 n) += A (16 m, depth) B (depth, 8 n) by one warp, elements T, fp32 sums; m n depth / 16 mma.
template <class T, int depth, int m, int n, class A, class B>
__device__ void gemm_add(float (&c)[m][n][4], const A& left, const B& right) {
  static_assert(depth % 16 == 0);
  DEV_UNROLL
  for (int k = 0; k < depth / 16; ++k) gemm_step<T>(c, left, right, k);
}

/// Stores accumulators, rounded to T, in the first 16 m rows and 8 n columns of a tile; 4 bytes per lane, no conflicts.
template <class T, int m, int n, class Tile>
__device__ void store_rounded(Tile tile, const float (&c)[m][n][4]) {
  const int lane = lane_number();
  unsigned char* at = tile.at + lane % 4 * 4;
  const int first = dev::opaque(tile.offset(lane / 4, 0));
  DEV_UNROLL
  for (int i = 0; i < m; ++i) {
    DEV_UNROLL
    for (int j = 0; j < n; ++j) {
      unsigned char* to = at + i * 16 * Tile::row_bytes + Tile::along(first, j);
      *reinterpret_cast<std::uint32_t*>(to) = dev::pack<T>(c[i][j][0], c[i][j][1]);
      *reinterpret_cast<std::uint32_t*>(to + 8 * Tile::row_bytes) = dev::pack<T>(c[i][j][2], c[i][j][3]);
    }
  }
}

/// Zeros the rows of a tile that are not in `kept`: rows hidden from all queries may hold NaN, and 0 x NaN is NaN.
/// Spread over the block's `threads` threads; the caller waits.
template <int rows, int threads, int columns, Layout layout>
__device__ void clear_rows_outside(Range kept, SharedTile<columns, layout> tile) {
  for (int n = static_cast<int>(threadIdx.x); n < rows * columns / 8; n += threads) {
    if (!kept.contains(n / (columns / 8))) dev::store_chunk(tile.at + n * 16, dev::Chunk{});
  }
}

/// Stores the first `count` of `rows` rows of a tile to HBM (count, columns), `stride` elements apart, 16 bytes at a
/// time, by the `threads` threads of a warp or a block; `thread` is this thread's index among them.
template <int rows, int threads, class T, int columns, Layout layout, class Stride = WithoutGaps<columns>>
__device__ void store_rows(SharedTile<columns, layout> tile, T* to, std::int32_t count, int thread,
                           Stride stride = {}) {
  using Tile = SharedTile<columns, layout>;
  constexpr int chunks = columns / 8;
  static_assert(rows * chunks % threads == 0 && sizeof(T) == 2);
  for (int n = thread; n < rows * chunks; n += threads) {
    const int row = n / chunks, chunk = n % chunks;
    if (row < count)
      dev::store_chunk(to + row * stride + chunk * 8, dev::load_chunk(tile.at + Tile::offset(row, chunk)));
  }
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
