// Plain attention with whole N x N matrices, rounded as a framework rounds them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/attention_matrix.h"
#include "sim/base/check.h"
#include "sim/base/interrupt.h"

namespace sim {
namespace {

constexpr std::int64_t largest_plain = std::int64_t{1} << 30;  // 4 GiB: one N x N matrix of N = 32768

/// P = softmax(S) row by row in place, with the sink of each row; -inf counts as hidden, and a row of -inf only gives
/// zeros.
void softmax_rows(Matrix<float>& s, std::int64_t head, const Sinks* sinks) {
  // Eigen's vectorised exp is clamped to this value, also for -inf; results not above it are set to 0.
  constexpr float smallest_exp = 2 * std::numeric_limits<float>::min();
  for (Eigen::Index i = 0; i < s.rows(); ++i) {
    auto row = s.row(i);
    check_interrupt();
    const float sink = sink_of<float>(sinks, head, i), m = std::max(row.maxCoeff<Eigen::PropagateNaN>(), sink);
    if (m == -INFINITY) {
      row.setZero();
      continue;
    }
    row.array() = (row.array() - m).exp();
    for (float& p : row) p = p < smallest_exp ? 0.0f : p;
    row /= row.sum() + std::exp(sink - m);
  }
}

void hide_masked(const Shape& shape, Matrix<float>& s) {
  for (std::int64_t query = 0; query < shape.seqlen_q; ++query) {
    std::int64_t hidden = 0;  // the keys from here on are hidden so far
    for (const Interval seen : shape.visible_parts(query, {0, shape.seqlen_k})) {
      s.row(query).segment(hidden, seen.begin - hidden).setConstant(-INFINITY);
      hidden = seen.end;
    }
    s.row(query).tail(shape.seqlen_k - hidden).setConstant(-INFINITY);
  }
}

/// Rounds every element to the dtype, as a framework does when it stores a matrix.
void store(Dtype dtype, Matrix<float>& values) {
  for (auto row : values.rowwise()) {
    check_interrupt();
    round_all(dtype, {row.data(), static_cast<std::size_t>(row.size())});
  }
}

/// Returns factor A B; a zero of A (a hidden pair) contributes nothing, even against NaN or infinity in B.
template <class Left, class Right>
Matrix<float> times_seen(float factor, const Left& a, const Right& b) {
  if (b.allFinite()) return times(factor, a, b);
  Matrix<float> product = Matrix<float>::Zero(a.rows(), b.cols());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index k = 0; k < a.cols(); ++k) {
      if (a(i, k) != 0) product.row(i) += factor * a(i, k) * b.row(k);
    }
  }
  return product;
}

/// Plain attention for the heads of one problem.
class PlainFormula {
 public:
  PlainFormula(const Shape& shape, float scale, PlainDtypes dtypes, const AttentionInputs& inputs,
               const Dropout& dropout, const ScoreSteps* steps, const Sinks* sinks)
      : shape_(shape),
        scale_(scale),
        dtypes_(dtypes),
        inputs_(inputs),
        dropout_(dropout),
        steps_(steps),
        sinks_(sinks) {
    require(nq() * nk() <= largest_plain,
            "attention_plain: the matrix of scores has seqlen-q x seqlen-k = ", nq() * nk(),
            " elements, allowed are at most ", largest_plain);
  }

  std::int64_t nq() const { return shape_.seqlen_q; }
  std::int64_t nk() const { return shape_.seqlen_k; }
  auto q(std::int64_t head) const { return matrix_at(inputs_.q, head, nq(), shape_.head_dim); }
  auto k(std::int64_t head) const { return matrix_at(inputs_.k, kv_index(shape_, head), nk(), shape_.head_dim); }
  auto v(std::int64_t head) const { return matrix_at(inputs_.v, kv_index(shape_, head), nk(), shape_.value_dim()); }
  auto d_o(std::int64_t head) const { return matrix_at(inputs_.d_o, head, nq(), shape_.value_dim()); }

