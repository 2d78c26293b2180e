// Heads as Eigen matrices, for the reference and the plain formula. Internal to sim/base/attention*.cpp.
#pragma once
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

}  // namespace sim
