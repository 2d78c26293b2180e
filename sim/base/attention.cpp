#include "sim/base/attention.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "sim/base/check.h"
#include "sim/base/units.h"

namespace sim {
namespace {

template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Row = Eigen::RowVectorXd;

constexpr std::int64_t block_scores = std::int64_t{1} << 19;  // 4 MiB of scores at a time
constexpr std::int64_t block_rows = 128;
constexpr std::int64_t largest_plain = std::int64_t{1} << 30;  // 4 GiB: one N x N matrix of N = 32768

void check_length(std::string_view name, std::size_t length, std::int64_t expected) {
  require(length == static_cast<std::size_t>(expected), "attention: ", name, " has ", length,
          " values, its shape needs ", expected);
}

void check_inputs(const Shape& shape, const AttentionInputs& inputs) {
  shape.check();
  const std::int64_t keys = product(shape.batch, shape.kv_heads, shape.seqlen_k, shape.head_dim);
  check_length("q", inputs.q.size(), product(shape.batch, shape.heads, shape.seqlen_q, shape.head_dim));
  check_length("k", inputs.k.size(), keys);
  check_length("v", inputs.v.size(), keys);
}

/// Matrix `index` of a row-major stack of (rows, columns) matrices.
template <class Scalar>
auto matrix_at(const std::vector<Scalar>& stack, std::int64_t index, std::int64_t rows, std::int64_t columns) {
  return Eigen::Map<const Matrix<Scalar>>(stack.data() + index * rows * columns, rows, columns);
}

template <class Scalar>
auto matrix_at(std::vector<Scalar>& stack, std::int64_t index, std::int64_t rows, std::int64_t columns) {
  return Eigen::Map<Matrix<Scalar>>(stack.data() + index * rows * columns, rows, columns);
}

/// Which K and V matrix the Q matrix `index` = (batch, head) reads.
std::int64_t kv_index(const Shape& shape, std::int64_t index) {
  return index / shape.heads * shape.kv_heads + shape.kv_head_of(index % shape.heads);
}

/// p_j = exp(s_j - m) in place, m = max s; returns L = m + log sum p. NaN and +inf scores make everything NaN, as IEEE
/// arithmetic gives; scores of -inf only (or none) have no maximum to subtract and give p = 0, L = -inf.
double exponentiate(Eigen::Ref<Row> scores) {
  const double m = scores.size() == 0 ? -INFINITY : scores.maxCoeff<Eigen::PropagateNaN>();
  if (m == -INFINITY) {
    scores.setZero();
    return m;
  }
  // std::exp, because Eigen's vectorised exp of -inf is a small number instead of 0.
  scores = scores.unaryExpr([m](double s) { return std::exp(s - m); });
  return m + std::log(scores.sum());
}

/// One (batch, head) of the reference in double.
struct ReferenceHead {
  const Shape& shape;
  double scale;
  Matrix<double> q, k, v;
  bool finite_v = v.allFinite();

