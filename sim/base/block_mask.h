// A pattern applied to the blocks of one attention matrix: the visible blocks of each row block and each column block,
// as intervals. Counting, programs and the reference all read the pattern here.
#pragma once
#include <span>
#include <vector>

#include "sim/base/pattern.h"

namespace sim {

/// Lists of intervals, stored contiguously.
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
  /// Throws Error if a picture's size is not that of the block matrix, or if the mask needs more than 2^23 intervals or
  /// 2^26 drawn blocks. Cost: O(intervals of rows and columns), O(blocks) for a picture and for a random pattern.
  BlockMask(const Pattern& pattern, const BlockedMatrix& matrix, std::uint64_t seed);

  const BlockedMatrix& matrix() const { return matrix_; }
  std::span<const Interval> keys_of(std::int64_t i) const { return rows_[i]; }     ///< key blocks that row block i sees
  std::span<const Interval> queries_of(std::int64_t j) const { return cols_[j]; }  ///< row blocks that see key block j
  bool visible(std::int64_t i, std::int64_t j) const;                              ///< O(log intervals of row i)
  std::int64_t visible_blocks() const { return visible_blocks_; }
  std::int64_t intervals() const { return rows_.intervals(); }  ///< total over row blocks
  const std::string& name() const { return name_; }             ///< pattern, seed and block size, for cache keys
  friend bool operator==(const BlockMask&, const BlockMask&) = default;

 private:
  BlockedMatrix matrix_;
  std::string name_;
  IntervalLists rows_, cols_;
  std::int64_t visible_blocks_ = 0;
};

/// The intervals that overlap a range, not clipped: callers clip them with overlap().
std::span<const Interval> touching(std::span<const Interval> intervals, Interval range);

/// Number of keys that at least one query sees, and of queries that see at least one key, including the pattern. O(1);
/// O(intervals of the pattern) under one.
std::int64_t count_seen_keys(const Shape& shape);
std::int64_t count_seeing_queries(const Shape& shape);

}  // namespace sim
