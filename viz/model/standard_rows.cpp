#include "viz/model/standard_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/machine/tile_math.h"

namespace explorer {
namespace {

using sim::Interval;
using sim::Tensor;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// Columns of one row of a (rows, cols) matrix.
std::vector<float> cut(const std::vector<float>& matrix, std::int64_t row, std::int64_t cols, Interval columns) {
  const auto first = matrix.begin() + static_cast<std::ptrdiff_t>(row * cols);
  return {first + static_cast<std::ptrdiff_t>(columns.begin), first + static_cast<std::ptrdiff_t>(columns.end)};
}

bool reads_weights(const sim::Launch& launch) {
  return launch.reads(Tensor::P) || launch.reads(Tensor::P_dropped) || launch.writes(Tensor::P);
}

bool uses_gradients(const sim::Launch& launch) { return launch.reads(Tensor::dS) || launch.writes(Tensor::dS); }

}  // namespace

StandardRows::StandardRows(std::shared_ptr<const Run> run, const sim::Launch& launch, std::int64_t head,
                           Interval queries)
    : matrix_(std::move(run), head),
      sums_(reads_weights(launch) || uses_gradients(launch)),
      dots_(uses_gradients(launch)),
      keys_(matrix_.problem().shape.seqlen_k) {
  numbers_.queries = queries;
  group_ = {queries.begin, queries.begin};
}

std::int64_t StandardRows::bytes() const {
  const std::size_t numbers = numbers_.m.size() + numbers_.l.size() + numbers_.D.size();
  const std::size_t running = running_.m.size() + running_.l.size() + running_.D.size();
  return static_cast<std::int64_t>(4 * (S_.size() + dP_.size() + numbers + running));
}

/// False when there are no more rows; those of a single row stay.
bool StandardRows::next_group() {
  if (group_.end == numbers_.queries.end) {
    if (numbers_.queries.size() > 1) S_ = dP_ = {};
    return false;
  }
  const std::int64_t most = std::max<std::int64_t>(1, most_bytes / (4 * keys_));
  group_ = {group_.end, std::min(numbers_.queries.end, group_.end + most)};
  const auto size = static_cast<std::size_t>(group_.size() * keys_);
  S_.assign(size, 0.0f);
  dP_.assign(dots_ ? size : 0, 0.0f);
  return true;
}

/// Fills a block of columns of the group's rows.
void StandardRows::take(std::int64_t col) {
  const Interval keys = matrix_.col_blocks(of_gradients_ ? Tensor::dP : Tensor::S).elements(col);
  std::vector<float> part = matrix_.product(of_gradients_ ? Tensor::dP : Tensor::S, group_, keys);
  if (of_gradients_) part = matrix_.dropped(std::move(part), group_, keys);
  if (!of_gradients_) matrix_.mask(part, group_, keys);
  std::vector<float>& all = of_gradients_ ? dP_ : S_;
  for (std::int64_t row = 0; row < group_.size(); ++row)
    std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(row * keys.size()), keys.size(),
                all.begin() + static_cast<std::ptrdiff_t>(row * keys_ + keys.begin));
}

/// m and l of one row, a block of keys after the other as the softmax takes them; a row that fits is one block.
void StandardRows::sum(std::int64_t query) {
  const sim::Blocking blocks{keys_, matrix_.kernel("softmax").grid.bc};
  std::vector<float> m{minus_infinity}, l{0.0f};
  for (std::int64_t n = 0; n < blocks.count(); ++n) {
    std::vector<float> S = cut(S_, query - group_.begin, keys_, blocks.elements(n));
    const float before = m[0];
    sim::math::row_max(m, S, blocks.elements(n).size());
    l[0] *= before == minus_infinity ? 0.0f : std::exp(before - m[0]);
    sim::math::exp_sub(S, m, blocks.elements(n).size());
    sim::math::row_sum(l, S, blocks.elements(n).size());
    if (numbers_.queries.size() > 1) continue;
    running_.m.push_back(m[0]);
    running_.l.push_back(l[0]);
  }
  numbers_.m.push_back(m[0]);
  numbers_.l.push_back(l[0]);
}

