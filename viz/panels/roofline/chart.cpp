#include "viz/panels/roofline/chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/ui/steady.h"

namespace explorer {
namespace {

constexpr double room = 0.06;  // of a scale's length, at each end that needs it

/// Powers of ten; over many decades every n-th of them, over few also their multiples by 2 and 5.
std::vector<double> log_ticks(const Scale& s, int wanted) {
  const double decades = ui::steady::log(s.high / s.low) / ui::steady::log(10);
  const bool multiples = decades < 2;
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, wanted))));
  std::vector<double> result;
  for (int power = ui::steady::exponent_in(10, s.low); ui::steady::power_of(10, power) <= s.high; ++power) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * ui::steady::power_of(10, power);
      const bool wanted_one = digit == 1.0 ? power % stride == 0 : multiples;
      if (wanted_one && tick >= s.low && tick <= s.high) result.push_back(tick);
    }
  }
  return result;
}

std::vector<double> linear_ticks(const Scale& s, int wanted) {
  const double rough = (s.high - s.low) / std::max(1, wanted);
  const double power = ui::steady::power_of(10, ui::steady::exponent_in(10, rough));
  double step = 10 * power;
  for (const double digit : {5.0, 2.0, 1.0}) {
    if (digit * power >= rough) step = digit * power;
  }
  std::vector<double> result;
  const auto first = static_cast<int>(std::ceil(s.low / step)), last = static_cast<int>(std::floor(s.high / step));
  for (int n = first; n <= last; ++n) result.push_back(n * step);
  return result;
}

}  // namespace

float Scale::place(double value) const {
  const double share = log ? ui::steady::log(value / low) / ui::steady::log(high / low) : (value - low) / (high - low);
  return begin + static_cast<float>(share) * (end - begin);
}

Scale make_scale(double least, double most, bool log, float begin, float end) {
  Scale scale{0, most > 0 ? most * (1 + room) : 1, log && least > 0, begin, end};
  if (!scale.log) return scale;
  const double factor = most > least ? ui::steady::power(most / least, room) : 2;
  scale.low = least / factor;
  scale.high = most * factor;
  return scale;
}

std::vector<double> ticks(const Scale& scale, int wanted) {
  return scale.log ? log_ticks(scale, wanted) : linear_ticks(scale, wanted);
}

void spread(std::vector<float>& centers, float height, float top, float bottom) {
  float least = top + height / 2;
  for (float& center : centers) {
    center = std::max(center, least);
    least = center + height;
  }
  float most = bottom - height / 2;
  for (std::size_t n = centers.size(); n-- > 0;) {
    centers[n] = std::min(centers[n], most);
    most = centers[n] - height;
  }
}

}  // namespace explorer
