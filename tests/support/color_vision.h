// Perceived difference of two colours, for normal and colour-deficient vision.
// Source: G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 color-difference formula", 2005, equations 2-22; G. M. Machado,
// M. M. Oliveira, L. A. F. Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009,
// the matrices of severity 1.
#pragma once
#include <array>
#include <cmath>

#include "viz/ui/color.h"

namespace color_vision {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

inline constexpr Matrix normal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
inline constexpr Matrix protan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
inline constexpr Matrix deutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
inline constexpr Matrix tritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

inline Triple times(const Matrix& m, const Triple& v) {
  Triple result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i] += m[i][j] * v[j];
  }
  return result;
}

inline double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

/// Returns CIE L*a*b* under D65 of a colour as seen with a colour vision deficiency.
inline Triple lab(ui::Color color, const Matrix& vision) {
  constexpr Matrix to_xyz{
      {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
  Triple seen = times(vision, {linear(color.red), linear(color.green), linear(color.blue)});
  for (double& c : seen) c = std::min(1.0, std::max(0.0, c));
  const Triple xyz = times(to_xyz, seen);
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

inline double degrees(double y, double x) {
  const double angle = std::atan2(y, x) * 180 / M_PI;
  return angle < 0 ? angle + 360 : angle;
}
inline double radians(double degrees) { return degrees * M_PI / 180; }
inline double with_25(double c) { return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25, 7))); }

/// Returns the CIEDE2000 difference of two colours in L*a*b*.
inline double difference(const Triple& one, const Triple& two) {
  const double g = 0.5 * (1 - with_25((std::hypot(one[1], one[2]) + std::hypot(two[1], two[2])) / 2));
  const double a1 = (1 + g) * one[1], a2 = (1 + g) * two[1];
  const double c1 = std::hypot(a1, one[2]), c2 = std::hypot(a2, two[2]);
  const double h1 = degrees(one[2], a1), h2 = degrees(two[2], a2);
  double iteration = c1 * c2 == 0 ? 0 : h2 - h1;
  if (iteration > 180) iteration -= 360;
  if (iteration < -180) iteration += 360;
  double h = c1 * c2 == 0 ? h1 + h2 : (h1 + h2) / 2;
  if (c1 * c2 != 0 && std::abs(h1 - h2) > 180) h += h < 180 ? 180 : -180;

  const double l = (one[0] + two[0]) / 2 - 50, c = (c1 + c2) / 2;
  const double t = 1 - 0.17 * std::cos(radians(h - 30)) + 0.24 * std::cos(radians(2 * h)) +
                   0.32 * std::cos(radians(3 * h + 6)) - 0.20 * std::cos(radians(4 * h - 63));
  const double dl = (two[0] - one[0]) / (1 + 0.015 * l * l / std::sqrt(20 + l * l));
  const double dc = (c2 - c1) / (1 + 0.045 * c);
  const double dh = 2 * std::sqrt(c1 * c2) * std::sin(radians(iteration) / 2) / (1 + 0.015 * c * t);
  const double rotation = -std::sin(radians(60 * std::exp(-std::pow((h - 275) / 25, 2)))) * 2 * with_25(c);
  return std::sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh);
}

}  // namespace color_vision