  /// O and L of a block of queries: S = scale Q K^T and P V as matrix products over the keys that any of them sees.
  void compute(Interval queries, Eigen::Ref<Matrix<double>> o, double* log_sum_exp) const {
    const Interval keys = shape.live_keys(queries);
    Matrix<double> p =
        scale * (q.middleRows(queries.begin, queries.size()) * k.middleRows(keys.begin, keys.size()).transpose());
    Eigen::VectorXd sums(queries.size());
    for (std::int64_t i = 0; i < queries.size(); ++i) {
      const Interval seen = shape.visible_keys(queries.begin + i);
      const std::int64_t before = seen.empty() ? 0 : seen.begin - keys.begin;
      log_sum_exp[i] = exponentiate(p.row(i).segment(before, seen.size()));
      p.row(i).head(before).setZero();
      p.row(i).tail(keys.size() - before - seen.size()).setZero();
      sums(i) = p.row(i).sum();
      if (!finite_v) o.row(i) = p.row(i).segment(before, seen.size()) * v.middleRows(keys.begin + before, seen.size());
    }
    // A hidden key has p = 0, which removes it from a matrix product as long as its value is finite: 0 * inf is NaN.
    if (finite_v) o.noalias() = p * v.middleRows(keys.begin, keys.size());
    for (std::int64_t i = 0; i < queries.size(); ++i)
      log_sum_exp[i] == -INFINITY ? o.row(i).setZero() : o.row(i) /= sums(i);
  }
};

/// P = softmax(S) row by row in place; -inf counts as hidden, and a row of -inf only gives zeros.
void softmax_rows(Matrix<float>& s) {
  // Eigen's vectorised exp ends at this value and gives it for -inf too; what is not above it is 0.
  constexpr float smallest_exp = 2 * std::numeric_limits<float>::min();
  for (auto row : s.rowwise()) {
    const float m = row.maxCoeff<Eigen::PropagateNaN>();
    if (m == -INFINITY) {
      row.setZero();
      continue;
    }
    row.array() = (row.array() - m).exp();
    for (float& p : row) p = p < smallest_exp ? 0.0f : p;
    row /= row.sum();
  }
}

void hide_masked(const Shape& shape, Matrix<float>& s) {
  for (std::int64_t query = 0; query < shape.seqlen_q; ++query) {
    const Interval seen = shape.visible_keys(query);
    s.row(query).head(seen.begin).setConstant(-INFINITY);
    s.row(query).tail(shape.seqlen_k - seen.end).setConstant(-INFINITY);
  }
}

template <class Derived>
void round_matrix(Dtype dtype, Eigen::PlainObjectBase<Derived>& values) {
  round_all(dtype, {values.data(), static_cast<std::size_t>(values.size())});
}

}  // namespace

AttentionReference attention_reference(const Shape& shape, double scale, const AttentionInputs& inputs) {
  check_inputs(shape, inputs);
  const std::int64_t nq = shape.seqlen_q, nk = shape.seqlen_k, d = shape.head_dim;
  const std::int64_t rows = std::clamp<std::int64_t>(block_scores / nk, 1, block_rows);
  AttentionReference result;
  result.o.resize(inputs.q.size());
  result.log_sum_exp.resize(inputs.q.size() / static_cast<std::size_t>(d));
  for (std::int64_t index = 0; index < shape.batch * shape.heads; ++index) {
    const std::int64_t kv = kv_index(shape, index);
    const ReferenceHead head{shape, scale, matrix_at(inputs.q, index, nq, d).cast<double>(),
                             matrix_at(inputs.k, kv, nk, d).cast<double>(),
                             matrix_at(inputs.v, kv, nk, d).cast<double>()};
    auto o = matrix_at(result.o, index, nq, d);
    for (std::int64_t begin = 0; begin < nq; begin += rows) {
      const Interval queries{begin, std::min(begin + rows, nq)};
      head.compute(queries, o.middleRows(begin, queries.size()), &result.log_sum_exp[std::size_t(index * nq + begin)]);
    }
  }
  return result;
}

std::vector<float> attention_plain(const Shape& shape, float scale, Dtype dtype, const AttentionInputs& inputs) {
  check_inputs(shape, inputs);
  const std::int64_t nq = shape.seqlen_q, nk = shape.seqlen_k, d = shape.head_dim;
  require(nq * nk <= largest_plain, "attention_plain: the matrix of scores has seqlen-q x seqlen-k = ", nq * nk,
          " elements, allowed are at most ", largest_plain);
  std::vector<float> result(inputs.q.size());
  Matrix<float> s(nq, nk);
  for (std::int64_t index = 0; index < shape.batch * shape.heads; ++index) {
    const std::int64_t kv = kv_index(shape, index);
    s.noalias() = scale * (matrix_at(inputs.q, index, nq, d) * matrix_at(inputs.k, kv, nk, d).transpose());
    round_matrix(dtype, s);
    if (shape.mask.any()) hide_masked(shape, s);
    softmax_rows(s);
    round_matrix(dtype, s);
    matrix_at(result, index, nq, d).noalias() = s * matrix_at(inputs.v, kv, nk, d);
  }
  round_all(dtype, result);
  return result;
}

}  // namespace sim