  Matrix<float> probabilities(std::int64_t head, Matrix<float>* slopes = nullptr) const {
    Matrix<float> s = times(scale_, q(head), k(head).transpose());
    store(dtypes_.scores, s);
    if (steps_ != nullptr) {
      modify_scores(*steps_, head, {0, nq()}, {0, nk()}, s, slopes);
      store(dtypes_.scores, s);
    }
    if (shape_.mask.any()) hide_masked(shape_, s);
    softmax_rows(s, head, sinks_);
    const float factor = dtypes_.weights == Dtype::e4m3 ? largest_e4m3 : 1;  // of weights up to 1
    if (factor != 1) s *= factor;
    store(dtypes_.weights, s);
    if (factor != 1) s /= factor;
    return s;
  }

  /// Z o p; without dropout p itself.
  Matrix<float> dropped(std::int64_t head, Matrix<float> p) const {
    if (!dropout_.any()) return p;
    p = p.cwiseProduct(keep_factors(dropout_, head, {0, nq()}, {0, nk()}, dropout_.factor()));
    store(dtypes_.stored, p);
    return p;
  }

  /// dS from P.
  Matrix<float> score_gradients(std::int64_t head, const Matrix<float>& p, const Matrix<float>& slopes) const {
    Matrix<float> d_p = times(1, d_o(head), v(head).transpose());
    store(dtypes_.scores, d_p);
    if (!d_p.allFinite()) d_p = (p.array() == 0).select(0, d_p);  // hidden pairs have no gradient
    d_p = dropped(head, std::move(d_p));
    const Eigen::VectorXf D = p.cwiseProduct(d_p).rowwise().sum();
    Matrix<float> d_s = p.cwiseProduct(d_p.colwise() - D);
    if (steps_ != nullptr) multiply_by_slopes(d_s, slopes);
    store(dtypes_.stored, d_s);
    return d_s;
  }

 private:
  const Shape& shape_;
  float scale_;
  PlainDtypes dtypes_;
  const AttentionInputs& inputs_;
  const Dropout& dropout_;
  const ScoreSteps* steps_;
  const Sinks* sinks_;
};

}  // namespace

std::vector<float> attention_plain(const Shape& shape, float scale, PlainDtypes dtypes, const AttentionInputs& inputs,
                                   const Dropout& dropout, const ScoreSteps* steps, const Sinks* sinks) {
  check_inputs(shape, inputs, dropout, false);
  const PlainFormula formula(shape, scale, dtypes, inputs, dropout, steps, sinks);
  std::vector<float> result(
      static_cast<std::size_t>(product(shape.batch, shape.heads, shape.seqlen_q, shape.value_dim())));
  for (std::int64_t head = 0; head < shape.batch * shape.heads; ++head) {
    matrix_at(result, head, shape.seqlen_q, shape.value_dim()) =
        times_seen(1, formula.dropped(head, formula.probabilities(head)), formula.v(head));
  }
  round_all(dtypes.stored, result);
  return result;
}

AttentionGradients<float> attention_plain_backward(const Shape& shape, float scale, PlainDtypes dtypes,
                                                   const AttentionInputs& inputs, const Dropout& dropout,
                                                   const ScoreSteps* steps, const Sinks* sinks) {
  check_inputs(shape, inputs, dropout, true);
  const PlainFormula formula(shape, scale, dtypes, inputs, dropout, steps, sinks);
  const std::int64_t nq = shape.seqlen_q, nk = shape.seqlen_k, d = shape.head_dim, dv = shape.value_dim();
  AttentionGradients<float> result = no_gradients<float>(inputs);
  for (std::int64_t head = 0; head < shape.batch * shape.heads; ++head) {
    const std::int64_t kv = kv_index(shape, head);
    Matrix<float> slopes;
    const Matrix<float> p = formula.probabilities(head, &slopes);
    matrix_at(result.d_v, kv, nk, dv) += times_seen(1, formula.dropped(head, p).transpose(), formula.d_o(head));
    const Matrix<float> d_s = formula.score_gradients(head, p, slopes);
    matrix_at(result.d_q, head, nq, d) = times_seen(scale, d_s, formula.k(head));
    matrix_at(result.d_k, kv, nk, d) += times_seen(scale, d_s.transpose(), formula.q(head));
  }
  for (std::vector<float>* gradient : {&result.d_q, &result.d_k, &result.d_v}) round_all(dtypes.stored, *gradient);
  return result;
}

}  // namespace sim
