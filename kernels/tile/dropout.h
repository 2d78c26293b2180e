// Dropout in a kernel: counter-based choice of the entries of P to keep, equal to that of sim/base/dropout.h.
// Source: Philox4x32-10, Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.
#pragma once
#include "kernels/tile/tile.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Four words.
struct Words {
  std::uint32_t word[4];
};

/// Philox4x32: ten rounds of two products, whose halves are mixed with the other words and the round key.
__device__ inline Words philox(Words counter, const std::uint32_t (&keys)[10][2]) {
  constexpr std::uint64_t factor_0 = 0xD2511F53u, factor_2 = 0xCD9E8D57u;
  DEV_UNROLL
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product_0 = factor_0 * counter.word[0], product_2 = factor_2 * counter.word[2];
    const auto high = [](std::uint64_t product) { return static_cast<std::uint32_t>(product >> 32); };
    const auto low = [](std::uint64_t product) { return static_cast<std::uint32_t>(product); };
    counter = {{high(product_2) ^ counter.word[1] ^ keys[round][0], low(product_2),
                high(product_0) ^ counter.word[3] ^ keys[round][1], low(product_0)}};
  }
  return counter;
}

/// Words of keys 4 `quarter` to 4 `quarter` + 3 of a query. `head`: batch entry x query heads + head.
__device__ inline Words dropout_words(const Arguments& a, std::int64_t head, std::int32_t query, std::int32_t quarter) {
  const Words counter = {
      {static_cast<std::uint32_t>(quarter), static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(head), 1}};
  return philox(counter, a.round_keys);
}

/// True if an entry with this word is kept. keep_from may be 2^32: then none is.
__device__ inline bool keeps(const Arguments& a, std::uint32_t word) { return word >= a.keep_from; }

/// Calls f(row, col, kept) for each element of tile (queries, keys) of a head, one draw for four keys, and waits.
template <class F>
__device__ void each_kept(const Arguments& a, std::int64_t head, Range queries, Range keys, F f) {
  const Range quarters = blocks_touching(keys, 4);
  each(queries.size(), quarters.size(), [&](auto r, auto n) {
    const std::int32_t quarter = quarters.begin + n;
    const Words words = dropout_words(a, head, queries.begin + r, quarter);
    for (std::int32_t k = 0; k < 4; ++k) {
      const std::int32_t key = quarter * 4 + k;
      if (keys.contains(key)) f(r, key - keys.begin, keeps(a, words.word[k]));
    }
  });
}

/// Z = 1 if an entry is kept, else 0
__device__ inline void keep_mask(Tile<std::uint8_t> Z, const Arguments& a, std::int64_t head, Range i, Range j) {
  each_kept(a, head, i, j, [&](auto r, auto c, bool kept) { Z[r * j.size() + c] = kept ? 1 : 0; });
}

/// P_d = Z o P / (1 - p), 0 if dropped, whatever P is; P_d may be P itself
__device__ inline Tile<float> dropout(Tile<float> P_dropped, Tile<float> P, const Arguments& a, std::int64_t head,
                                      Range i, Range j) {
  P_dropped.rows = P.rows;
  P_dropped.cols = P.cols;
  each_kept(a, head, i, j,
            [&](auto r, auto c, bool kept) { P_dropped.set(r, c, kept ? P(r, c) * a.keep_factor : 0.0f); });
  return P_dropped;
}

/// P = Z o P / (1 - p) in place, for a mask that was drawn into a tile or loaded
template <class T>
__device__ void dropout(Tile<T> P, Tile<std::uint8_t> Z, const Arguments& a) {
  each(P.rows, P.cols, [&](auto r, auto c) { P.set(r, c, Z[r * P.cols + c] != 0 ? P(r, c) * a.keep_factor : 0.0f); });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
