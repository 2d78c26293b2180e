#include "sim/base/matrix_product.h"

#include <algorithm>

#include "sim/base/interrupt.h"

namespace sim {
namespace {

constexpr Eigen::Index most_at_once = Eigen::Index{1} << 31;  // products of two numbers: a few tenths of a second

/// Computes large products some rows at a time, so that an interrupt need not wait for the whole.
template <class Scalar>
Matrix<Scalar> product_in_parts(Scalar scale, const Rows<Scalar>& a, const Rows<Scalar>& b) {
  check_interrupt();
  const Eigen::Index step = most_at_once / std::max<Eigen::Index>(1, a.cols() * b.cols());
  if (a.rows() <= step) return scale * (a * b);
  Matrix<Scalar> product(a.rows(), b.cols());
  for (Eigen::Index row = 0, size = 0; row < a.rows(); row += size) {
    check_interrupt();
    size = std::min(std::max<Eigen::Index>(1, step), a.rows() - row);
    product.middleRows(row, size) = scale * (a.middleRows(row, size) * b);
  }
  return product;
}

}  // namespace

Matrix<double> times(double scale, const Rows<double>& a, const Rows<double>& b) {
  return product_in_parts(scale, a, b);
}

Matrix<float> times(float scale, const Rows<float>& a, const Rows<float>& b) { return product_in_parts(scale, a, b); }

}  // namespace sim
