// Blocks of rows and keys, and the compressed loops over them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/shape.h"
#include "sim/trace/event.h"

namespace sim {

/// An axis of `extent` elements cut into blocks of `size`; the last one may be short. With at least `fewest` blocks:
/// those past the end are empty.
struct Blocking {
  std::int64_t extent = 0;
  std::int64_t size = 1;
  std::int64_t fewest = 0;
  std::int64_t count() const { return std::max(fewest, ceil_div(extent, size)); }
  Interval elements(std::int64_t index) const;  ///< the elements of one block
  Interval touching(Interval elements) const;   ///< indices of the blocks that share an element with the range
  Interval inside(Interval elements) const;     ///< indices of the blocks that lie wholly in the range
  bool ragged() const { return extent % size != 0; }
};

/// One block, or the representative of a contiguous set of equal blocks (`members`) while counting.
struct Block {
  Axis axis;
  Interval members;     ///< block indices it stands for; one index in a replay
  bool masked = false;  ///< its tile with the enclosing loop's block has masked elements inside
  bool last = false;    ///< no later block of the enclosing loop meets it (told by Cta::query_visits alone)

  std::int64_t index() const { return axis.index; }
  std::int64_t size() const { return axis.size; }
  Interval elements() const { return {axis.begin, axis.begin + axis.size}; }
};

/// Block `index` of a blocking.
Block make_block(const Blocking& blocking, std::int64_t index, Origin origin);

/// The representative of the equal blocks with these indices (not empty).
Block make_group(const Blocking& blocking, Interval members, Origin origin);

/// One iteration of a loop, executed `times` in the whole grid.
struct Iteration {
  Block block;
  std::int64_t times = 1;
};

/// Cuts contiguous indices into sets of equal blocks for counting: the first, the rest, and the short last one.
std::vector<Block> equal_blocks(const Blocking& blocking, Interval indices, Origin origin);

/// Which blocks one loop visits for one block of the other axis: `live` are visited, of which `full` need no mask and
/// `last` are visited for the last time.
struct Visit {
  Interval live, full;
  Interval last = {};
};

/// Sums the iterations of many loops by kind. A kind is (first?, masked?, short?, last?): iterations of one kind move
/// and compute the same. Cost: O(1) per visit.
class KindCounter {
 public:
  KindCounter(const Blocking& blocking, Origin origin) : blocking_(blocking), origin_(origin) {}
  void add(const Visit& visit);
  /// The same where pieces of so many blocks are CTAs of their own: each has a first iteration.
  void add_pieces(const Visit& visit, std::int64_t piece);
  /// One representative per kind that occurs, with its number of iterations times `multiplicity`.
  std::vector<Iteration> iterations(std::int64_t multiplicity) const;

 private:
  struct Kind {
    std::int64_t count = 0;
    std::int64_t representative = 0;
  };
  void add_kind(std::int64_t representative, std::int64_t count, bool first, const Visit& visit);
  Blocking blocking_;
  Origin origin_;
  Kind kinds_[16];
};

}  // namespace sim
