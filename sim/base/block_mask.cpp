#include "sim/base/block_mask.h"

#include <algorithm>
#include <iterator>

#include "sim/base/check.h"

namespace sim {
namespace {

constexpr std::int64_t most_intervals = std::int64_t{1} << 23, most_drawn = std::int64_t{1} << 26;

/// Begins and ends of the intervals of a list, in order.
void ends_of(std::span<const Interval> list, std::vector<std::int64_t>& ends) {
  ends.clear();
  for (const Interval run : list) {
    ends.push_back(run.begin);
    ends.push_back(run.end);
  }
}

/// An interval of a column, and the column.
struct ColumnRun {
  std::int64_t col;
  Interval rows;
};

/// Intervals of all columns, in the order of their ends. Only differences between consecutive rows are visited: between
/// two ends that the rows do not share, exactly one of the rows has a block.
std::vector<ColumnRun> column_runs(const IntervalLists& rows, std::int64_t cols) {
  std::vector<ColumnRun> runs;
  std::vector<std::int64_t> since(static_cast<std::size_t>(cols), -1);  // the row at which a column's run began
  std::vector<std::int64_t> before, now, changed;
  for (std::int64_t i = 0; i <= rows.size(); ++i) {
    std::swap(before, now);
    ends_of(i < rows.size() ? rows[i] : std::span<const Interval>{}, now);
    changed.clear();
    std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(changed));
    for (std::size_t n = 0; n < changed.size(); n += 2) {
      for (std::int64_t j = changed[n]; j < changed[n + 1]; ++j) {
        std::int64_t& begin = since[static_cast<std::size_t>(j)];
        if (begin >= 0) runs.push_back({j, {begin, i}});
        begin = begin >= 0 ? -1 : i;
      }
    }
    require(static_cast<std::int64_t>(runs.size()) <= most_intervals, "pattern: its columns have more than ",
            most_intervals, " intervals: use larger blocks, --br and --bc, or a shorter --seqlen");
  }
  return runs;
}

/// Transposes lists of rows into lists of columns.
IntervalLists transposed(const IntervalLists& rows, std::int64_t cols) {
  const std::vector<ColumnRun> runs = column_runs(rows, cols);
  std::vector<std::size_t> begins(static_cast<std::size_t>(cols) + 1, 0);
  for (const ColumnRun& run : runs) ++begins[static_cast<std::size_t>(run.col) + 1];
  for (std::size_t j = 1; j < begins.size(); ++j) begins[j] += begins[j - 1];
  std::vector<Interval> sorted(runs.size());
  std::vector<std::size_t> next = begins;
  for (const ColumnRun& run : runs) sorted[next[static_cast<std::size_t>(run.col)]++] = run.rows;
  IntervalLists lists;
  for (std::size_t j = 0; j + 1 < begins.size(); ++j) lists.add({sorted.data() + begins[j], begins[j + 1] - begins[j]});
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

namespace {

/// Elements of blocks `size` long that are live for an interval of blocks of the other axis that the pattern leaves
/// them: lists(block) are those intervals, live(interval) the elements. Both ends of live() never decrease.
template <class Lists, class Live>
std::int64_t count_live(std::int64_t blocks, std::int64_t size, Lists lists, Live live) {
  std::int64_t elements = 0;
  for (std::int64_t n = 0; n < blocks; ++n) {
    std::int64_t counted = n * size;  // elements before it are
    for (const Interval others : lists(n)) {
      const Interval more = overlap({counted, (n + 1) * size}, live(others));
      elements += more.size();
      counted = std::max(counted, more.end);
    }
  }
  return elements;
}

}  // namespace

std::int64_t count_seen_keys(const Shape& shape) {
  if (!shape.mask.blocks) return shape.live_keys({0, shape.seqlen_q}).size();
  const BlockMask& mask = *shape.mask.blocks;
  const BlockedMatrix& matrix = mask.matrix();
  return count_live(
      matrix.cols(), matrix.bc, [&](std::int64_t j) { return mask.queries_of(j); },
      [&](Interval rows) {
        return shape.live_keys({rows.begin * matrix.br, rows.end * matrix.br});
      });
}

std::int64_t count_seeing_queries(const Shape& shape) {
  if (!shape.mask.blocks) return shape.live_queries({0, shape.seqlen_k}).size();
  const BlockMask& mask = *shape.mask.blocks;
  const BlockedMatrix& matrix = mask.matrix();
  return count_live(
      matrix.rows(), matrix.br, [&](std::int64_t i) { return mask.keys_of(i); },
      [&](Interval cols) {
        return shape.live_queries({cols.begin * matrix.bc, cols.end * matrix.bc});
      });
}

}  // namespace sim
