#include "viz/terminal/sweep/chart_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/report/numbers.h"

namespace terminal {
namespace {

using Kind = ChartAxis::Kind;

/// True if the numbers are in geometric progression.
bool multiply(const std::vector<double>& values) {
  if (values.size() < 3 || values.front() <= 0) return false;
  const double factor = values[1] / values[0];
  for (std::size_t n = 1; n < values.size(); ++n) {
    if (std::abs(values[n] / values[n - 1] / factor - 1) > 0.01) return false;
  }
  return factor > 1;
}

/// The multiples 1, 2 and 5 of powers of ten between two numbers; only the powers over many decades.
std::vector<double> round_numbers(double low, double high) {
  std::vector<double> all;
  const bool few = std::log10(high / low) < 2.5;
  for (int e = static_cast<int>(std::floor(std::log10(low))); e <= static_cast<int>(std::ceil(std::log10(high))); ++e) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10, e);
      if (value >= low && value <= high && (few || digit == 1)) all.push_back(value);
    }
  }
  return all;
}

/// About five round steps from 0.
std::vector<double> steps_to(double high) {
  const double least = high / 6, power = std::pow(10, std::floor(std::log10(least)));
  double step = power;
  for (const double digit : {1.0, 2.0, 5.0, 10.0}) {
    step = digit * power;
    if (step >= least) break;
  }
  std::vector<double> all;
  for (double value = 0; value <= high * (1 + 1e-9); value += step) all.push_back(value);
  return all;
}

}  // namespace

double ChartAxis::pixel(double value) const {
  const double part =
      kind_ == Kind::logarithmic ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return begin_ + part * (end_ - begin_);
}

void ChartAxis::take_values(const std::vector<double>& values, const std::vector<std::string>& texts) {
  values_ = values;
  double taken = begin_ - 1e9;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double half = 3.7 * static_cast<double>(texts[n].size()) + 4;
    if (pixel(values[n]) - half < taken) continue;
    ticks_.push_back({values[n], pixel(values[n]), texts[n]});
    taken = pixel(values[n]) + half;
  }
}

void ChartAxis::take_ticks(const std::vector<double>& values) {
  for (const double value : values) ticks_.push_back({value, pixel(value), ""});
}

ChartAxis axis_of_values(const results::Axis& axis, double begin, double end) {
  std::vector<double> values;
  std::vector<std::string> texts = axis.values;
  bool numbers = axis.kind == sim::OptionKind::whole_number || axis.kind == sim::OptionKind::number;
  for (std::string& text : texts) {
    char* rest = nullptr;
    values.push_back(std::strtod(text.c_str(), &rest));
    numbers = numbers && *rest == '\0';
    if (axis.kind == sim::OptionKind::whole_number && *rest == '\0')
      text = report::thousands(std::llround(values.back()));
  }
  if (axis.kind == sim::OptionKind::flag) {
    for (std::string& text : texts) text = text == "1" ? "yes" : "no";
  }
  Kind kind = multiply(values) ? Kind::logarithmic : Kind::linear;
  if (!numbers) {
    kind = Kind::words;
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<double>(n);
  }
  auto [least, most] = std::minmax_element(values.begin(), values.end());
  double low = *least, high = *most;
  if (low == high) {  // a single value is centred
    low -= 1;
    high += 1;
  }
  constexpr double margin = 14;
  ChartAxis made(kind, low, high, begin + margin, end - margin);
  made.take_values(values, texts);
  return made;
}

ChartAxis axis_of_numbers(const std::vector<double>& values, bool prefers_logarithmic, double unit, double begin,
                          double end) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const bool logarithmic = *least > 0 && (prefers_logarithmic || *most > 200 * *least);
  const double high = *most > 0 ? *most * (logarithmic ? 1.3 : 1.06) : unit;
  if (!logarithmic) {
    ChartAxis axis(Kind::linear, std::min(0.0, *least), high, begin, end);
    std::vector<double> ticks = steps_to(high / unit);
    for (double& tick : ticks) tick *= unit;
    axis.take_ticks(ticks);
    return axis;
  }
  const double low = std::min(*least / 1.3, high / 10);
  ChartAxis axis(Kind::logarithmic, low, high, begin, end);
  std::vector<double> ticks = round_numbers(low / unit, high / unit);
  for (double& tick : ticks) tick *= unit;
  axis.take_ticks(ticks);
  return axis;
}

}  // namespace terminal
