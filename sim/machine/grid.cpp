#include "sim/machine/grid.h"

#include "sim/base/block_mask.h"

namespace sim {
namespace {

Block whole_axis(std::int64_t size) { return make_group({size, size}, {0, 1}, Origin::whole); }

/// Splits block indices at the short last block.
std::vector<Block> by_size(const Blocking& blocking, Interval indices) {
  std::vector<Block> groups;
  const bool short_last = blocking.ragged() && indices.end == blocking.count();
  const Interval sets[] = {{indices.begin, indices.end - short_last}, {indices.end - short_last, indices.end}};
  for (const Interval set : sets) {
    if (!indices.empty() && !set.empty()) groups.push_back(make_group(blocking, set, Origin::cta));
  }
  return groups;
}

/// Groups blocks by size and liveness. Live blocks are one interval, so there are at most three intervals.
std::vector<Block> by_size_and_life(const Blocking& blocking, Interval live_elements) {
  Interval live = blocking.touching(live_elements);
  if (live.empty()) live = {blocking.count(), blocking.count()};
  std::vector<Block> groups;
  for (const Interval stretch : {Interval{0, live.begin}, live, Interval{live.end, blocking.count()}}) {
    for (const Block& group : by_size(blocking, stretch)) groups.push_back(group);
  }
  return groups;
}

/// Groups blocks by size and liveness under a pattern. Live blocks have gaps, so each group represents all live, or all
/// dead, blocks of its size.
template <class IsLive>
std::vector<Block> by_size_and_pattern(const Blocking& blocking, IsLive is_live) {
  std::vector<Block> groups;
  for (const Block& all : by_size(blocking, {0, blocking.count()})) {
    std::int64_t count[2] = {0, 0}, first[2] = {0, 0};
    for (std::int64_t n = all.members.begin; n < all.members.end; ++n) {
      const int sort = is_live(n) ? 1 : 0;
      if (count[sort]++ == 0) first[sort] = n;
    }
    for (const int sort : {0, 1}) {
      if (count[sort] == 0) continue;
      groups.push_back(make_block(blocking, first[sort], Origin::cta));
      groups.back().members = all.members;
      groups.back().others = all.members.size() - count[sort];
    }
  }
  return groups;
}

/// Groups of a grid that cuts one axis.
template <class IsLive>
std::vector<Block> groups_along(const Blocking& blocking, bool skips, const Shape& shape, Interval live_elements,
                                IsLive is_live) {
  if (skips && shape.mask.blocks) return by_size_and_pattern(blocking, is_live);
  return skips ? by_size_and_life(blocking, live_elements) : by_size(blocking, {0, blocking.count()});
}

/// Returns the pattern of a grid that skips tiles; null if there is none. Throws Error if the pattern's blocks are not
/// the grid's tiles.
const BlockMask* pattern_of(const Shape& shape, GridShape grid) {
  if (!shape.mask.blocks || !grid.skips) return nullptr;
  const BlockedMatrix& matrix = shape.mask.blocks->matrix();
  require(matrix.br == grid.br && matrix.bc == grid.bc, "pattern: its blocks of ", matrix.br, " x ", matrix.bc,
          " are not the tiles of ", grid.br, " x ", grid.bc);
  return shape.mask.blocks.get();
}

void append(std::vector<Run>& runs, const ClassKey& key, std::int64_t count) {
  if (!runs.empty() && runs.back().key == key) {
    runs.back().count += count;
  } else {
    runs.push_back({key, count});
  }
}

ClassKey class_of(std::int64_t rows, std::int64_t cols, const Visit& visit, std::int64_t times) {
  const std::int64_t full = visit.count_full();
  return {rows, cols, full * times, (visit.count() - full) * times};
}

}  // namespace

Visit visit_keys(const Shape& shape, GridShape grid, std::int64_t i) {
  const Interval queries = Blocking{shape.seqlen_q, grid.br}.elements(i);
  const Blocking keys{shape.seqlen_k, grid.bc};
  const Visit all{keys.touching(shape.live_keys(queries)), keys.inside(shape.full_keys(queries))};
  const BlockMask* const pattern = pattern_of(shape, grid);
  return pattern == nullptr ? all : cut_by(all, pattern->keys_of(i));
}

Visit visit_split(const Shape& shape, GridShape grid, std::int64_t i, std::int64_t s) {
  const Visit all = visit_keys(shape, grid, i);
  const Interval blocks{s * grid.key_blocks(), (s + 1) * grid.key_blocks()};
  return {overlap(all.live, blocks), overlap(all.full, blocks)};
}

Interval live_splits(const Shape& shape, GridShape grid, std::int64_t i) {
  const Interval live = visit_keys(shape, grid, i).live;
  if (live.empty()) return {};
  return {live.begin / grid.key_blocks(), ceil_div(live.end, grid.key_blocks())};
}

Visit visit_queries(const Shape& shape, GridShape grid, std::int64_t j) {
  const Interval keys = Blocking{shape.seqlen_k, grid.bc}.elements(j);
  const Blocking queries{shape.seqlen_q, grid.br};
  const Visit all{queries.touching(shape.live_queries(keys)), queries.inside(shape.full_queries(keys))};
  const BlockMask* const pattern = pattern_of(shape, grid);
  return pattern == nullptr ? all : cut_by(all, pattern->queries_of(j));
}

Visit visit_of_cta(const Shape& shape, GridShape grid, std::int64_t row, std::int64_t col) {
  if (grid.is_split()) return visit_split(shape, grid, row, col);
  return grid.of_columns() ? visit_queries(shape, grid, col) : visit_keys(shape, grid, row);
}

namespace {

/// Number of elements in the blocks that have live tiles.
template <class VisitOf>
std::int64_t live_elements(const Blocking& blocking, VisitOf visit_of) {
  std::int64_t elements = 0;
  for (std::int64_t n = 0; n < blocking.count(); ++n) {
    if (!visit_of(n).live.empty()) elements += blocking.elements(n).size();
  }
  return elements;
}

std::int64_t elements_of(const Blocking& blocking, Interval blocks) {
  return blocks.empty() ? 0 : blocking.elements(blocks.end - 1).end - blocking.elements(blocks.begin).begin;
}

}  // namespace

std::int64_t live_query_rows(const Shape& shape, GridShape grid) {
  const Blocking rows{shape.seqlen_q, grid.br};
  if (!shape.mask.blocks) return elements_of(rows, rows.touching(shape.live_queries({0, shape.seqlen_k})));
  return live_elements(rows, [&](std::int64_t i) { return visit_keys(shape, grid, i); });
}

std::int64_t live_key_rows(const Shape& shape, GridShape grid) {
  const Blocking cols{shape.seqlen_k, grid.bc};
  if (!shape.mask.blocks) return elements_of(cols, cols.touching(shape.live_keys({0, shape.seqlen_q})));
  return live_elements(cols, [&](std::int64_t j) { return visit_queries(shape, grid, j); });
}

GridShape::GridShape(GridKind kind, std::int64_t row_size, std::int64_t col_size, bool skips_tiles)
    : br(row_size),
      bc(col_size),
      skips(skips_tiles),
      by_kv_head_(kind == GridKind::per_kv_head || kind == GridKind::per_column_block),
      cuts_rows_(kind == GridKind::per_row_block || kind == GridKind::per_tile),
      key_blocks_(kind == GridKind::per_column_block || kind == GridKind::per_tile ? 1 : 0) {}

GridShape GridShape::split(std::int64_t br, std::int64_t bc, std::int64_t key_blocks, std::int64_t splits) {
  GridShape grid(GridKind::per_tile, br, bc);
  grid.key_blocks_ = key_blocks;
  grid.splits_ = splits;
  return grid;
}

GridShape GridShape::per_entry(const Shape& shape) {
  GridShape grid(GridKind::per_head, shape.seqlen_q, shape.seqlen_k, false);
  grid.by_entry_ = true;
  return grid;
}

CtaShare GridShape::share() const {
  if (splits_ > 0) return CtaShare::part_of_row_block;
  if (cuts_rows()) return cuts_columns() ? CtaShare::tile : CtaShare::row_block;
  return cuts_columns() ? CtaShare::column_block : CtaShare::head;
}

Blocking GridShape::cta_columns(const Shape& shape) const {
  return {shape.seqlen_k, cuts_columns() ? checked_multiply(key_blocks_, bc) : shape.seqlen_k, splits_};
}

std::int64_t GridShape::repeats(const Shape& shape) const {
  if (by_entry()) return shape.batch;
  return checked_multiply(shape.batch, by_kv_head() ? shape.kv_heads : shape.heads);
}

namespace {

/// Adds the CTAs of row blocks of one size in a grid that splits the keys, grouped by whether they see anything: each
/// group represents all of its kind, so its members are all of these rows and all parts of the keys.
void add_split_groups(std::vector<CtaGroup>& groups, const Shape& shape, GridShape grid, const Block& rows) {
  const Blocking splits = grid.cta_columns(shape), row_blocks = grid.cta_rows(shape);
  std::int64_t live = 0, first_live = -1, first_dead = -1, dead_split = 0;
  for (std::int64_t i = rows.members.begin; i < rows.members.end; ++i) {
    const Interval seen = live_splits(shape, grid, i);
    live = checked_add(live, seen.size());
    if (!seen.empty() && first_live < 0) first_live = i;
    if (seen.size() < splits.count() && first_dead < 0) {
      first_dead = i;
      dead_split = seen.empty() || seen.begin > 0 ? 0 : seen.end;
    }
  }
  const auto add = [&](std::int64_t i, std::int64_t split, std::int64_t ctas) {
    if (ctas == 0) return;
    CtaGroup group{make_block(row_blocks, i, Origin::cta), make_block(splits, split, Origin::cta),
                   checked_multiply(grid.repeats(shape), ctas)};
    group.row.members = rows.members;
    group.col.members = {0, splits.count()};
    groups.push_back(group);
  };
  add(first_live, first_live < 0 ? 0 : live_splits(shape, grid, first_live).begin, live);
  add(first_dead, dead_split, checked_multiply(rows.members.size(), splits.count()) - live);
}

}  // namespace

std::vector<CtaGroup> cta_groups(const Shape& shape, GridShape grid) {
  if (grid.is_split()) {
    std::vector<CtaGroup> groups;
    const Blocking rows = grid.cta_rows(shape);
    for (const Block& group : by_size(rows, {0, rows.count()})) add_split_groups(groups, shape, grid, group);
    return groups;
  }
  const std::int64_t heads = grid.repeats(shape);
  const Blocking row_blocks{grid.queries_of(shape), grid.br}, col_blocks{shape.seqlen_k, grid.bc};
  const bool one_axis = grid.cuts_rows() != grid.cuts_columns();  // a CTA per tile never skips
  std::vector<Block> rows = {whole_axis(shape.seqlen_q)}, cols = {whole_axis(shape.seqlen_k)};
  if (grid.cuts_rows())
    rows = groups_along(row_blocks, grid.skips && one_axis, shape, shape.live_queries({0, shape.seqlen_k}),
                        [&](std::int64_t i) { return !visit_keys(shape, grid, i).live.empty(); });
  if (grid.cuts_columns())
    cols = groups_along(col_blocks, grid.skips && one_axis, shape, shape.live_keys({0, shape.seqlen_q}),
                        [&](std::int64_t j) { return !visit_queries(shape, grid, j).live.empty(); });
  std::vector<CtaGroup> groups;
  for (const Block& row : rows) {
    for (const Block& col : cols) {
      groups.push_back({row, col, product(heads, row.stands_for(), col.stands_for())});
    }
  }
  return groups;
}

std::int64_t Grid::ctas() const {
  std::int64_t per_head = 0;
  for (const Run& run : runs) per_head = checked_add(per_head, run.count);
  return checked_multiply(per_head, repeats);
}

namespace {

/// Appends the CTAs of a grid that skips tiles: a new class whenever the number of tiles differs from that of the CTA
/// before.
void append_skipping(std::vector<Run>& runs, const Shape& shape, GridShape grid) {
  const Blocking rows = grid.cta_rows(shape), cols = grid.cta_columns(shape);
  const std::int64_t heads = grid.of_columns() ? shape.heads / shape.kv_heads : 1;
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    for (std::int64_t j = 0; j < cols.count(); ++j) {
      const std::int64_t keys = grid.is_split() ? cols.size : cols.elements(j).size();  // a short part counts as full
      append(runs, class_of(rows.elements(i).size(), keys, visit_of_cta(shape, grid, i, j), heads), 1);
    }
  }
}

/// Number of tiles of a CTA that skips none.
std::int64_t tiles_of_cta(const Shape& shape, GridShape grid) {
  if (grid.of_rows()) return ceil_div(shape.seqlen_k, grid.bc);
  if (grid.of_columns()) return checked_multiply(ceil_div(shape.seqlen_q, grid.br), shape.heads / shape.kv_heads);
  return grid.of_tiles() ? 1 : 0;
}

}  // namespace

Grid make_grid(const Shape& shape, GridShape grid) {
  Grid result;
  result.repeats = grid.repeats(shape);
  if (grid.is_split() || (grid.skips && (grid.of_rows() || grid.of_columns()))) {
    append_skipping(result.runs, shape, grid);
    return result;
  }
  const Blocking rows = grid.cta_rows(shape), cols = grid.cta_columns(shape);
  const std::int64_t tiles = tiles_of_cta(shape, grid);
  const std::vector<Block> col_groups = by_size(cols, {0, cols.count()});
  if (col_groups.size() == 1) {  // all row blocks of one size start equal CTAs
    for (const Block& row : by_size(rows, {0, rows.count()})) {
      append(result.runs, {row.size(), col_groups[0].size(), tiles, 0},
             checked_multiply(row.members.size(), cols.count()));
    }
    return result;
  }
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    for (const Block& col : col_groups) {
      append(result.runs, {rows.elements(i).size(), col.size(), tiles, 0}, col.members.size());
    }
  }
  return result;
}

}  // namespace sim
