// The fit recovers known constants, and keeps its start if nothing is better.
#include "sim/model/fit.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/check.h"

using namespace sim;

namespace {

/// A synthetic time: each constant, as a fraction of its range, affects a different length.
double made_up_time(const PublishedPoint& p, const TimingConstants& constants) {
  const double n = static_cast<double>(p.scenario.shape.seqlen_q), d = static_cast<double>(p.scenario.shape.head_dim);
  double time = 0.1 * d, exponent = 0;
  for (const FittedConstant& c : fitted_constants()) {
    const double part = (constants.*c.value - c.low) / (c.high - c.low);
    time += 10 * part * std::pow(n / 1024, exponent);
    exponent += 1;
  }
  return time;
}

/// Every constant at the same fraction of its range.
TimingConstants at(double fraction) {
  TimingConstants constants;
  for (const FittedConstant& c : fitted_constants()) constants.*c.value = c.low + fraction * (c.high - c.low);
  return constants;
}

/// Points whose published times are exactly the synthetic ones.
std::vector<PublishedPoint> points_at(const TimingConstants& truth) {
  std::vector<PublishedPoint> points;
  for (const std::int64_t n : {128, 512, 1024, 2048, 8192, 16384}) {
    for (const std::int64_t d : {64, 128, 256}) {
      PublishedPoint p;
      p.scenario.shape.seqlen_q = p.scenario.shape.seqlen_k = n;
      p.scenario.shape.head_dim = d;
      p.quantity = Published::milliseconds;
      p.value = made_up_time(p, truth) * 1e-3;
      points.push_back(p);
    }
  }
  return points;
}

}  // namespace

TEST_CASE("the fit recovers the constants that generated the times") {
  TimingConstants truth;
  double fraction = 0.25;
  for (const FittedConstant& c : fitted_constants()) {
    truth.*c.value = c.low + fraction * (c.high - c.low);
    fraction = 0.9 - fraction / 2;
  }
  const std::vector<PublishedPoint> points = points_at(truth);
  std::vector<const PublishedPoint*> pointers;
  for (const PublishedPoint& p : points) pointers.push_back(&p);
  const Fit fit = fit_constants(pointers, at(0.5), made_up_time);
  CHECK(fit.log_error < 0.02);
  CHECK(fit.evaluations < 5000);
  const Fit again = fit_constants(pointers, at(0.5), made_up_time);
  for (const FittedConstant& c : fitted_constants()) {
    CAPTURE(c.name);
    CHECK(fit.constants.*c.value >= c.low);
    CHECK(fit.constants.*c.value <= c.high);
    CHECK(fit.constants.*c.value == again.constants.*c.value);
  }
}

TEST_CASE("the fit returns its start when no constant matters") {
  const std::vector<PublishedPoint> points = points_at(at(0.5));
  const TimingConstants start = at(0.3);
  const Fit fit = fit_constants({&points[0]}, start, [](const PublishedPoint&, const TimingConstants&) { return 1.0; });
  for (const FittedConstant& c : fitted_constants()) CHECK(fit.constants.*c.value == Approx(start.*c.value));
  CHECK_THROWS_WITH(fit_constants({}, start), "fit: no points to fit to");
}

TEST_CASE("pattern search follows a bent valley and stops at the walls of the cube") {
  const auto valley = [](const std::vector<double>& x) {
    return std::abs(x[1] - x[0] * x[0]) + 0.1 * std::abs(x[0] - 0.8);
  };
  CHECK(minimise(valley, {0.1, 0.9}).value < 0.05);
  const auto slope = [](const std::vector<double>& x) { return x[0] - x[1]; };
  CHECK(minimise(slope, {0.3, 0.4}).at == std::vector<double>{0, 1});
}

TEST_CASE("no fit gives a kernel more than the peak bandwidth") {
  for (const FittedConstant& c : fitted_constants()) {
    if (c.value == &TimingConstants::framework_efficiency) CHECK(c.high == 1);
    if (c.value == &TimingConstants::instruction_overhead) CHECK(c.low == 1);  // every computing instruction is issued
  }
}
