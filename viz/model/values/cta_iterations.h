// Some iterations of a CTA on a few rows, run in slices.
#pragma once
#include <set>
#include <vector>

#include "sim/programs/row_window.h"
#include "viz/model/task.h"
#include "viz/model/values/kernel_values.h"

namespace explorer {

class CtaIterations {
 public:
  /// All iterations.
  CtaIterations(const sim::Launch& launch, sim::Block row, sim::Block col);
  /// Some iterations, as if those between had been run.
  CtaIterations(const sim::Launch& launch, sim::Block row, sim::Block col, const std::set<std::int64_t>& iterations);

  const sim::Launch& launch() const { return *launch_; }
  bool done() const { return at_ == ranges_.size(); }
  /// Runs the next few iterations: less than a slice, or one.
  sim::CtaPart next(sim::RowWindow& window, sim::KeepValues keep);
  /// Runs the given iterations after those at once, with all values.
  sim::CtaPart last(sim::RowWindow& window, sim::Interval iterations);

 private:
  const sim::Launch* launch_;
  sim::Block row_, col_;
  std::vector<sim::Interval> ranges_;
  std::size_t at_ = 0;
  std::int64_t at_once_ = 1;
  sim::Keyframe keyframe_;
};

/// The iterations that a visit of a kernel's tile depends on, without its own.
std::set<std::int64_t> iterations_before(const sim::Trace& outline, const Visit& visit);

}  // namespace explorer
