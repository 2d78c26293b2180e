// Fits the constants of the timing model to published times.
#pragma once
#include <functional>
#include <vector>

#include "sim/model/published.h"

namespace sim {

/// Predicts the time of a point, in microseconds.
using TimePredictor = std::function<double(const PublishedPoint&, const TimingConstants&)>;

struct Fit {
  TimingConstants constants;
  double log_error = 0;          ///< remaining mean |log(predicted / published)|
  std::int64_t evaluations = 0;  ///< evaluations of this mean
};

/// Returns the constants, within the bounds of fitted_constants(), that minimise the mean |log(predicted / published)|
/// of the points: a factor too long counts as much as the same factor too short. Starts from the given ones. Throws
/// Error without points. `predictor`: simulate() by default.
Fit fit_constants(const std::vector<const PublishedPoint*>& points, const TimingConstants& start,
                  const TimePredictor& predictor = {});

/// Smallest value of a function that a search found, and its position.
struct Minimum {
  std::vector<double> at;
  double value = 0;
  std::int64_t evaluations = 0;
};

/// Finds a minimum of f over the unit cube, near `start`. Pattern search (Hooke and Jeeves 1961, Direct search): tries
/// a step up and down each axis, keeps improvements, repeats the whole move while that helps, and halves the step if
/// nothing does. Needs no derivative, so |log| may have corners. Deterministic; ends when the step falls below
/// `least_step`.
Minimum minimise(const std::function<double(const std::vector<double>&)>& f, std::vector<double> start,
                 double least_step = 1.0 / 1024);

}  // namespace sim
