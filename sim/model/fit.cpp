#include "sim/model/fit.h"

#include <algorithm>
#include <cmath>

#include "sim/model/simulation.h"

namespace sim {
namespace {

double simulated(const PublishedPoint& point, const TimingConstants& constants) {
  Scenario scenario = scenario_of(point);
  scenario.constants = constants;
  return simulate(scenario).microseconds;
}

double log_error(const std::vector<const PublishedPoint*>& points, const TimingConstants& constants,
                 const TimePredictor& predictor) {
  double sum = 0;
  for (const PublishedPoint* p : points) {
    sum += std::abs(std::log(predictor(*p, constants) / published_microseconds(*p).value()));
  }
  return sum / static_cast<double>(points.size());
}

/// Maps constants to a point of the unit cube.
std::vector<double> to_cube(const TimingConstants& constants) {
  std::vector<double> cube;
  for (const FittedConstant& c : fitted_constants()) {
    cube.push_back(std::clamp((constants.*c.value - c.low) / (c.high - c.low), 0.0, 1.0));
  }
  return cube;
}

TimingConstants from_cube(const std::vector<double>& cube, TimingConstants constants) {
  for (std::size_t n = 0; n < cube.size(); ++n) {
    const FittedConstant& c = fitted_constants()[n];
    constants.*c.value = c.low + cube[n] * (c.high - c.low);
  }
  return constants;
}

/// The state of a pattern search.
class PatternSearch {
 public:
  PatternSearch(const std::function<double(const std::vector<double>&)>& f, std::vector<double> start)
      : f_(f), best_{std::move(start), 0, 0} {
    best_.value = value(best_.at);
  }

  Minimum run(double least_step) {
    for (double step = 0.25; step >= least_step; step /= 2) {
      while (improve(step)) {
      }
    }
    return best_;
  }

 private:
  double value(const std::vector<double>& at) {
    ++best_.evaluations;
    return f_(at);
  }

  /// Accepts `at` if it is better by more than rounding.
  bool take(const std::vector<double>& at) {
    const double found = value(at);
    if (!(found < best_.value - 1e-12)) return false;
    best_.at = at;
    best_.value = found;
    return true;
  }

  /// Tries a step along each axis, then repeats the whole move while it helps.
  bool improve(double step) {
    const std::vector<double> before = best_.at;
    for (std::size_t axis = 0; axis < before.size(); ++axis) {
      for (const double change : {step, -step}) {
        std::vector<double> at = best_.at;
        at[axis] = std::clamp(at[axis] + change, 0.0, 1.0);
        if (at[axis] != best_.at[axis] && take(at)) break;
      }
    }
    if (best_.at == before) return false;
    std::vector<double> further = best_.at;
    do {
      for (std::size_t axis = 0; axis < before.size(); ++axis) {
        further[axis] = std::clamp(best_.at[axis] + (best_.at[axis] - before[axis]), 0.0, 1.0);
      }
    } while (further != best_.at && take(further));
    return true;
  }

  const std::function<double(const std::vector<double>&)>& f_;
  Minimum best_;
};

}  // namespace

Minimum minimise(const std::function<double(const std::vector<double>&)>& f, std::vector<double> start,
                 double least_step) {
  return PatternSearch(f, std::move(start)).run(least_step);
}

Fit fit_constants(const std::vector<const PublishedPoint*>& points, const TimingConstants& start,
                  const TimePredictor& predictor) {
  require(!points.empty(), "fit: no points to fit to");
  const TimePredictor predict_time = predictor ? predictor : TimePredictor(simulated);
  const auto error = [&](const std::vector<double>& cube) {
    return log_error(points, from_cube(cube, start), predict_time);
  };
  const Minimum minimum = minimise(error, to_cube(start));
  return {from_cube(minimum.at, start), minimum.value, minimum.evaluations};
}

}  // namespace sim
