// Matrix product of the reference and of the plain formula. Internal to sim/base/attention*.cpp.
#pragma once
#include "sim/base/eigen.h"

namespace sim {

template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A matrix, or some of its rows.
template <class Scalar>
using Rows = Eigen::Ref<const Matrix<Scalar>>;

/// Returns scale A B. Compiled once for each dtype, because Eigen instantiates a product for each pair of factor types.
/// A transposed factor is copied into a Matrix at the call, which costs little compared with the product.
Matrix<double> times(double scale, const Rows<double>& a, const Rows<double>& b);
Matrix<float> times(float scale, const Rows<float>& a, const Rows<float>& b);

}  // namespace sim
