// The model against published times: predictions and their errors by group.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/accuracy.h"
#include "sim/model/published.h"

namespace sim {

/// One published number and the model's prediction: microseconds, or the factor of a speed-up.
struct Prediction {
  const PublishedPoint* point = nullptr;
  double published = 0, predicted = 0;
  std::string bound_by;
  std::string skipped;  ///< reason why there is no prediction; "" if there is one
  bool made() const { return skipped.empty(); }
  double error() const { return predicted / published - 1; }  ///< 0.1: predicted 10 % too long
};

/// Simulates one point. A point that cannot run here is skipped with its reason.
Prediction prediction_of(const PublishedPoint& point, const TimingConstants& constants);

/// Mean |error|, mean error and the worst of some predictions, as fractions.
struct ErrorSummary {
  std::int64_t points = 0, skipped = 0;
  double mean_error = 0, bias = 0;
  const Prediction* worst = nullptr;     ///< the largest |error|, the first on a tie; null without points
  const Prediction* no_point = nullptr;  ///< the first that was skipped
};
ErrorSummary summary_of(const std::vector<const Prediction*>& predictions);

/// Predictions by a name that their points have in common, in the order in which the names come first.
template <class NameOf>
auto grouped(const std::vector<const Prediction*>& predictions, const NameOf& name_of_point) {
  using Name = decltype(name_of_point(std::declval<const PublishedPoint&>()));
  std::vector<std::pair<Name, std::vector<const Prediction*>>> result;
  for (const Prediction* p : predictions) {
    const Name name = name_of_point(*p->point);
    auto found = std::find_if(result.begin(), result.end(), [&](const auto& entry) { return entry.first == name; });
    if (found == result.end()) found = result.insert(result.end(), {name, {}});
    found->second.push_back(p);
  }
  return result;
}

/// Input of a validation: all groups or one, the constants, and the GPU that they were fitted on.
struct ValidationChoice {
  std::optional<std::string> group;
  TimingConstants constants;
  std::string fitted_on = std::string(sim::fitted_on);
  std::span<const PublishedPoint> recorded =
      {};                           ///< points added to the published ones; they must outlive the validation
  bool fitted_to_recorded = false;  ///< the constants have seen those of them that are for_fit; else FittedTimes
};

/// The errors of one algorithm in one group.
struct GroupErrors {
  std::string group, gpu, algorithm;
  bool fitted = false;  ///< the constants have seen these points, else none of them
  ErrorSummary errors;
  Standing standing = Standing::score;
};

/// The errors of held-out points on one GPU, or on all (gpu is ""): published by others, or recorded with FlashScope.
struct HeldOutErrors {
  bool recorded = false;
  std::string gpu;
  ErrorSummary errors;
};

struct Validation {
  ValidationChoice choice;
  std::vector<Prediction> predictions;  ///< one per point of the choice, in the order of the tables
  bool fitted(const PublishedPoint& point) const;
  std::vector<const Prediction*> with(Standing standing) const;
  std::vector<GroupErrors> groups() const;        ///< errors of scored points, in the order of the tables
  std::vector<GroupErrors> not_scored() const;    ///< errors of all other points, in the order of the tables
  std::vector<HeldOutErrors> held_out() const;    ///< scored ones: published, by GPU and all, then recorded
  ErrorSummary all_of(bool fitted_points) const;  ///< error of all fitted, or all held out, scored points
};

/// Simulates every point of the choice, published ones first. Throws Error for an unknown group. About 1 ms a point.
Validation validate(const ValidationChoice& choice = {});

/// The table that accuracy_of reads: a row for each group, algorithm, pass, mask, dropout or none, and heads that share
/// K and V or none, of scored points.
std::vector<AccuracyRow> accuracy_rows(const Validation& validation);

}  // namespace sim
