// The reference in double, computed for a block of queries at a time.
#include "sim/base/attention.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/base/attention_matrix.h"
#include "sim/base/check.h"
#include "sim/base/interrupt.h"
#include "sim/base/units.h"

namespace sim {
namespace {

using Row = Eigen::RowVectorXd;

constexpr std::int64_t block_scores = std::int64_t{1} << 19;  // 4 MiB of scores at a time
constexpr std::int64_t block_rows = 128;

void check_length(std::string_view name, std::size_t length, std::int64_t expected) {
  require(length == static_cast<std::size_t>(expected), "attention: ", name, " has ", length,
          " values, its shape needs ", expected);
}

/// p_j = exp(s_j - m) / l in place, m = max(s, sink), l = sum exp(s_j - m) + exp(sink - m); returns L = m + log l. NaN
/// and +inf scores make everything NaN, as IEEE arithmetic gives; scores of -inf only (or none) without a sink have no
/// maximum to subtract and give p = 0, L = -inf.
double softmax(Eigen::Ref<Row> scores, double sink) {
  const double m = std::max(scores.size() == 0 ? -INFINITY : scores.maxCoeff<Eigen::PropagateNaN>(), sink);
  if (m == -INFINITY) {
    scores.setZero();
    return m;
  }
  // std::exp, because Eigen's vectorised exp of -inf is a small number instead of 0.
  scores = scores.unaryExpr([m](double s) { return std::exp(s - m); });
  const double l = scores.sum() + std::exp(sink - m);
  scores /= l;
  return m + std::log(l);
}

auto rows(const Matrix<double>& m, Interval range) { return m.middleRows(range.begin, range.size()); }

/// The reference in double for one (batch, head).
class ReferenceHead {
 public:
  ReferenceHead(const Shape& shape, double scale, const AttentionInputs& inputs, const Dropout& dropout,
                std::int64_t index, const ScoreSteps* steps, const Sinks* sinks)
      : shape_(shape), scale_(scale), dropout_(dropout), index_(index), steps_(steps), sinks_(sinks) {
    const std::int64_t kv = kv_index(shape, index), d = shape.head_dim;
    q = matrix_at(inputs.q, index, shape.seqlen_q, d).cast<double>();
    k = matrix_at(inputs.k, kv, shape.seqlen_k, d).cast<double>();
    v = matrix_at(inputs.v, kv, shape.seqlen_k, shape.value_dim()).cast<double>();
  }

  Matrix<double> q, k, v;

  /// Queries per block: one if a factor of a product is not finite, because a block of one row has no key hidden from
  /// any of its queries, and hidden pairs must not propagate NaN (0 x inf). In the backward pass Q and dO are factors
  /// too.
  std::int64_t rows_per_block(const Matrix<double>* d_o) const {
    if (!k.allFinite() || !v.allFinite()) return 1;
    if (d_o != nullptr && (!q.allFinite() || !d_o->allFinite())) return 1;
    return std::clamp<std::int64_t>(block_scores / shape_.seqlen_k, 1, block_rows);
  }

  /// P of the queries against the keys that any of them sees; stores L in log_sum_exp unless null.
  /// Stores the slopes of the score steps in `slopes` unless it is null.
  Matrix<double> probabilities(Interval queries, Interval keys, double* log_sum_exp,
                               Matrix<double>* slopes = nullptr) const {
    Matrix<double> p = times(scale_, rows(q, queries), rows(k, keys).transpose());
    if (steps_ != nullptr) modify_scores(*steps_, index_, queries, keys, p, slopes);
    for (std::int64_t i = 0; i < queries.size(); ++i) {
      const std::vector<Interval> parts = shape_.visible_parts(queries.begin + i, keys);
      const Interval seen = parts.empty() ? Interval{} : Interval{parts.front().begin, parts.back().end};
      const std::int64_t before = seen.empty() ? 0 : seen.begin - keys.begin;
      for (std::size_t n = 1; n < parts.size(); ++n) {  // gaps hidden by a pattern
        const std::int64_t hidden = parts[n - 1].end;
        p.row(i).segment(hidden - keys.begin, parts[n].begin - hidden).setConstant(-INFINITY);
      }
      const double L =
          softmax(p.row(i).segment(before, seen.size()), sink_of<double>(sinks_, index_, queries.begin + i));
      p.row(i).head(before).setZero();
      p.row(i).tail(keys.size() - before - seen.size()).setZero();
      if (log_sum_exp != nullptr) log_sum_exp[i] = L;
    }
    return p;
  }

  /// Applies dropout to a matrix of this tile.
  Matrix<double> dropped(const Matrix<double>& p, Interval queries, Interval keys) const {
    if (!dropout_.any()) return p;
    return p.cwiseProduct(keep_factors(dropout_, index_, queries, keys, 1 / (1 - dropout_.probability)));
  }

