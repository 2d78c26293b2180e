#include "sim/base/block_mask.h"

#include <algorithm>

#include "sim/base/check.h"

namespace sim {
namespace {

constexpr std::int64_t most_intervals = std::int64_t{1} << 23, most_drawn = std::int64_t{1} << 26;

/// Where one of two lists has a block and the other has not.
std::vector<Interval> difference(std::span<const Interval> a, std::span<const Interval> b) {
  std::vector<std::int64_t> ends;
  for (const auto list : {a, b}) {
    for (const Interval run : list) {
      ends.push_back(run.begin);
      ends.push_back(run.end);
    }
  }
  std::sort(ends.begin(), ends.end());
  std::vector<Interval> different;
  for (std::size_t n = 0; n + 1 < ends.size(); n += 2) {
    if (ends[n] != ends[n + 1]) different.push_back({ends[n], ends[n + 1]});
  }
  return different;
}

/// The lists of columns of the lists of rows. Between two rows only what differs is looked at.
IntervalLists transposed(const IntervalLists& rows, std::int64_t cols) {
  struct Run {
    std::int64_t col;
    Interval rows;
  };
  std::vector<Run> runs;
  std::vector<std::int64_t> since(static_cast<std::size_t>(cols), -1);  // the row at which a column's run began
  for (std::int64_t i = 0; i <= rows.size(); ++i) {
    const auto before = i > 0 ? rows[i - 1] : std::span<const Interval>{};
    const auto now = i < rows.size() ? rows[i] : std::span<const Interval>{};
    for (const Interval changed : difference(before, now)) {
      for (std::int64_t j = changed.begin; j < changed.end; ++j) {
        std::int64_t& begin = since[static_cast<std::size_t>(j)];
        if (begin >= 0) runs.push_back({j, {begin, i}});
        begin = begin >= 0 ? -1 : i;
      }
    }
    require(static_cast<std::int64_t>(runs.size()) <= most_intervals, "pattern: its columns have more than ",
            most_intervals, " intervals: use larger blocks, --br and --bc, or a shorter --seqlen");
  }
  std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.col < b.col; });
  IntervalLists lists;
  std::vector<Interval> list;
  for (std::size_t n = 0; lists.size() < cols;) {
    list.clear();
    for (; n < runs.size() && runs[n].col == lists.size(); ++n) list.push_back(runs[n].rows);
    lists.add(list);
  }
  return lists;
}

}  // namespace

std::span<const Interval> IntervalLists::operator[](std::int64_t list) const {
  const auto n = static_cast<std::size_t>(list);
  const std::size_t begin = n == 0 ? 0 : ends_[n - 1];
  return {all_.data() + begin, ends_[n] - begin};
}

void IntervalLists::add(std::span<const Interval> list) {
  all_.insert(all_.end(), list.begin(), list.end());
  ends_.push_back(all_.size());
}

BlockMask::BlockMask(const Pattern& pattern, const BlockedMatrix& matrix, std::uint64_t seed)
    : matrix_(matrix), name_(text(text_of(pattern), " ", seed, " ", matrix.br, " ", matrix.bc)) {
  const std::int64_t rows = matrix.rows(), cols = matrix.cols();
  require(pattern.kind != PatternKind::random || rows <= most_drawn / cols, "pattern: ", rows, " x ", cols,
          " blocks are more than the ", most_drawn, " that are drawn: use larger blocks, --br and --bc");
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::vector<Interval> row = pattern.row(matrix, seed, i);
    rows_.add(row);
    for (const Interval run : row) visible_blocks_ += run.size();
    require(rows_.intervals() <= most_intervals, "pattern: its rows have more than ", most_intervals,
            " intervals: use larger blocks, --br and --bc, or a shorter --seqlen");
  }
  cols_ = transposed(rows_, cols);
}

bool BlockMask::visible(std::int64_t i, std::int64_t j) const { return !touching(rows_[i], {j, j + 1}).empty(); }

std::span<const Interval> touching(std::span<const Interval> intervals, Interval range) {
  const auto first =
      std::partition_point(intervals.begin(), intervals.end(), [&](Interval run) { return run.end <= range.begin; });
  const auto last = std::partition_point(first, intervals.end(), [&](Interval run) { return run.begin < range.end; });
  return {first, last};
}

}  // namespace sim
