#include "sim/report/common_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"

namespace report {
namespace {

/// Units of one kind, from the smallest; runs store values in the first one.
struct Scale {
  std::string_view unit;
  double step;
  std::vector<std::string> names;
};

const std::vector<Scale>& scales() {
  static const std::vector<Scale> all = {{"bytes", 1000, {"B", "kB", "MB", "GB", "TB", "PB", "EB"}},
                                         {"KiB", 1024, {"B", "KiB"}},
                                         {"FLOP", 1000, {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"}},
                                         {"microseconds", 1000, {"us", "ms", "s"}},
                                         {"cycles", 1000, {"cycles", "k cycles", "M cycles", "G cycles", "T cycles"}},
                                         {"exponentials", 1000, {"", "k", "M", "G", "T", "P", "E"}},
                                         {"share", 0.01, {"", "%"}},
                                         {"%", 1, {"%"}},
                                         {"FLOP/B", 1, {"FLOP/B"}}};
  return all;
}

}  // namespace

std::string CommonUnit::text(double value) const {
  const double shown = value / size;
  if (shown == 0) return "0";
  const double rounded = std::abs(std::stod(fmt::format("{:.2e}", shown)));  // 9.996 has the digits of 10.0
  const int decimals = std::max(0, 2 - static_cast<int>(std::floor(std::log10(rounded))));
  return decimals == 0 ? thousands(std::llround(shown)) : fmt::format("{:.{}f}", shown, decimals);
}

CommonUnit common_unit(std::string_view unit, const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  for (const Scale& scale : scales()) {
    if (scale.unit != unit) continue;
    CommonUnit common{scale.names.front()};
    for (std::size_t n = 1; n < scale.names.size() && (scale.step < 1 || most / common.size >= scale.step); ++n)
      common = {scale.names[n], common.size * scale.step};
    return common;
  }
  return {};
}

}  // namespace report
