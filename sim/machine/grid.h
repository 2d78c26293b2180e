// The grid of a launch: which CTAs there are, in issue order, as groups that one counted run stands for and as an
// ordered run-length list of classes.
#pragma once
#include <vector>

#include "sim/machine/blocks.h"

namespace sim {

/// Which CTAs a launch has: heads outermost, then row blocks, then column blocks. The last two kinds take a KV head:
/// one CTA loops over the query heads of its group, so that it alone writes its part of dK and dV.
enum class GridKind { per_head, per_row_block, per_tile, per_kv_head, per_column_block };

/// The order in which CTAs are issued: all blocks of a head before the next head (of batch x heads), or all heads of a
/// block before the next block.
enum class Raster { head_outermost, block_outermost };

struct GridShape {
  GridKind kind = GridKind::per_row_block;
  std::int64_t br = 1, bc = 1;
  bool skips = true;  ///< tiles that a mask hides are skipped; otherwise every CTA does the same work
  Raster raster = Raster::head_outermost;

  bool by_kv_head() const { return kind == GridKind::per_kv_head || kind == GridKind::per_column_block; }
  bool cuts_rows() const { return kind == GridKind::per_row_block || kind == GridKind::per_tile; }
  bool cuts_columns() const { return kind == GridKind::per_column_block || kind == GridKind::per_tile; }
  /// How often the CTAs of one head repeat: batch x query heads, or batch x KV heads.
  std::int64_t repeats(const Shape& shape) const;
};

/// CTAs that run the same verbs but for trip counts: one counted run stands for `times` of them in the whole grid.
struct CtaGroup {
  Block row, col;
  std::int64_t times = 1;
};

/// The groups of a grid. Row blocks are told apart by size and, where tiles are skipped, by whether they see any key;
/// column blocks likewise by whether any query sees them. O(1) groups.
std::vector<CtaGroup> cta_groups(const Shape& shape, GridShape grid);

/// What decides how long a CTA takes: the size of its tile, and how many tiles it loops over, without and with a mask.
struct ClassKey {
  std::int64_t rows = 0, cols = 0;
  std::int64_t full_tiles = 0, masked_tiles = 0;
  friend bool operator==(const ClassKey&, const ClassKey&) = default;
};

struct Run {
  ClassKey key;
  std::int64_t count = 0;
};

/// `runs` in issue order for one head, repeated for every head (or KV head) of every batch entry. O(blocks).
struct Grid {
  std::vector<Run> runs;
  std::int64_t repeats = 1;
  std::int64_t ctas() const;
};

Grid make_grid(const Shape& shape, GridShape grid);

/// Blocks that hold live tiles for row block i / column block j, and those of them that need no mask.
Visit visit_keys(const Shape& shape, GridShape grid, std::int64_t i);
Visit visit_queries(const Shape& shape, GridShape grid, std::int64_t j);

}  // namespace sim
