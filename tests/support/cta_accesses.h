// Accesses of every CTA of a kernel, by replaying the CTAs: in issue order, each cut into iterations.
//
// An iteration ends when the CTA accesses a tensor again in the same direction, an outer loop advances, or another loop
// begins.
#pragma once
#include <algorithm>
#include <map>
#include <vector>

#include "sim/programs/launch_cta.h"
#include "sim/trace/tensors.h"

namespace sim {

/// One tile of one head that a CTA reads, writes, or both.
struct TileAccess {
  Tensor tensor;
  std::int32_t head;  ///< index within the heads of the CTA's group
  std::int64_t row, col, bytes;
  bool reads, writes;
};
using TileAccesses = std::vector<TileAccess>;

/// Returns the tiles of one event; the initialisation of a whole tensor is split into blocks.
inline std::vector<TileAccess> tiles_of(const Event& event, const Plan& plan, const Launch& launch) {
  const HbmTensor& tensor = plan.problem.hbm[event.tensor];
  const std::int64_t row_bytes = event.rows.size > 0 ? event.bytes / event.rows.size : 0;
  const std::int64_t block = event.verb != Verb::fill || event.rows.origin != Origin::whole ? event.rows.size
                             : tensor.per_kv_head()                                         ? launch.grid.bc
                                                                                            : launch.grid.br;
  std::vector<TileAccess> tiles;
  for (std::int64_t row = event.rows.begin; row < event.rows.begin + event.rows.size; row += block) {
    const std::int64_t rows = std::min(block, event.rows.begin + event.rows.size - row);
    tiles.push_back({event.tensor, event.head, row, event.cols.begin, rows * row_bytes,
                     event.direction != Direction::write, event.direction != Direction::read});
  }
  return tiles;
}

/// Splits the accesses of one CTA into iterations.
class CutIterations {
 public:
  void add(const TileAccess& tile, Origin loop, std::int32_t line) {
    const bool outer = tile.reads && loop >= Origin::loop0 && loop < deepest_;  // an outer loop advances
    const bool of_roles = !tile.reads && loop < Origin::loop0;  // the rows of each consumer, at the same time
    const bool again =
        !of_roles && std::any_of(iterations_.back().begin(), iterations_.back().end(), [&](const TileAccess& made) {
          return made.tensor == tile.tensor && made.reads == tile.reads && made.writes == tile.writes;
        });
    const bool another = loop >= Origin::loop0 && loop == deepest_ && line != line_;
    if (again || outer || another || filled_ > 0) next();
    iterations_.back().push_back(tile);
    if (loop >= Origin::loop0 && loop >= deepest_) line_ = line;
    deepest_ = std::max(deepest_, loop);
  }
  /// Adds the initialisation of whole tensors, block by block, before anything else.
  void fill(const std::vector<TileAccess>& tiles) {
    if (iterations_.size() < tiles.size()) iterations_.resize(tiles.size());
    for (std::size_t n = 0; n < tiles.size(); ++n) iterations_[n].push_back(tiles[n]);
    filled_ = iterations_.size();
  }
  /// Adds the pattern's byte of a tile, which does not begin an iteration.
  void add_pattern(const TileAccess& tile) { iterations_.back().push_back(tile); }
  const std::vector<TileAccesses>& iterations() const { return iterations_; }

