// Dropout of a warp's accumulators. A lane has columns 2 t and 2 t + 1 of rows g and g + 8 of an 8-column block, with g
// = lane / 4, t = lane % 4; a draw is for four keys of a row, which two lanes share. The even one draws for row g, the
// odd one for row g + 8, and they exchange a bit per entry: one draw for four entries.
#pragma once
#include "kernels/tile/dropout.h"
#include "kernels/tile/fragment.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Calls f(i, j, r, kept) for each accumulator [i][j][r] of (16 m, 8 n), whose rows begin at `query` and columns at
/// `key`, a multiple of 4. Lanes tell each other the bits of up to `max_draws` <= 8 draws at once. Only where
/// something may be dropped: keep_from > 0.
template <int m, int n, int max_draws = 8, class F>
__device__ void each_drawn(const Arguments& a, std::int64_t head, std::int32_t query, std::int32_t key, F f) {
  constexpr int together = n * m <= max_draws ? n : max_draws / m;  // blocks of columns whose bits one word holds
  static_assert(n % together == 0);
  const int lane = lane_number(), odd = lane % 2;
  const std::int32_t row = query + lane / 4 + 8 * odd, quarter = key / 4 + lane % 4 / 2;
  DEV_UNROLL
  for (int first = 0; first < n; first += together) {
    std::uint32_t mine = 0;
    DEV_UNROLL
    for (int j = first; j < first + together; ++j) {
      DEV_UNROLL
      for (int i = 0; i < m; ++i) {
        const Words words = dropout_words(a, head, row + 16 * i, quarter + 2 * j);
        DEV_UNROLL
        for (int k = 0; k < 4; ++k) mine = dev::shift_in_carry(mine, words.word[k], a.carry_from);
      }
    }
    const std::uint32_t other = __shfl_xor_sync(0xffffffffu, mine, 1);
    const std::uint32_t shift = odd ? 0 : 2, pairs = 0x33333333u;  // words 0 and 1, or 2 and 3 of each draw
    const std::uint32_t upper = (odd ? other : mine) >> shift & pairs, lower = (odd ? mine : other) >> shift & pairs;
    const std::uint32_t kept = dev::opaque(upper << 2 | lower);  // last entry in the lowest bit
    DEV_UNROLL
    for (int bit = 0; bit < 4 * together * m; ++bit) {
      const int r = 3 - bit % 4, draw = together * m - 1 - bit / 4;
      f(draw % m, first + draw / m, r, (kept >> bit & 1) != 0);
    }
  }
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
