#include "sim/machine/grid.h"

namespace sim {
namespace {

Block whole_axis(std::int64_t size) { return make_group({size, size}, {0, 1}, Origin::whole); }

/// Cuts block indices at the short last block.
std::vector<Block> by_size(const Blocking& blocking, Interval indices) {
  std::vector<Block> groups;
  const bool short_last = blocking.ragged() && indices.end == blocking.count();
  const Interval sets[] = {{indices.begin, indices.end - short_last}, {indices.end - short_last, indices.end}};
  for (const Interval set : sets) {
    if (!indices.empty() && !set.empty()) groups.push_back(make_group(blocking, set, Origin::cta));
  }
  return groups;
}

/// Blocks by size and liveness. What is live is one interval, so at most three stretches.
std::vector<Block> by_size_and_life(const Blocking& blocking, Interval live_elements) {
  Interval live = blocking.touching(live_elements);
  if (live.empty()) live = {blocking.count(), blocking.count()};
  std::vector<Block> groups;
  for (const Interval stretch : {Interval{0, live.begin}, live, Interval{live.end, blocking.count()}}) {
    for (const Block& group : by_size(blocking, stretch)) groups.push_back(group);
  }
  return groups;
}

/// The groups of a grid that cuts one axis.
std::vector<Block> groups_along(const Blocking& blocking, bool skips, Interval live_elements) {
  return skips ? by_size_and_life(blocking, live_elements) : by_size(blocking, {0, blocking.count()});
}

void append(std::vector<Run>& runs, const ClassKey& key, std::int64_t count) {
  if (!runs.empty() && runs.back().key == key) {
    runs.back().count += count;
  } else {
    runs.push_back({key, count});
  }
}

ClassKey class_of(std::int64_t rows, std::int64_t cols, const Visit& visit, std::int64_t times) {
  const std::int64_t full = overlap(visit.live, visit.full).size();
  return {rows, cols, full * times, (visit.live.size() - full) * times};
}

}  // namespace

Visit visit_keys(const Shape& shape, GridShape grid, std::int64_t i) {
  const Interval queries = Blocking{shape.seqlen_q, grid.br}.elements(i);
  const Blocking keys{shape.seqlen_k, grid.bc};
  return {keys.touching(shape.live_keys(queries)), keys.inside(shape.full_keys(queries))};
}

Visit visit_queries(const Shape& shape, GridShape grid, std::int64_t j) {
  const Interval keys = Blocking{shape.seqlen_k, grid.bc}.elements(j);
  const Blocking queries{shape.seqlen_q, grid.br};
  return {queries.touching(shape.live_queries(keys)), queries.inside(shape.full_queries(keys))};
}

std::int64_t GridShape::repeats(const Shape& shape) const {
  return checked_multiply(shape.batch, by_kv_head() ? shape.kv_heads : shape.heads);
}

std::vector<CtaGroup> cta_groups(const Shape& shape, GridShape grid) {
  const std::int64_t heads = grid.repeats(shape);
  const Blocking row_blocks{shape.seqlen_q, grid.br}, col_blocks{shape.seqlen_k, grid.bc};
  const bool one_axis = grid.cuts_rows() != grid.cuts_columns();  // a CTA per tile never skips
  std::vector<Block> rows = {whole_axis(shape.seqlen_q)}, cols = {whole_axis(shape.seqlen_k)};
  if (grid.cuts_rows())
    rows = groups_along(row_blocks, grid.skips && one_axis, shape.live_queries({0, shape.seqlen_k}));
  if (grid.cuts_columns())
    cols = groups_along(col_blocks, grid.skips && one_axis, shape.live_keys({0, shape.seqlen_q}));
  std::vector<CtaGroup> groups;
  for (const Block& row : rows) {
    for (const Block& col : cols) {
      groups.push_back({row, col, product(heads, row.members.size(), col.members.size())});
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

/// A grid that loops over the live tiles of row blocks, or of column blocks for each query head of a group.
void append_skipping(std::vector<Run>& runs, const Shape& shape, GridShape grid) {
  const Blocking rows{shape.seqlen_q, grid.br}, cols{shape.seqlen_k, grid.bc};
  if (grid.cuts_rows()) {
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      append(runs, class_of(rows.elements(i).size(), shape.seqlen_k, visit_keys(shape, grid, i), 1), 1);
    }
    return;
  }
  for (std::int64_t j = 0; j < cols.count(); ++j) {
    const Visit visit = visit_queries(shape, grid, j);
    append(runs, class_of(shape.seqlen_q, cols.elements(j).size(), visit, shape.heads / shape.kv_heads), 1);
  }
}

/// Tiles of a CTA that skips none.
std::int64_t tiles_of_cta(const Shape& shape, GridShape grid) {
  if (grid.kind == GridKind::per_row_block) return ceil_div(shape.seqlen_k, grid.bc);
  if (grid.kind == GridKind::per_column_block)
    return checked_multiply(ceil_div(shape.seqlen_q, grid.br), shape.heads / shape.kv_heads);
  return grid.kind == GridKind::per_tile ? 1 : 0;
}

}  // namespace

Grid make_grid(const Shape& shape, GridShape grid) {
  Grid result;
  result.repeats = grid.repeats(shape);
  if (grid.skips && grid.cuts_rows() != grid.cuts_columns()) {
    append_skipping(result.runs, shape, grid);
    return result;
  }
  const auto cut = [](bool yes, std::int64_t extent, std::int64_t size) {
    return Blocking{extent, yes ? size : extent};
  };
  const Blocking rows = cut(grid.cuts_rows(), shape.seqlen_q, grid.br);
  const Blocking cols = cut(grid.cuts_columns(), shape.seqlen_k, grid.bc);
  const std::int64_t tiles = tiles_of_cta(shape, grid);
  const std::vector<Block> col_groups = by_size(cols, {0, cols.count()});
  if (col_groups.size() == 1) {  // every row block of one size starts the same CTAs
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
