// A pattern laid over the blocks of one attention matrix: the live set of each row block and of each column block, as
// intervals of blocks. Counting, programs and the reference all read it from here.
#pragma once
#include <span>
#include <vector>

#include "sim/base/pattern.h"

namespace sim {

/// Lists of intervals, one after the other.
class IntervalLists {
 public:
  std::span<const Interval> operator[](std::int64_t list) const;
  std::int64_t size() const { return static_cast<std::int64_t>(ends_.size()); }
  std::int64_t intervals() const { return static_cast<std::int64_t>(all_.size()); }
  void add(std::span<const Interval> list);
  friend bool operator==(const IntervalLists&, const IntervalLists&) = default;

 private:
  std::vector<Interval> all_;
  std::vector<std::size_t> ends_;
};

class BlockMask {
 public:
  /// Throws Error where a picture has another size, and where it takes more than 2^23 intervals or 2^26 drawn blocks.
  /// Cost: O(intervals of rows and columns), O(blocks) for a picture and at random.
  BlockMask(const Pattern& pattern, const BlockedMatrix& matrix, std::uint64_t seed);

  const BlockedMatrix& matrix() const { return matrix_; }
  std::span<const Interval> keys_of(std::int64_t i) const { return rows_[i]; }     ///< key blocks that row block i sees
  std::span<const Interval> queries_of(std::int64_t j) const { return cols_[j]; }  ///< row blocks that see key block j
  bool visible(std::int64_t i, std::int64_t j) const;                              ///< O(log intervals of row i)
  std::int64_t visible_blocks() const { return visible_blocks_; }
  std::int64_t intervals() const { return rows_.intervals(); }  ///< of all row blocks
  const std::string& name() const { return name_; }             ///< equal where the masks are: for keys of caches
  friend bool operator==(const BlockMask&, const BlockMask&) = default;

 private:
  BlockedMatrix matrix_;
  std::string name_;
  IntervalLists rows_, cols_;
  std::int64_t visible_blocks_ = 0;
};

/// The intervals that overlap a range, cut to it at both ends by overlap() of whoever reads them.
std::span<const Interval> touching(std::span<const Interval> intervals, Interval range);

}  // namespace sim
