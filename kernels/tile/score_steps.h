// Score steps of a kernel, on scaled scores before the mask: softcap, then ALiBi. Matches sim/base/named_steps.h.
#pragma once
#include "kernels/tile/tile.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Place of a row's query among the keys. Packed rows are query heads of one query, which stands at the last key; a
/// kernel that never packs says so at compile time.
template <bool packs = true>
__device__ std::int32_t position_of(const Arguments& a, std::int32_t row) {
  return packs && a.heads_in_rows > 1 ? a.seqlen_k - 1 : row + a.seqlen_k - a.seqlen_q;
}

/// Numbers of query heads, such as slopes, that a CTA with rows i of a head reads: its head's, or one for each packed
/// row.
__device__ inline Rows<float> numbers_of(void* tensor, const Arguments& a, std::int64_t head, Range i) {
  return rows_of<float>(tensor, head, a.heads_in_rows, 1, a.heads_in_rows > 1 ? i : Range{0, 1});
}

/// Bytes of shared memory for them; a CTA has up to `rows` rows.
inline std::int64_t numbers_bytes(const Arguments& a, std::int32_t rows) {
  return tile_bytes<float>(a.heads_in_rows > 1 ? rows : 1, 1);
}

__device__ inline Rows<float> slopes_of(const Arguments& a, std::int64_t head, Range i) {
  return numbers_of(a.slopes, a, head, i);
}
inline std::int64_t slopes_bytes(const Arguments& a) { return a.alibi ? numbers_bytes(a, a.br) : 0; }

/// A score after its steps, and its derivative.
struct Modified {
  float score, derivative;
};
__device__ inline Modified modified(const Arguments& a, float s, float slope, std::int32_t distance) {
  const float t = a.softcap > 0 ? dev::tanh(s / a.softcap) : 0;
  const float capped = a.softcap > 0 ? a.softcap * t : s;
  return {a.alibi ? capped - slope * static_cast<float>(distance < 0 ? -distance : distance) : capped, 1 - t * t};
}

/// Calls f(row, col, modified score) for each score of a tile, spread over the threads, and waits for all of them.
template <bool packs, class F>
__device__ void each_modified(Tile<float> S, const Arguments& a, Vec slopes, Range i, Range j, F f) {
  each(S.rows, S.cols, [&](auto r, auto c) {
    const float slope = a.alibi ? slopes(packs && a.heads_in_rows > 1 ? r : 0, 0) : 0;
    f(r, c, modified(a, S(r, c), slope, position_of<packs>(a, i.begin + r) - (j.begin + c)));
  });
}

/// S = score steps of S
__device__ inline void modify(Tile<float> S, const Arguments& a, Vec slopes, Range i, Range j) {
  each_modified<true>(S, a, slopes, i, j, [&](auto r, auto c, Modified of) { S.set(r, c, of.score); });
}

/// S, G = score steps of S and, with softcap, their derivatives; without, all are 1 and G does not exist
__device__ inline void modify_with_slopes(Tile<float> S, Tile<float> G, const Arguments& a, Vec slope, Range i,
                                          Range j) {
  each_modified<false>(S, a, slope, i, j, [&](auto r, auto c, Modified of) {
    S.set(r, c, of.score);
    if (a.softcap > 0) G.set(r, c, of.derivative);
  });
}

/// dS = G o dS, 0 where dS = 0
__device__ inline void multiply(Tile<float> dS, Tile<float> G) {
  each(dS.rows, dS.cols, [&](auto r, auto c) { dS.set(r, c, dS(r, c) == 0 ? 0.0f : dS(r, c) * G(r, c)); });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