void StandardRows::dot(std::int64_t query) {
  const sim::Blocking blocks{keys_, matrix_.kernel("softmax_backward").grid.bc};
  const Interval row{query, query + 1};
  std::vector<float> D{0.0f};
  for (std::int64_t n = 0; n < blocks.count(); ++n) {
    const Interval keys = blocks.elements(n);
    const std::vector<float> dP = cut(dP_, query - group_.begin, keys_, keys);
    const std::vector<float> P = matrix_.weights(cut(S_, query - group_.begin, keys_, keys), numbers_.part(row), keys);
    sim::math::row_dot(D, P, dP, keys.size(), false);
    if (numbers_.queries.size() == 1) running_.D.push_back(D[0]);
  }
  numbers_.D.push_back(D[0]);
}

double StandardRows::cost_of_tile() const {
  const Tensor product = of_gradients_ ? Tensor::dP : Tensor::S;
  const auto least = [](const sim::Blocking& blocks) {
    return static_cast<double>(std::min(blocks.size, blocks.extent));
  };
  const double rows = least(matrix_.row_blocks(product)), cols = least(matrix_.col_blocks(product));
  const auto d = static_cast<double>(matrix_.problem().shape.head_dim);
  return 25 * (rows + cols) * d + rows * cols * (0.2 * d + 3);  // ns: drawn, multiplied and rounded on one core
}

/// The tiles of the group, then its rows one by one; the same again for dP, where D is needed.
bool StandardRows::slice() {
  if (!sums_) return false;
  const bool begins = col_ == 0 && !of_gradients_;
  if (begins && !next_group()) return false;
  const std::int64_t tiles = matrix_.col_blocks(of_gradients_ ? Tensor::dP : Tensor::S).count();
  double ns = begins ? 0.5 * static_cast<double>(S_.size() + dP_.size()) : 0;  // new memory is slow at first
  for (; col_ < tiles && ns < ns_per_slice; ns += cost_of_tile()) take(col_++);
  for (; col_ == tiles && row_ < group_.size() && ns < ns_per_slice;
       ns += (of_gradients_ ? 25.0 : 8.0) * static_cast<double>(keys_)) {
    of_gradients_ ? dot(group_.begin + row_) : sum(group_.begin + row_);
    ++row_;
  }
  share_ = static_cast<double>(group_.begin - numbers_.queries.begin) / static_cast<double>(numbers_.queries.size());
  if (row_ < group_.size()) return true;
  of_gradients_ = dots_ && !of_gradients_;
  col_ = row_ = 0;
  return true;
}

std::vector<float> StandardRows::scores(Interval queries, Interval keys) const {
  if (numbers_.queries.size() == 1 && !S_.empty()) return cut(S_, 0, keys_, keys);
  std::vector<float> S = matrix_.product(Tensor::S, queries, keys);
  matrix_.mask(S, queries, keys);
  return S;
}

std::vector<float> StandardRows::gradients(Interval queries, Interval keys) const {
  if (numbers_.queries.size() == 1 && !dP_.empty()) return cut(dP_, 0, keys_, keys);
  return matrix_.dropped(matrix_.product(Tensor::dP, queries, keys), queries, keys);
}

std::vector<float> StandardRows::stored(Tensor tensor, Interval queries, Interval keys) const {
  const auto weights = [&] { return matrix_.weights(scores(queries, keys), numbers_.part(queries), keys); };
  if (tensor == Tensor::S_masked) return scores(queries, keys);
  if (tensor == Tensor::S && matrix_.problem().shape.mask.any()) return matrix_.product(tensor, queries, keys);
  if (tensor == Tensor::S) return scores(queries, keys);
  if (tensor == Tensor::P) return weights();
  if (tensor == Tensor::P_dropped) return matrix_.dropped(weights(), queries, keys);
  if (tensor == Tensor::dP_dropped) return matrix_.product(Tensor::dP, queries, keys);
  if (tensor == Tensor::dP) return gradients(queries, keys);
  sim::require(tensor == Tensor::dS, "values: ", sim::name_of(tensor), " is not a matrix of standard attention in HBM");
  std::vector<float> dS = gradients(queries, keys);
  sim::math::jacobian(dS, weights(), numbers_.part(queries).D, keys.size());
  sim::round_all(matrix_.problem().dtype, dS);
  return dS;
}

}  // namespace explorer
