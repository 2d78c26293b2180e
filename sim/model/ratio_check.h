// Ratios of published times compared with ratios of predicted ones, for sources whose absolute times are not reliable.
#pragma once
#include <string>
#include <vector>

#include "sim/model/validation.h"

namespace sim {

/// A ratio of two published times, which needs no absolute scale: of one algorithm between two sequence lengths, or of
/// standard attention to another algorithm.
struct RatioCheck {
  const PublishedPoint* point = nullptr;  ///< the longer sequence; the algorithm that is not standard
  bool between_lengths = false;
  double published = 0, predicted = 0;
  double error() const { return predicted / published - 1; }
};

struct RatioErrors {
  std::string group, gpu, algorithm;
  bool between_lengths = false;
  std::int64_t ratios = 0;
  double mean_error = 0, bias = 0;
  RatioCheck worst;
};

/// Returns the ratios that predictions with the standing `ratio` allow: each length to the next shorter one of its
/// series, standard attention to each other algorithm, published speed-ups, and shares of several GPUs.
std::vector<RatioCheck> ratio_checks(const std::vector<const Prediction*>& predictions);

/// Returns the errors of these ratios by group, algorithm and kind of ratio, for the points with the standing `ratio`.
std::vector<RatioErrors> ratio_errors(const Validation& validation);

/// Returns why the absolute value of a point with the standing `ratio` is not scored.
std::string why_ratio_only(const PublishedPoint& point);

}  // namespace sim
