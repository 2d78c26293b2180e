// L2 by brute force: every tile that every CTA of every head reads or writes passes through an exact LRU.
//
// CTAs start in waves in issue order. The CTAs of a wave run in lockstep: one iteration of each, in issue order, then
// the next iteration of each. An iteration ends when the CTA accesses a tensor again in the same direction, an outer
// loop advances, or another loop begins. The LRU is fully associative and holds tiles; since every kernel walks the
// rows of a tile in the same order, single rows would hit and miss alike.
#pragma once
#include <list>
#include <map>
#include <tuple>
#include <unordered_map>
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

/// Evicts the least recently used tiles first, writing dirty ones to HBM.
class BruteForceL2 {
 public:
  explicit BruteForceL2(std::int64_t capacity) : capacity_(capacity) {}

  void access(std::int64_t head, const TileAccess& tile) {
    const Key key{tile.tensor, head, tile.row, tile.col};
    const auto found = where_.find(key);
    if (found != where_.end()) {
      lines_.splice(lines_.begin(), lines_, found->second);
    } else {
      if (tile.reads) hbm[tile.tensor].read += Bytes(tile.bytes);
      lines_.push_front({key, tile.bytes, false});
      where_[key] = lines_.begin();
      used_ += tile.bytes;
    }
    lines_.front().dirty = lines_.front().dirty || tile.writes;
    while (used_ > capacity_) evict();
  }
  void flush() {
    while (!lines_.empty()) evict();
  }

  std::map<Tensor, Traffic> hbm;

 private:
  struct Key {
    Tensor tensor;
    std::int64_t head, row, col;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      std::size_t hash = static_cast<std::size_t>(k.tensor);
      for (const std::int64_t part : {k.head, k.row, k.col}) {
        hash = (hash ^ static_cast<std::size_t>(part)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
      }
      return hash;
    }
  };
  struct Held {
    Key key;
    std::int64_t bytes;
    bool dirty;
  };
  void evict() {
    const Held& last = lines_.back();
    if (last.dirty) hbm[last.key.tensor].written += Bytes(last.bytes);
    used_ -= last.bytes;
    where_.erase(last.key);
    lines_.pop_back();
  }
  std::int64_t capacity_, used_ = 0;
  std::list<Held> lines_;
  std::unordered_map<Key, std::list<Held>::iterator, Hash> where_;
};

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
                                               const Block& col) {
  Trace trace = empty_trace(launch);
  run_cta(plan, launch, replay_setup(plan, launch, row, col), plan.problem, trace);
  CutIterations iterations;
  for (const Event& event : trace.events) {
    if (event.direction == Direction::none) continue;
    const std::vector<TileAccess> tiles = tiles_of(event, plan, launch);
    if (tiles.empty()) continue;  // a consumer without rows
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
  std::vector<std::vector<TileAccesses>> of_block;  ///< equal for all heads of a class
  std::vector<OfClass> classes;
  std::vector<Cta> ctas;
};

/// Query heads that a longest-first grid issues together, as flash3's released code: those of 1, 2, 4 ... KV heads
/// whose K and V take at most 32 MiB, or of one.
inline std::int64_t heads_of_section(const Problem& problem) {
  const Shape& shape = problem.shape;
  std::int64_t kv_heads = 1;
  while (2 * kv_heads * shape.seqlen_k * 2 * shape.head_dim * size_of(problem.dtype) <= 32 << 20) kv_heads *= 2;
  return kv_heads * (shape.heads / shape.kv_heads);
}

inline CtasInOrder ctas_in_order(const Plan& plan, const Launch& launch) {
  CtasInOrder all;
  std::int64_t heads_before = 0, kv_heads_before = 0;
  for (const Plan& c : classes_of(plan)) {
    const Shape& shape = c.problem.shape;
    const Launch& seen = plan.classes == nullptr ? launch : launch_of(c, launch);
    const std::size_t first = all.of_block.size();
    each_cta(shape, seen.grid,
             [&](const Block& row, const Block& col) { all.of_block.push_back(iterations_of(c, seen, row, col)); });
    const auto blocks = static_cast<std::int64_t>(all.of_block.size() - first), heads = seen.grid.repeats(shape);
    const bool by_head = seen.grid.raster == Raster::head_outermost && !seen.longest_first;
    const std::int64_t together = by_head ? 1 : seen.longest_first ? heads_of_section(c.problem) : heads;
    for (std::int64_t from = 0; from < heads; from += together) {
      for (std::int64_t n = 0; n < blocks; ++n) {
        const std::int64_t block = seen.longest_first ? blocks - 1 - n : n;
        for (std::int64_t head = from; head < std::min(heads, from + together); ++head)
          all.ctas.push_back({first + static_cast<std::size_t>(block), head, all.classes.size()});
      }
    }
    all.classes.push_back({&c, heads_before, kv_heads_before});
    heads_before += shape.batch * shape.heads;
    kv_heads_before += shape.batch * shape.kv_heads;
  }
  return all;
}

/// Returns the HBM traffic of one kernel by tensor, with `in_flight` CTAs at a time and a cold L2 of `capacity` bytes.
/// Cost: O(tiles x batch x heads).
inline std::map<Tensor, Traffic> brute_force_hbm(const Plan& plan, const Launch& launch, std::int64_t in_flight,
                                                 std::int64_t capacity) {
  const CtasInOrder all = ctas_in_order(plan, launch);
  const std::int64_t heads_per_kv_head = plan.problem.shape.heads / plan.problem.shape.kv_heads;
  const auto ctas = static_cast<std::int64_t>(all.ctas.size());
  BruteForceL2 l2(capacity);
  for (std::int64_t first = 0; first < ctas; first += in_flight) {
    const std::int64_t past = std::min(ctas, first + in_flight);
    bool running = true;
    for (std::size_t iteration = 0; running; ++iteration) {
      running = false;
      for (std::int64_t n = first; n < past; ++n) {
        const CtasInOrder::Cta& cta = all.ctas[static_cast<std::size_t>(n)];
        const std::vector<TileAccesses>& iterations = all.of_block[cta.block];
        if (iteration >= iterations.size()) continue;
        running = true;
        const CtasInOrder::OfClass& c = all.classes[cta.of_class];
        for (const TileAccess& tile : iterations[iteration]) {
          const bool per_kv = plan.problem.hbm[tile.tensor].per_kv_head(), by_kv = launch.grid.by_kv_head();
          const std::int64_t of = by_kv ? (per_kv ? cta.head : cta.head * heads_per_kv_head + tile.head)
                                        : (per_kv ? cta.head / heads_per_kv_head : cta.head);
          l2.access((per_kv ? c.kv_heads_before : c.heads_before) + of, tile);
        }
      }
    }
  }
  l2.flush();
  return l2.hbm;
}

}  // namespace sim
