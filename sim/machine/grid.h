// The CTAs of a launch in issue order: as groups, each represented by one counted run, and as an ordered run-length
// list of classes.
#pragma once
#include <vector>

#include "sim/machine/blocks.h"

namespace sim {

/// Named grids: the CTAs of a launch, heads outermost, then row blocks, then column blocks. The last two kinds iterate
/// over KV heads: one CTA loops over the query heads of its group, so that it alone writes its part of dK and dV.
enum class GridKind { per_head, per_row_block, per_tile, per_kv_head, per_column_block };

/// Order in which CTAs are issued: all blocks of a head before the next head (of batch x heads), or all heads of a
/// block before the next block.
enum class Raster { head_outermost, block_outermost };

/// Share of a head that one CTA takes.
enum class CtaShare { head, row_block, part_of_row_block, tile, column_block };

/// Grid of a launch: the rows and keys of a head that one CTA takes, independent of the tiles of its loops.
///
///   kind              head    rows  keys         loops over
///   per_head          query   all   all          keys and rows
///   per_row_block     query   Br    all          keys
///   per_tile          query   Br    Bc           slices of d
///   per_kv_head       KV      all   all          query heads, keys and rows
///   per_column_block  KV      all   Bc           query heads and rows
///   split             query   Br    blocks x Bc  its part of the keys
struct GridShape {
  std::int64_t br = 1, bc = 1;
  bool skips = true;      ///< skips tiles that a mask hides; otherwise all CTAs do equal work
  bool all_keys = false;  ///< a CTA of a head also visits key blocks that no query sees
  Raster raster = Raster::head_outermost;
  std::int64_t queries = 0;  ///< queries of a head that CTAs of row blocks have, from the first; 0: all

  GridShape(GridKind kind = GridKind::per_row_block, std::int64_t row_size = 1, std::int64_t col_size = 1,
            bool skips_tiles = true);
  /// Cuts the keys into `splits` parts of `key_blocks` key blocks each; the last ones may be short or empty.
  static GridShape split(std::int64_t br, std::int64_t bc, std::int64_t key_blocks, std::int64_t splits);
  /// A CTA for each batch entry, which takes rows of all its KV heads.
  static GridShape per_entry(const Shape& shape);

  /// Queries of a head that the CTAs have.
  std::int64_t queries_of(const Shape& shape) const { return queries > 0 ? queries : shape.seqlen_q; }
  bool by_kv_head() const { return by_kv_head_; }
  bool by_entry() const { return by_entry_; }
  bool cuts_rows() const { return cuts_rows_; }
  bool cuts_columns() const { return key_blocks_ > 0; }
  CtaShare share() const;
  bool of_heads() const { return share() == CtaShare::head; }
  bool of_tiles() const { return share() == CtaShare::tile; }
  bool of_rows() const { return share() == CtaShare::row_block; }
  bool of_columns() const { return share() == CtaShare::column_block; }
  bool is_split() const { return share() == CtaShare::part_of_row_block; }
  std::int64_t key_blocks() const { return key_blocks_; }  ///< key blocks per CTA; 0: all
  /// Column of the CTA that has this key block; 0 if columns are not cut.
  std::int64_t cta_column_of(std::int64_t key_block) const { return cuts_columns() ? key_block / key_blocks_ : 0; }
  /// The axes cut into the parts of the CTAs; an axis that is not cut is one block.
  Blocking cta_rows(const Shape& shape) const {
    const std::int64_t rows = queries_of(shape);
    return {rows, cuts_rows() ? br : rows};
  }
  Blocking cta_columns(const Shape& shape) const;
  /// Number of times that the CTAs of one head repeat: batch x query heads, or batch x KV heads.
  std::int64_t repeats(const Shape& shape) const;

 private:
  bool by_kv_head_, cuts_rows_, by_entry_ = false;
  std::int64_t key_blocks_, splits_ = 0;
};

/// CTAs that run the same verbs except for trip counts: one counted run represents `times` of them in the whole grid.
struct CtaGroup {
  Block row, col;
  std::int64_t times = 1;
};

/// Returns the groups of a grid. Row blocks are distinguished by size and, if tiles are skipped, by whether they see
/// any key; column blocks likewise by whether any query sees them. O(1) groups; under a pattern O(blocks) to find them.
std::vector<CtaGroup> cta_groups(const Shape& shape, GridShape grid);

/// Properties that determine the time of a CTA: the size of its tile, and the number of tiles that it loops over,
/// without and with a mask.
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

/// Returns the blocks that hold live tiles for row block i (visit_keys) or column block j (visit_queries), and those
/// that need no mask.
Visit visit_keys(const Shape& shape, GridShape grid, std::int64_t i);
/// Returns the blocks that hold live tiles for row block i in part `s` of the keys, for a grid that splits the keys.
Visit visit_split(const Shape& shape, GridShape grid, std::int64_t i, std::int64_t s);
/// Returns the parts of the keys in which row block i sees something.
Interval live_splits(const Shape& shape, GridShape grid, std::int64_t i);
Visit visit_queries(const Shape& shape, GridShape grid, std::int64_t j);
/// Returns the blocks that the CTA at (row, col) of the grid loops over: key blocks, or row blocks if it takes a column
/// block.
Visit visit_of_cta(const Shape& shape, GridShape grid, std::int64_t row, std::int64_t col);

/// Number of queries in row blocks that see a key, and of keys in column blocks that a query sees.
std::int64_t live_query_rows(const Shape& shape, GridShape grid);
std::int64_t live_key_rows(const Shape& shape, GridShape grid);

}  // namespace sim
