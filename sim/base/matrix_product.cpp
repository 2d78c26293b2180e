#include "sim/base/matrix_product.h"

namespace sim {

Matrix<double> times(double scale, Eigen::Ref<const Matrix<double>> a, Eigen::Ref<const Matrix<double>> b) {
  return scale * (a * b);
}

Matrix<float> times(float scale, Eigen::Ref<const Matrix<float>> a, Eigen::Ref<const Matrix<float>> b) {
  return scale * (a * b);
}

}  // namespace sim
