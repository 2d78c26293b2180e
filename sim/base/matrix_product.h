// The product of the reference and of the plain formula. Internal to sim/base/attention*.cpp.
#pragma once
#include "sim/base/eigen.h"

namespace sim {

template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// scale A B. Compiled once for each dtype: Eigen compiles a product anew for each type of its factors. A transposed
/// factor is copied on its way here, which is little beside the product.
Matrix<double> times(double scale, Eigen::Ref<const Matrix<double>> a, Eigen::Ref<const Matrix<double>> b);
Matrix<float> times(float scale, Eigen::Ref<const Matrix<float>> a, Eigen::Ref<const Matrix<float>> b);

}  // namespace sim