 private:
  const Shape& shape_;
  double scale_;
  const Dropout& dropout_;
  std::int64_t index_;
  const ScoreSteps* steps_;
  const Sinks* sinks_;
};

/// Calls visit(queries, keys that any of them sees) for each block of a head; d_o is null in the forward pass.
template <class Visit>
void each_block(const Shape& shape, const ReferenceHead& head, const Matrix<double>* d_o, Visit visit) {
  const std::int64_t size = head.rows_per_block(d_o);
  for (std::int64_t begin = 0; begin < shape.seqlen_q; begin += size) {
    check_interrupt();
    const Interval queries{begin, std::min(begin + size, shape.seqlen_q)};
    visit(queries, shape.live_keys(queries));
  }
}

}  // namespace

void check_inputs(const Shape& shape, const AttentionInputs& inputs, const Dropout& dropout, bool backward) {
  shape.check();
  dropout.check();
  const std::int64_t queries = product(shape.batch, shape.heads, shape.seqlen_q);
  const std::int64_t keys = product(shape.batch, shape.kv_heads, shape.seqlen_k);
  check_length("q", inputs.q.size(), product(queries, shape.head_dim));
  check_length("k", inputs.k.size(), product(keys, shape.head_dim));
  check_length("v", inputs.v.size(), product(keys, shape.value_dim()));
  if (backward) check_length("d_o", inputs.d_o.size(), product(queries, shape.value_dim()));
}

AttentionReference attention_reference(const Shape& shape, double scale, const AttentionInputs& inputs,
                                       const Dropout& dropout, const ScoreSteps* steps, const Sinks* sinks) {
  check_inputs(shape, inputs, dropout, false);
  const std::int64_t nq = shape.seqlen_q, rows_of_all = product(shape.batch, shape.heads, nq);
  AttentionReference result;
  result.o.resize(static_cast<std::size_t>(product(rows_of_all, shape.value_dim())));
  result.log_sum_exp.resize(static_cast<std::size_t>(rows_of_all));
  for (std::int64_t index = 0; index < shape.batch * shape.heads; ++index) {
    const ReferenceHead head(shape, scale, inputs, dropout, index, steps, sinks);
    auto o = matrix_at(result.o, index, nq, shape.value_dim());
    each_block(shape, head, nullptr, [&](Interval queries, Interval keys) {
      double* const L = result.log_sum_exp.data() + index * nq + queries.begin;
      const Matrix<double> p = head.dropped(head.probabilities(queries, keys, L), queries, keys);
      o.middleRows(queries.begin, queries.size()) = times(1, p, rows(head.v, keys));
      for (std::int64_t i = 0; i < queries.size(); ++i) {
        if (L[i] == -INFINITY) o.row(queries.begin + i).setZero();  // also if V has NaN
      }
    });
  }
  return result;
}

AttentionGradients<double> attention_reference_backward(const Shape& shape, double scale, const AttentionInputs& inputs,
                                                        const Dropout& dropout, const ScoreSteps* steps,
                                                        const Sinks* sinks) {
  check_inputs(shape, inputs, dropout, true);
  const std::int64_t nq = shape.seqlen_q, nk = shape.seqlen_k, d = shape.head_dim, dv = shape.value_dim();
  AttentionGradients<double> result = no_gradients<double>(inputs);
  for (std::int64_t index = 0; index < shape.batch * shape.heads; ++index) {
    const ReferenceHead head(shape, scale, inputs, dropout, index, steps, sinks);
    const Matrix<double> d_o = matrix_at(inputs.d_o, index, nq, dv).cast<double>();
    const std::int64_t kv = kv_index(shape, index);
    auto d_q = matrix_at(result.d_q, index, nq, d);
    auto d_k = matrix_at(result.d_k, kv, nk, d), d_v = matrix_at(result.d_v, kv, nk, dv);
    each_block(shape, head, &d_o, [&](Interval queries, Interval keys) {
      const auto d_o_block = rows(d_o, queries);
      Matrix<double> slopes;
      const Matrix<double> p = head.probabilities(queries, keys, nullptr, &slopes);
      if ((p.array() == 0).all()) return;  // contributes nothing, also if it would multiply NaN
      d_v.middleRows(keys.begin, keys.size()) += times(1, head.dropped(p, queries, keys).transpose(), d_o_block);
      const Matrix<double> d_p = head.dropped(times(1, d_o_block, rows(head.v, keys).transpose()), queries, keys);
      const Eigen::VectorXd D = p.cwiseProduct(d_p).rowwise().sum();
      Matrix<double> d_s = p.cwiseProduct(d_p.colwise() - D);
      if (steps != nullptr) multiply_by_slopes(d_s, slopes);
      d_q.middleRows(queries.begin, queries.size()) = times(scale, d_s, rows(head.k, keys));
      d_k.middleRows(keys.begin, keys.size()) += times(scale, d_s.transpose(), rows(head.q, queries));
    });
  }
  return result;
}

}  // namespace sim
