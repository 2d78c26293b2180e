// Heads as Eigen matrices, for the reference and the plain formula. Internal to sim/base/attention*.cpp.
#pragma once
#include <cmath>
#include <vector>

#include "sim/base/attention.h"
#include "sim/base/interrupt.h"
#include "sim/base/matrix_product.h"

namespace sim {

/// Matrix `index` of a row-major stack of (rows, columns) matrices.
template <class Scalar>
auto matrix_at(const std::vector<Scalar>& stack, std::int64_t index, std::int64_t rows, std::int64_t columns) {
  return Eigen::Map<const Matrix<Scalar>>(stack.data() + index * rows * columns, rows, columns);
}

template <class Scalar>
auto matrix_at(std::vector<Scalar>& stack, std::int64_t index, std::int64_t rows, std::int64_t columns) {
  return Eigen::Map<Matrix<Scalar>>(stack.data() + index * rows * columns, rows, columns);
}

/// Index of the K and V matrix that the Q matrix `index` = (batch, head) reads.
inline std::int64_t kv_index(const Shape& shape, std::int64_t index) {
  return index / shape.heads * shape.kv_heads + shape.kv_head_of(index % shape.heads);
}

/// Throws Error if sizes do not fit the shape or p is not in [0, 1); `backward`: d_o is required.
void check_inputs(const Shape& shape, const AttentionInputs& inputs, const Dropout& dropout, bool backward);

/// Gradients of zeros in the layouts of q, k and v.
template <class Scalar>
AttentionGradients<Scalar> no_gradients(const AttentionInputs& inputs) {
  return {std::vector<Scalar>(inputs.q.size()), std::vector<Scalar>(inputs.k.size()),
          std::vector<Scalar>(inputs.v.size())};
}

/// Dropout factors Z of a head's tile: `factor` = 1 / (1 - p) if an entry is kept, else 0.
template <class Scalar>
Matrix<Scalar> keep_factors(const Dropout& dropout, std::int64_t head, Interval queries, Interval keys, Scalar factor) {
  Matrix<Scalar> z(queries.size(), keys.size());
  std::vector<float> keep(static_cast<std::size_t>(keys.size()));
  for (std::int64_t i = 0; i < queries.size(); ++i) {
    check_interrupt();
    keep_row(dropout, head, queries.begin + i, keys, keep);
    for (std::int64_t k = 0; k < keys.size(); ++k) z(i, k) = keep[static_cast<std::size_t>(k)] == 0 ? 0 : factor;
  }
  return z;
}

/// Applies score steps to scores of a head; stores their derivatives in `slopes` unless it is null.
template <class Scalar>
void modify_scores(const ScoreSteps& steps, std::int64_t head, Interval queries, Interval keys, Matrix<Scalar>& s,
                   Matrix<Scalar>* slopes) {
  if (slopes != nullptr) slopes->resize(s.rows(), s.cols());
  for (std::int64_t i = 0; i < queries.size(); ++i)
    steps.modify(head, queries.begin + i, keys, s.row(i).data(), slopes ? slopes->row(i).data() : nullptr);
}

/// dS = dS o slopes; 0 where dS = 0, as at hidden pairs, whose slopes may be infinite.
template <class Scalar>
void multiply_by_slopes(Matrix<Scalar>& d_s, const Matrix<Scalar>& slopes) {
  d_s = (d_s.array() == 0).select(0, d_s.cwiseProduct(slopes));
}

/// Sink of a row in the precision of the reference; -infinity if there are none.
template <class Scalar>
Scalar sink_of(const Sinks* sinks, std::int64_t head, std::int64_t row) {
  return sinks == nullptr ? -static_cast<Scalar>(INFINITY) : static_cast<Scalar>(sinks->of(head, row));
}

}  // namespace sim
