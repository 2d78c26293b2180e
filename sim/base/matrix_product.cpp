#include "sim/base/matrix_product.h"

namespace sim {

Matrix<double> times(double scale, const Rows<double>& a, const Rows<double>& b) { return scale * (a * b); }

Matrix<float> times(float scale, const Rows<float>& a, const Rows<float>& b) { return scale * (a * b); }

}  // namespace sim
