// Fits the constants of the timing model to published times.
#pragma once
#include <functional>
#include <vector>

#include "sim/model/published.h"

namespace sim {

/// A predicted time of a point, in microseconds.
using TimePredictor = std::function<double(const PublishedPoint&, const TimingConstants&)>;

struct Fit {
  TimingConstants constants;
  double log_error = 0;          ///< mean |log(predicted / published)| that is left
  std::int64_t evaluations = 0;  ///< of this mean
};

/// The constants, within the bounds of fitted_constants(), that make the mean |log(predicted / published)| of the
/// points least: a factor too long counts as much as the same factor too short. Starts from the given ones. Throws
/// Error without points. `predictor`: simulate() unless given.
Fit fit_constants(const std::vector<const PublishedPoint*>& points, const TimingConstants& start,
                  const TimePredictor& predictor = {});

/// Where a function is least, as far as a search found.
struct Minimum {
  std::vector<double> at;
  double value = 0;
  std::int64_t evaluations = 0;
};

/// A minimum of f over the unit cube, near `start`. Pattern search (Hooke and Jeeves 1961, Direct search): tries a step
/// up and down each axis, keeps what is better, repeats the whole move while that helps, and halves the step where
/// nothing does. Needs no derivative, so |log| may have corners. Deterministic; ends when the step falls below
/// `least_step`.
Minimum minimise(const std::function<double(const std::vector<double>&)>& f, std::vector<double> start,
                 double least_step = 1.0 / 1024);

}  // namespace sim
