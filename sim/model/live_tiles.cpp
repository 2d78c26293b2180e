#include "sim/model/live_tiles.h"

#include <algorithm>

#include "sim/base/block_mask.h"
#include "sim/base/units.h"

namespace sim {
namespace {

/// An axis of the attention matrix, cut into blocks; nothing is visible from `visible` on (padding).
struct Side {
  std::int64_t extent, visible, block;
};

/// Every mask is a band: row r sees the visible columns c with r + low <= c <= r + high.
struct Band {
  Side rows, cols;
  std::int64_t low, high;
};

/// Member function that returns the column blocks that a pattern leaves of a row block, by number.
using PatternOf = std::span<const Interval> (BlockMask::*)(std::int64_t) const;

Band band_of(const Shape& s, std::int64_t br, std::int64_t bc) {
  const std::int64_t diagonal = s.seqlen_k - s.seqlen_q;
  return {{s.seqlen_q, s.seqlen_q, br},
          {s.seqlen_k, s.seqlen_k - s.mask.padding, bc},
          s.mask.window ? diagonal - *s.mask.window : -s.seqlen_q,
          s.mask.causal ? diagonal : s.seqlen_k};
}

std::int64_t block_count(const Side& side) { return ceil_div(side.extent, side.block); }

void add_row(LiveTiles& sum, std::int64_t height, std::int64_t tiles, std::int64_t width) {
  sum.query_visits = checked_add(sum.query_visits, checked_multiply(height, tiles));
  sum.key_visits = checked_add(sum.key_visits, width);
  sum.elements = checked_add(sum.elements, checked_multiply(height, width));
}

/// Walks the row blocks. The rows of a block see neighbouring columns, so its live tiles are adjacent, and neither end
/// moves back from one row block to the next.
LiveTiles walk_rows(const Band& band) {
  const auto& [rows, cols, low, high] = band;
  LiveTiles sum;
  // row r sees something iff r + low < cols.visible and r + high >= 0
  const std::int64_t first_seeing = std::max<std::int64_t>(0, -high);
  const std::int64_t past_seeing = std::min(rows.visible, cols.visible - low);
  if (cols.visible == 0 || first_seeing >= past_seeing) return sum;
  std::int64_t first_col = -1;
  for (std::int64_t row = first_seeing / rows.block * rows.block; row < past_seeing; row += rows.block) {
    const std::int64_t height = std::min(rows.block, rows.extent - row);
    const std::int64_t seen_from = std::max<std::int64_t>(0, row + low);
    const std::int64_t seen_to = std::min(cols.visible, std::min(row + rows.block, rows.visible) + high);
    const std::int64_t begin = seen_from / cols.block * cols.block;
    const std::int64_t tiles = ceil_div(seen_to - begin, cols.block);
    const std::int64_t end = std::min(cols.extent, begin + tiles * cols.block);
    if (first_col < 0) first_col = begin;
    sum.live_queries += height;
    sum.live_keys = end - first_col;
    add_row(sum, height, tiles, end - begin);
  }
  return sum;
}

/// As above, but under a pattern, whose row blocks see columns with gaps between them; does not compute live_keys.
LiveTiles walk_rows(const Band& band, const BlockMask& mask, PatternOf pattern) {
  const auto& [rows, cols, low, high] = band;
  LiveTiles sum;
  for (std::int64_t row = 0; row < rows.visible; row += rows.block) {
    const std::int64_t height = std::min(rows.block, rows.extent - row);
    const std::int64_t seen_from = std::max<std::int64_t>(0, row + low);
    const std::int64_t seen_to = std::min(cols.visible, std::min(row + rows.block, rows.visible) + high);
    std::int64_t tiles = 0, width = 0;
    for (const Interval run : (mask.*pattern)(row / rows.block)) {
      const std::int64_t first = std::max(run.begin, seen_from / cols.block);
      const std::int64_t past = std::min(run.end, seen_to > seen_from ? ceil_div(seen_to, cols.block) : 0);
      if (past <= first) continue;
      tiles += past - first;
      width += std::min(cols.extent, past * cols.block) - first * cols.block;
    }
    if (tiles > 0) sum.live_queries += height;
    add_row(sum, height, tiles, width);
  }
  return sum;
}

Band transposed(const Band& band) { return {band.cols, band.rows, -band.high, -band.low}; }

LiveTiles transposed(const LiveTiles& sum) {
  return {sum.live_keys, sum.live_queries, sum.key_visits, sum.query_visits, sum.elements};
}

}  // namespace

LiveTiles sum_live_tiles(const Shape& shape, std::int64_t br, std::int64_t bc) {
  const Band band = band_of(shape, br, bc);
  if (shape.mask.blocks) {
    LiveTiles sum = walk_rows(band, *shape.mask.blocks, &BlockMask::keys_of);
    sum.live_keys = walk_rows(transposed(band), *shape.mask.blocks, &BlockMask::queries_of).live_queries;
    return sum;
  }
  const bool few_rows = block_count(band.rows) <= block_count(band.cols);
  return few_rows ? walk_rows(band) : transposed(walk_rows(transposed(band)));
}

}  // namespace sim
