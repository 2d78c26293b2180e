// The product of the reference and of the plain formula. Internal to sim/base/attention*.cpp.
#pragma once
#include "sim/base/eigen.h"

namespace sim {

template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A matrix, or some of its rows.
template <class Scalar>
using Rows = Eigen::Ref<const Matrix<Scalar>>;

/// scale A B. Compiled once for each dtype: Eigen compiles a product anew for each type of its factors. A transposed
/// factor is copied on its way here, which is little beside the product.
Matrix<double> times(double scale, const Rows<double>& a, const Rows<double>& b);
Matrix<float> times(float scale, const Rows<float>& a, const Rows<float>& b);

}  // namespace sim