 private:
  void next() {
    iterations_.emplace_back();
    filled_ = 0;
    deepest_ = Origin::whole;
  }
  std::vector<TileAccesses> iterations_ = std::vector<TileAccesses>(1);
  std::size_t filled_ = 0;          ///< iterations so far that are initialisation
  Origin deepest_ = Origin::whole;  ///< loop of the iteration
  std::int32_t line_ = 0;           ///< line of that loop
};

/// Returns the accesses of one CTA, split into iterations.
inline std::vector<TileAccesses> iterations_of(const Plan& plan, const Launch& launch, const Block& row,
                                               const Block& col, std::int64_t head = 0) {
  Trace trace = empty_trace(launch);
  CtaSetup setup = replay_setup(plan, launch, row, col);
  setup.head = head;
  run_cta(plan, launch, setup, plan.problem, trace);
  CutIterations iterations;
  for (const Event& event : trace.events) {
    if (event.direction == Direction::none) continue;
    const std::vector<TileAccess> tiles = tiles_of(event, plan, launch);
    if (tiles.empty() || is_per_block(event.tensor)) continue;  // a consumer without rows; scales, which are small
    if (event.verb == Verb::fill && event.rows.origin == Origin::whole) {
      iterations.fill(tiles);
    } else if (is_block_map(event.tensor)) {
      iterations.add_pattern(tiles[0]);
    } else {
      iterations.add(tiles[0], std::max(event.rows.origin, event.cols.origin), event.loop);
    }
  }
  return iterations.iterations();
}

/// The CTAs of one kernel in issue order, over all heads and classes of batch entries: the accesses of each, and its
/// head.
struct CtasInOrder {
  struct Cta {
    std::size_t block;  ///< index in `of_block`
    std::int64_t head;  ///< within its class
    std::size_t of_class;
  };
  struct OfClass {
    const Plan* plan;
    std::int64_t heads_before, kv_heads_before;  ///< heads of the preceding classes
  };
  std::vector<std::vector<TileAccesses>> of_block;  ///< equal for all heads of a class (and waves, if they alternate)
  std::vector<OfClass> classes;
  std::vector<Cta> ctas;
};

/// Query heads that a longest-first grid issues together, as flash3's released code: those of 1, 2, 4 ... KV heads
/// whose K and V take at most 32 MiB, or of one; in a ragged batch those of one entry, in equal sections.
inline std::int64_t heads_of_section(const Problem& problem) {
  const Shape& shape = problem.shape;
  std::int64_t kv_heads = 1;
  while (2 * kv_heads * shape.seqlen_k * 2 * shape.head_dim * size_of(problem.dtype) <= 32 << 20) kv_heads *= 2;
  while (problem.ragged && shape.kv_heads % kv_heads != 0) kv_heads /= 2;
  return kv_heads * (shape.heads / shape.kv_heads);
}

inline CtasInOrder ctas_in_order(const Plan& plan, const Launch& launch) {
  CtasInOrder all;
  std::int64_t heads_before = 0, kv_heads_before = 0;
  for (const Plan& c : classes_of(plan)) {
    const Shape& shape = c.problem.shape;
    const Launch& seen = plan.classes == nullptr ? launch : launch_of(c, launch);
    const std::size_t first = all.of_block.size();
    const GridAxes axes = grid_axes(shape, seen.grid);
    if (!seen.alternates) {
      each_cta(shape, seen.grid,
               [&](const Block& row, const Block& col) { all.of_block.push_back(iterations_of(c, seen, row, col)); });
    }
    std::map<std::pair<std::int64_t, bool>, std::size_t> of_wave;  // of a block in even or odd waves, if they differ
    const auto block_of_cta = [&](std::int64_t block, std::int64_t head) {
      if (!seen.alternates) return first + static_cast<std::size_t>(block);
      const bool odd = static_cast<std::int64_t>(all.ctas.size()) / seen.in_flight % 2 == 1;
      const auto [found, is_new] = of_wave.emplace(std::pair(block, odd), all.of_block.size());
      if (is_new) all.of_block.push_back(iterations_of(c, seen, axes.row(block), axes.col(0), head));
      return found->second;
    };
    const std::int64_t blocks = checked_multiply(axes.rows.count(), axes.cols.count()),
                       heads = seen.grid.repeats(shape);
    const bool by_head = seen.grid.raster == Raster::head_outermost && !seen.longest_first;
    const std::int64_t together = by_head ? 1 : seen.longest_first ? heads_of_section(c.problem) : heads;
    for (std::int64_t from = 0; from < heads; from += together) {
      for (std::int64_t n = 0; n < blocks; ++n) {
        const std::int64_t block = seen.longest_first ? blocks - 1 - n : n;
        for (std::int64_t head = from; head < std::min(heads, from + together); ++head)
          all.ctas.push_back({block_of_cta(block, head), head, all.classes.size()});
      }
    }
    all.classes.push_back({&c, heads_before, kv_heads_before});
    heads_before += shape.batch * shape.heads;
    kv_heads_before += shape.batch * shape.kv_heads;
  }
  return all;
}

}  // namespace sim
