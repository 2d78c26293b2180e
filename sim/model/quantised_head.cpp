#include "sim/model/quantised_head.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/matrix_product.h"
#include "sim/programs/row_window.h"

namespace sim {
namespace {

/// Rows of an input, each times its factor.
template <class Factor>
Matrix<double> matrix_of(RowSource& rows, Interval of, std::int64_t cols, Factor factor) {
  Matrix<double> result(of.size(), cols);
  for (std::int64_t row = of.begin; row < of.end; ++row) {
    const float* const values = rows.row(row);
    const double times = factor(row);
    for (std::int64_t c = 0; c < cols; ++c) result(row - of.begin, c) = times * static_cast<double>(values[c]);
  }
  return result;
}

Matrix<double> scaled(Fp8Rows& rows, Interval of, std::int64_t cols) {
  return matrix_of(rows, of, cols, [&](std::int64_t row) { return static_cast<double>(rows.scale_of_row(row)); });
}

Matrix<double> as_given(DrawnRows& rows, Interval of, std::int64_t cols) {
  return matrix_of(rows, of, cols, [](std::int64_t) { return 1.0; });
}

}  // namespace

Scenario one_head_of(const Scenario& run) {
  Scenario head;
  const Shape& shape = run.shape;
  head.algorithm = run.algorithm;
  head.named = run.named;
  head.shape.batch = head.shape.heads = head.shape.kv_heads = 1;
  head.shape.seqlen_q = std::min(shape.seqlen_q, most_quantised_rows);
  head.shape.seqlen_k = std::min(shape.seqlen_k, most_quantised_rows);
  head.shape.head_dim = shape.head_dim;
  head.shape.head_dim_v = shape.head_dim_v;
  head.shape.mask.causal = shape.mask.causal;
  head.dtype = run.dtype;
  head.scale = run.scale;
  head.gpu = run.gpu;
  head.br = run.br;
  head.bc = run.bc;
  head.own = run.own;
  head.inputs = run.inputs;
  head.seed = run.seed;
  return head;
}

Scenario quantised_as(Scenario head, Fp8Scales scales, bool rotated) {
  head.own["fp8-scales"] = static_cast<std::int64_t>(scales);
  head.own["rotate"] = rotated ? 1 : 0;
  return head;
}

Scenario in_fp16(Scenario head) {
  head.dtype = Dtype::fp16;
  head.bc.reset();
  head.own.erase("fp8-scales");
  head.own.erase("rotate");
  return head;
}

QuantisedTile::QuantisedTile(std::shared_ptr<const Plan> plan, std::shared_ptr<const AttentionInputs> exact,
                             std::int64_t row)
    : plan_(std::move(plan)),
      exact_(std::move(exact)),
      inputs_(*plan_, 0, exact_),
      queries_(Blocking{plan_->problem.shape.seqlen_q, plan_->problem.tiling.br}.elements(row)) {
  const std::int64_t d = plan_->problem.shape.head_dim;
  std::optional<Rotation> rotation;
  if (rotates(plan_->scenario)) rotation.emplace(d, plan_->scenario.seed);
  scale_ = inputs_.fp8->Q.scale_of_row(queries_.begin);
  for (std::int64_t q = queries_.begin; q < queries_.end; ++q) {
    const float* const given = inputs_.Q.row(q);
    std::vector<float> values(given, given + d);
    if (rotation) rotation->apply(values);
    const float* const rounded = inputs_.fp8->Q.row(q);
    values_.insert(values_.end(), values.begin(), values.end());
    rounded_.insert(rounded_.end(), rounded, rounded + d);
  }
  for (std::size_t n = 0; n < values_.size(); ++n) {
    const double off = static_cast<double>(scale_) * static_cast<double>(rounded_[n]) - static_cast<double>(values_[n]);
    rounding_.sum += off * off;
    if (std::abs(values_[n]) > std::abs(values_[largest_at_])) largest_at_ = n;
  }
  rounding_.count = std::ssize(values_);
  largest_ = values_.empty() ? 0 : std::abs(values_[largest_at_]);
}

std::int64_t QuantisedTile::beyond(float limit) const {
  return std::count_if(values_.begin(), values_.end(), [&](float x) { return std::abs(x / scale_) > limit; });
}

std::vector<std::int64_t> QuantisedTile::histogram(std::size_t bins) const {
  std::vector<std::int64_t> counts(bins);
  for (const float x : values_) {
    const float share = (x / scale_ + largest_e4m3) / (2 * largest_e4m3);
    const auto bin = static_cast<std::int64_t>(std::floor(share * static_cast<float>(bins)));
    ++counts[static_cast<std::size_t>(std::clamp<std::int64_t>(bin, 0, static_cast<std::int64_t>(bins) - 1))];
  }
  return counts;
}

bool QuantisedTile::add_scores() {
  const Problem& p = plan_->problem;
  const std::int64_t d = p.shape.head_dim;
  const Interval keys{next_key_, std::min(p.shape.seqlen_k, next_key_ + p.tiling.bc)};
  if (keys.empty()) return false;
  const Matrix<double> q = as_given(inputs_.Q, queries_, d), k = as_given(inputs_.K, keys, d);
  const Matrix<double> q8 = scaled(inputs_.fp8->Q, queries_, d), k8 = scaled(inputs_.fp8->K, keys, d);
  const double tau = static_cast<double>(p.scale);
  const Matrix<double> error = times(tau, q8, k8.transpose()) - times(tau, q, k.transpose());
  for (std::int64_t row = 0; row < queries_.size(); ++row) {
    const Interval seen = overlap(p.shape.visible_keys(queries_.begin + row), keys);
    for (std::int64_t key = seen.begin; key < seen.end; ++key) {
      const double off = error(row, key - keys.begin);
      scores_.squares.sum += off * off;
      scores_.largest = std::max(scores_.largest, std::abs(off));
    }
    scores_.squares.count += seen.size();
  }
  next_key_ = keys.end;
  return next_key_ < p.shape.seqlen_k;
}

/// Queries see the keys before their diagonal, so a head that ends with them has their rows.
std::vector<double> exact_rows(const Plan& plan, const AttentionInputs& exact, Interval queries) {
  Shape shape = plan.problem.shape;
  const auto [d, dv] = shape.head_dims();
  const std::int64_t keys = shape.live_keys(queries).end;
  shape.seqlen_q = queries.size();
  shape.seqlen_k = shape.mask.causal ? keys : shape.seqlen_k;
  if (shape.seqlen_k == 0) return std::vector<double>(static_cast<std::size_t>(queries.size() * dv));
  const AttentionInputs part{{exact.q.begin() + queries.begin * d, exact.q.begin() + queries.end * d},
                             {exact.k.begin(), exact.k.begin() + shape.seqlen_k * d},
                             {exact.v.begin(), exact.v.begin() + shape.seqlen_k * dv}};
  return attention_reference(shape, static_cast<double>(plan.problem.scale), part).o;
}

ValueChecks::Squares errors_of_rows(const Plan& plan, const std::shared_ptr<const AttentionInputs>& inputs,
                                    Interval queries, const std::vector<double>& exact) {
  RowWindow window(plan, 0, queries, std::make_shared<DrawnInputs>(plan, 0, inputs));
  const Launch& launch = plan.launches.front();
  const GridAxes axes = grid_axes(plan.problem.shape, launch.grid);
  const Interval rows = axes.rows.touching(queries);
  for (std::int64_t row = rows.begin; row < rows.end; ++row)
    window.resume(launch, axes.row(row), axes.col(0), {}, std::numeric_limits<std::int64_t>::max());
  ValueChecks::Squares squares{0, std::ssize(exact)};
  const std::span<const float> O = window.stored(Tensor::O);
  for (std::size_t n = 0; n < exact.size(); ++n) {
    const double off = static_cast<double>(O[n]) - exact[n];
    squares.sum += off * off;
  }
  return squares;
}

}  // namespace sim
