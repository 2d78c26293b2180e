// Result of a row after some of its tiles, in double, from the scores of the run: with the rescaling by alpha, or
// without it, which shows the purpose of alpha.
#pragma once
#include <span>

#include "sim/model/softmax_row.h"

namespace sim {

/// kept: earlier sums are multiplied by alpha = exp(m - m') at a tile. skipped: they are left unchanged, so weights of
/// different maxima are added up.
enum class Rescaling { kept, skipped };

/// Sums over the tiles so far: m, l = sum of p, and O = sum of p v / l (d). The share of key j of tile t in the result
/// is exp(s_j - m_t) factor[t], with m_t the running maximum of that tile; factors of tiles without a share are 0.
struct RowAnswer {
  double m = 0, l = 0;
  std::vector<double> O;
  std::vector<double> factor;
  double share(const SoftmaxTile& tile, std::size_t t, std::size_t j) const;
};

/// Returns the result after the first `count` tiles of a row: over the part of the keys that the last of them belongs
/// to, and in a combination over all parts so far. l is 0 if no key has been seen. O(count d).
RowAnswer answer_of(std::span<const SoftmaxTile> tiles, std::size_t count, Rescaling rescaling);

/// Returns |a - b| / |b|, Euclidean; 0 if b is 0.
double relative_error(std::span<const double> a, std::span<const double> b);

/// A key with its share in both results.
struct KeyShare {
  std::int64_t key = 0;
  double kept = 0, skipped = 0;
};
/// Returns the keys with the largest shares among the first `count` tiles, largest first. O(keys log most).
std::vector<KeyShare> largest_shares(std::span<const SoftmaxTile> tiles, std::size_t count, std::size_t most);

}  // namespace sim
