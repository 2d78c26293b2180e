// The quantiser of e4m3, and the rotation before it.
#include "sim/base/quantise.h"

#include <Eigen/Core>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/attention.h"
#include "sim/base/check.h"

namespace sim {
namespace {

using Catch::Contains;

/// M by its definition: doubled blocks, with the signs that the rotation has, read from rows of the unit matrix.
Eigen::MatrixXd matrix_of(const Rotation& rotation, std::int64_t d) {
  Eigen::MatrixXd m(d, d);
  for (std::int64_t row = 0; row < d; ++row) {
    std::vector<float> unit(static_cast<std::size_t>(d));
    unit[static_cast<std::size_t>(row)] = 1;
    rotation.apply(unit);
    for (std::int64_t col = 0; col < d; ++col) m(row, col) = static_cast<double>(unit[static_cast<std::size_t>(col)]);
  }
  return m;
}

Eigen::MatrixXd hadamard(std::int64_t d) {
  Eigen::MatrixXd h = Eigen::MatrixXd::Ones(1, 1);
  while (h.rows() < d) {
    Eigen::MatrixXd next(2 * h.rows(), 2 * h.rows());
    next << h, h, h, -h;
    h = next;
  }
  return h;
}

}  // namespace

TEST_CASE("a scale of e4m3 makes the largest value 448, and is 1 for zeros") {
  std::vector<float> values = {0.5f, -3.0f, 1.0f, 0.0f};
  const float scale = e4m3_scale(values);
  CHECK(scale == 3.0f / 448);
  quantise(values, scale);
  CHECK(values[1] == -448);
  for (const float x : values) CHECK(round_to(Dtype::e4m3, x) == x);
  CHECK(e4m3_scale(std::vector<float>(7)) == 1);
  CHECK(e4m3_scale({}) == 1);
}

TEST_CASE("infinity and NaN pass through the quantiser") {
  std::vector<float> infinite = {1.0f, INFINITY, -2.0f};
  CHECK(e4m3_scale(infinite) == INFINITY);
  quantise(infinite, e4m3_scale(infinite));
  CHECK(infinite[0] == 0);
  CHECK(std::isnan(infinite[1]));
  std::vector<float> unknown = {1.0f, NAN};
  CHECK(std::isnan(e4m3_scale(unknown)));
  quantise(unknown, e4m3_scale(unknown));
  CHECK(std::isnan(unknown[0]));
}

TEST_CASE("an error of a quantised value is at most a sixteenth of it, or half of the smallest step") {
  std::vector<float> values = draw_elements({0, 4096}, Dtype::fp32, 3, DrawnTensor::Q);
  const std::vector<float> exact = values;
  const float scale = e4m3_scale(values);
  quantise(values, scale);
  for (std::size_t n = 0; n < values.size(); ++n) {
    const float error = std::abs(values[n] * scale - exact[n]);
    CHECK(error <= std::max(std::abs(exact[n]) / 16, scale * 0x1p-10f) * 1.0001f);
  }
}

TEST_CASE("a rotation is a Hadamard matrix with random signs of its rows, and orthogonal") {
  for (const std::int64_t d : {1, 2, 16, 64, 128}) {
    const Eigen::MatrixXd m = matrix_of(Rotation(d, 5), d);
    CHECK((m * m.transpose() - Eigen::MatrixXd::Identity(d, d)).cwiseAbs().maxCoeff() < 1e-6);
    const Eigen::MatrixXd h = hadamard(d) / std::sqrt(static_cast<double>(d));
    for (std::int64_t row = 0; row < d; ++row) {
      const double sign = m(row, 0) < 0 ? -1 : 1;
      CHECK((m.row(row) - sign * h.row(row)).cwiseAbs().maxCoeff() < 1e-6);
    }
  }
}

TEST_CASE("signs of a rotation depend on the seed, and both occur") {
  const Eigen::MatrixXd one = matrix_of(Rotation(64, 0), 64), other = matrix_of(Rotation(64, 1), 64);
  CHECK((one - other).cwiseAbs().maxCoeff() > 0.1);
  CHECK((one - matrix_of(Rotation(64, 0), 64)).cwiseAbs().maxCoeff() == 0);
  const auto negative = (one.col(0).array() < 0).count();
  CHECK(negative > 16);
  CHECK(negative < 48);
}

TEST_CASE("a rotation spreads one large element over its row, so that the scale of the row falls by sqrt(d)") {
  std::vector<float> row(128);
  row[17] = 30;
  Rotation(128, 0).apply(row);
  for (const float x : row) CHECK(std::abs(x) == Approx(30 / std::sqrt(128.0)));
}

TEST_CASE("a rotation needs a power of two") {
  for (const std::int64_t d : {3, 96, 192}) CHECK_THROWS_WITH(Rotation(d, 0), Contains("use --rotate 0"));
}

}  // namespace sim
