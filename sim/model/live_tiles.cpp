#include "sim/model/live_tiles.h"

#include <algorithm>

#include "sim/base/block_mask.h"
#include "sim/base/units.h"

namespace sim {
namespace {

/// One axis of the attention matrix in blocks, and the elements of the other axis that some element of a block sees.
struct Side {
  std::int64_t extent, block, other_extent, other_block;
  Interval (Shape::*live)(Interval) const;
};

/// Member function that returns the column blocks that a pattern leaves of a row block, by number.
using PatternOf = std::span<const Interval> (BlockMask::*)(std::int64_t) const;

void add_row(LiveTiles& sum, std::int64_t height, std::int64_t tiles, std::int64_t width) {
  sum.query_visits = checked_add(sum.query_visits, checked_multiply(height, tiles));
  sum.key_visits = checked_add(sum.key_visits, width);
  sum.elements = checked_add(sum.elements, checked_multiply(height, width));
  sum.tiles = checked_add(sum.tiles, tiles);
}

/// Walks the row blocks. The rows of a block see neighbouring columns, so its live tiles are adjacent, and neither end
/// moves back from one row block to the next.
LiveTiles walk_rows(const Shape& shape, const Side& rows) {
  LiveTiles sum;
  std::int64_t first_col = -1;
  for (std::int64_t row = 0; row < rows.extent; row += rows.block) {
    const std::int64_t height = std::min(rows.block, rows.extent - row);
    const Interval seen = (shape.*rows.live)({row, row + height});
    if (seen.empty()) continue;
    const std::int64_t begin = seen.begin / rows.other_block * rows.other_block;
    const std::int64_t tiles = ceil_div(seen.end - begin, rows.other_block);
    const std::int64_t end = std::min(rows.other_extent, begin + tiles * rows.other_block);
    if (first_col < 0) first_col = begin;
    sum.live_queries += height;
    sum.live_keys = end - first_col;
    add_row(sum, height, tiles, end - begin);
  }
  return sum;
}

/// As above, but under a pattern, whose row blocks see columns with gaps between them; does not compute live_keys.
LiveTiles walk_rows(const Shape& shape, const Side& rows, const BlockMask& mask, PatternOf pattern) {
  LiveTiles sum;
  for (std::int64_t row = 0; row < rows.extent; row += rows.block) {
    const std::int64_t height = std::min(rows.block, rows.extent - row);
    const Interval seen = (shape.*rows.live)({row, row + height});
    std::int64_t tiles = 0, width = 0;
    for (const Interval run : (mask.*pattern)(row / rows.block)) {
      const std::int64_t first = std::max(run.begin, seen.begin / rows.other_block);
      const std::int64_t past = std::min(run.end, seen.empty() ? 0 : ceil_div(seen.end, rows.other_block));
      if (past <= first) continue;
      tiles += past - first;
      width += std::min(rows.other_extent, past * rows.other_block) - first * rows.other_block;
    }
    if (tiles > 0) sum.live_queries += height;
    add_row(sum, height, tiles, width);
  }
  return sum;
}

LiveTiles transposed(const LiveTiles& sum) {
  return {sum.live_keys, sum.live_queries, sum.key_visits, sum.query_visits, sum.elements, sum.tiles};
}

}  // namespace

std::int64_t pages_of_tiles(const LiveTiles& tiles, std::int64_t keys, std::int64_t bc, std::int64_t page) {
  const std::int64_t of_whole = ceil_div(bc, page), keys_of_short = keys % bc;
  const std::int64_t all = checked_multiply(tiles.tiles, of_whole);
  if (keys_of_short == 0) return all;
  const std::int64_t short_tiles = (checked_multiply(tiles.tiles, bc) - tiles.key_visits) / (bc - keys_of_short);
  return all - short_tiles * (of_whole - ceil_div(keys_of_short, page));
}

LiveTiles sum_live_tiles(const Shape& shape, std::int64_t br, std::int64_t bc) {
  const Side rows{shape.seqlen_q, br, shape.seqlen_k, bc, &Shape::live_keys};
  const Side cols{shape.seqlen_k, bc, shape.seqlen_q, br, &Shape::live_queries};
  if (const BlockMask* const pattern = shape.mask.blocks.get()) {
    LiveTiles sum = walk_rows(shape, rows, *pattern, &BlockMask::keys_of);
    sum.live_keys = walk_rows(shape, cols, *pattern, &BlockMask::queries_of).live_queries;
    return sum;
  }
  const bool few_rows = ceil_div(rows.extent, rows.block) <= ceil_div(cols.extent, cols.block);
  return few_rows ? walk_rows(shape, rows) : transposed(walk_rows(shape, cols));
}

LiveTiles sum_live_tiles(const Shape& shape, std::int64_t br, std::int64_t bc, std::int64_t first_queries) {
  if (first_queries == shape.seqlen_q) return sum_live_tiles(shape, br, bc);
  return walk_rows(shape, {first_queries, br, shape.seqlen_k, bc, &Shape::live_keys});
}

}  // namespace sim
