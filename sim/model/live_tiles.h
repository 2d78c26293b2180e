// Sums over the live tiles of a masked attention matrix: the tiles with at least one visible pair.
#pragma once
#include "sim/base/shape.h"

namespace sim {

/// Sums Rq, Ck, Aq, Ak and A of closed_form.h, for one head.
struct LiveTiles {
  std::int64_t live_queries = 0;  ///< Rq
  std::int64_t live_keys = 0;     ///< Ck
  std::int64_t query_visits = 0;  ///< Aq
  std::int64_t key_visits = 0;    ///< Ak
  std::int64_t elements = 0;      ///< A
  std::int64_t tiles = 0;         ///< live tiles
};

/// Returns Pt of closed_form.h: the pages of `page` keys that each live tile touches, summed. Whole tiles touch equally
/// many, a short last one fewer. `tiles` are those of bc keys, of which there are `keys`.
std::int64_t pages_of_tiles(const LiveTiles& tiles, std::int64_t keys, std::int64_t bc, std::int64_t page);

/// Sums over the live tiles of br queries and bc keys, which are the pattern's blocks if there is one. Cost: O(min(Tr,
/// Tc)), O(intervals) with a pattern.
LiveTiles sum_live_tiles(const Shape& shape, std::int64_t br, std::int64_t bc);

/// As above, for the row blocks of the first queries; not with a pattern. Cost: O(Tr).
LiveTiles sum_live_tiles(const Shape& shape, std::int64_t br, std::int64_t bc, std::int64_t first_queries);

}  // namespace sim
