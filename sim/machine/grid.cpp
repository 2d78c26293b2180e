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

/// Row blocks by size and liveness. The rows that see something are one interval, so at most three stretches.
std::vector<Block> row_groups(const Shape& shape, GridShape grid) {
  const Blocking blocking{shape.seqlen_q, grid.br};
  if (!grid.skips) return by_size(blocking, {0, blocking.count()});
  Interval live = blocking.touching(shape.live_queries({0, shape.seqlen_k}));
  if (live.empty()) live = {blocking.count(), blocking.count()};
  std::vector<Block> groups;
  for (const Interval stretch : {Interval{0, live.begin}, live, Interval{live.end, blocking.count()}}) {
    for (const Block& group : by_size(blocking, stretch)) groups.push_back(group);
  }
  return groups;
}

void append(std::vector<Run>& runs, const ClassKey& key, std::int64_t count) {
  if (!runs.empty() && runs.back().key == key) {
    runs.back().count += count;
  } else {
    runs.push_back({key, count});
  }
}

ClassKey row_class(const Shape& shape, GridShape grid, std::int64_t i) {
  const Visit visit = visit_keys(shape, grid, i);
  const std::int64_t full = overlap(visit.live, visit.full).size();
  return {Blocking{shape.seqlen_q, grid.br}.elements(i).size(), shape.seqlen_k, full, visit.live.size() - full};
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

std::vector<CtaGroup> cta_groups(const Shape& shape, GridShape grid) {
  const std::int64_t heads = checked_multiply(shape.batch, shape.heads);
  const Block all_rows = whole_axis(shape.seqlen_q), all_cols = whole_axis(shape.seqlen_k);
  if (grid.kind == GridKind::per_head) return {{all_rows, all_cols, heads}};
  const Blocking rows{shape.seqlen_q, grid.br}, cols{shape.seqlen_k, grid.bc};
  std::vector<CtaGroup> groups;
  if (grid.kind == GridKind::per_row_block) {
    for (const Block& row : row_groups(shape, grid)) {
      groups.push_back({row, all_cols, checked_multiply(heads, row.members.size())});
    }
    return groups;
  }
  for (const Block& row : by_size(rows, {0, rows.count()})) {
    for (const Block& col : by_size(cols, {0, cols.count()})) {
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

Grid make_grid(const Shape& shape, GridShape grid) {
  Grid result;
  result.repeats = checked_multiply(shape.batch, shape.heads);
  const Blocking rows{shape.seqlen_q, grid.br}, cols{shape.seqlen_k, grid.bc};
  if (grid.kind == GridKind::per_head) {
    append(result.runs, {shape.seqlen_q, shape.seqlen_k, 0, 0}, 1);
  } else if (grid.kind == GridKind::per_row_block && !grid.skips) {
    for (const Block& row : by_size(rows, {0, rows.count()})) {
      append(result.runs, {row.size(), shape.seqlen_k, cols.count(), 0}, row.members.size());
    }
  } else if (grid.kind == GridKind::per_row_block) {
    for (std::int64_t i = 0; i < rows.count(); ++i) append(result.runs, row_class(shape, grid, i), 1);
  } else {
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      for (const Block& col : by_size(cols, {0, cols.count()})) {
        append(result.runs, {rows.elements(i).size(), col.size(), 1, 0}, col.members.size());
      }
    }
  }
  return result;
}

}  // namespace sim
