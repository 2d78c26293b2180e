// Blocks of rows and keys, and the compressed loops over them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
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
  Interval members;         ///< block indices it stands for; one index in a replay
  std::int64_t others = 0;  ///< of `members`, those that it does not stand for: a pattern has them see otherwise
  bool masked = false;      ///< its tile with the enclosing loop's block has masked elements inside
  bool last = false;        ///< no later block of the enclosing loop meets it (told by Cta::query_visits alone)

  std::int64_t index() const { return axis.index; }
  std::int64_t size() const { return axis.size; }
  std::int64_t stands_for() const { return members.size() - others; }
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

/// In which order a CTA takes blocks: from the first or from the last.
enum class BlockOrder : std::uint8_t { up, down };

/// Which blocks one loop visits for one block of the other axis: those in `live`, from the first to the last, or of
/// them those in `pieces`, the intervals that a pattern leaves. `full` need no mask, `last` are visited for the last
/// time.
struct Visit {
  Interval live, full;
  Interval last = {};
  std::span<const Interval> pieces = {};  ///< they overlap `live`; none: all of it
  bool down = false;                      ///< from the last to the first

  /// Calls visit(interval) for what is visited, lowest first.
  template <class Visitor>
  void each_piece(Visitor visit) const {
    if (pieces.empty() && !live.empty()) visit(live);
    for (const Interval piece : pieces) visit(overlap(piece, live));
  }
  std::int64_t count() const;       ///< blocks that are visited
  std::int64_t count_full() const;  ///< those of them that need no mask
  bool visits(std::int64_t index) const;
};

/// What a pattern leaves of a visit.
Visit cut_by(const Visit& visit, std::span<const Interval> pattern);

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
