// Blocks of rows and keys, and the compressed loops over them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/shape.h"
#include "sim/trace/counted_loop.h"
#include "sim/trace/event.h"

namespace sim {

/// An axis of `extent` elements cut into blocks of `size`; the last block may be short. `fewest` is the smallest number
/// of blocks: those past the end are empty.
struct Blocking {
  std::int64_t extent = 0;
  std::int64_t size = 1;
  std::int64_t fewest = 0;
  std::int64_t count() const { return std::max(fewest, ceil_div(extent, size)); }
  Interval elements(std::int64_t index) const;  ///< the elements of one block
  Interval touching(Interval elements) const;   ///< indices of the blocks that share an element with the range
  Interval inside(Interval elements) const;     ///< indices of the blocks wholly within the range
  bool ragged() const { return extent % size != 0; }
};

/// The iteration of a loop that an event belongs to.
struct InLoop {
  std::int64_t times = 0;   ///< executions in the whole grid; 0: there is none
  std::int32_t line = 0;    ///< line of the loop
  std::int32_t number = 0;  ///< in a part of a CTA (IterationCounter::now)
};

/// One block, or, while counting, the representative of a contiguous set of equal blocks (`members`).
struct Block {
  Axis axis;
  Interval members;         ///< block indices that it represents; one index in a replay
  std::int64_t others = 0;  ///< number of `members` not represented: under a pattern they see other blocks
  bool masked = false;      ///< its tile with the enclosing loop's block contains masked elements
  bool last = false;        ///< the loop's last iteration; of Cta::query_visits: no later block of keys visits it

  InLoop in;  ///< its iteration, for a block of a loop

  std::int64_t index() const { return axis.index; }
  std::int64_t size() const { return axis.size; }
  std::int64_t stands_for() const { return members.size() - others; }
  Interval elements() const { return {axis.begin, axis.begin + axis.size}; }
};

/// Returns block `index` of a blocking.
Block make_block(const Blocking& blocking, std::int64_t index, Origin origin);

/// Returns the representative of the equal blocks with these indices (not empty).
Block make_group(const Blocking& blocking, Interval members, Origin origin);

/// One iteration of a loop, executed `times` in the whole grid.
struct Iteration {
  Block block;
  std::int64_t times = 1;
};

/// Blocks that one loop visits for one block of the other axis: `live`, from the first to the last, or only the
/// intervals `pieces` of it that a pattern leaves. Blocks in `full` need no mask; blocks in `last` are those of the
/// last iteration (ending()), or those visited for the last time.
struct Visit {
  Interval live, full;
  Interval last = {};
  std::span<const Interval> pieces = {};  ///< each overlaps `live`; empty: all of `live`
  bool down = false;                      ///< from the last to the first

  /// Calls visit(interval) for each interval visited, lowest first.
  template <class Visitor>
  void each_piece(Visitor visit) const {
    if (pieces.empty() && !live.empty()) visit(live);
    for (const Interval piece : pieces) visit(overlap(piece, live));
  }
  std::int64_t count() const;       ///< visited blocks
  std::int64_t count_full() const;  ///< visited blocks that need no mask
  bool visits(std::int64_t index) const;
};

/// Marks the iteration that ends a loop as its last.
Visit ending(Visit visit);

/// Cuts visited blocks into intervals of equal blocks for counting, lowest first: the first, the last, and between them
/// those that need no mask and those that need one.
std::vector<Block> equal_blocks(const Blocking& blocking, const Visit& visit, Origin origin);

/// Restricts a visit to the blocks that a pattern leaves visible.
Visit cut_by(const Visit& visit, std::span<const Interval> pattern);

/// Sums the iterations of many loops by kind. A kind is (first?, masked?, short?, last?): iterations of one kind move
/// and compute the same. Cost: O(1) per visit.
class KindCounter {
 public:
  KindCounter(const Blocking& blocking, Origin origin) : blocking_(blocking), origin_(origin) {}
  void add(const Visit& visit);
  /// Adds a visit that is split into pieces of `piece` blocks, one CTA each: every piece has a first and a last
  /// iteration.
  void add_pieces(const Visit& visit, std::int64_t piece);
  /// Returns one representative per kind that occurs, with its number of iterations times `multiplicity`.
  std::vector<Iteration> iterations(std::int64_t multiplicity) const;

 private:
  struct Kind {
    std::int64_t count = 0;
    std::int64_t representative = 0;
  };
  void add_kind(std::int64_t representative, std::int64_t count, bool first, bool last, const Visit& visit);
  Blocking blocking_;
  Origin origin_;
  Kind kinds_[16];
};

/// Threads of a warpgroup, and rows of its products.
inline constexpr std::int64_t warpgroup_threads = 128, wgmma_rows = 64;

}  // namespace sim
