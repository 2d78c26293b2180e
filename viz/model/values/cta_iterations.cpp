#include "viz/model/values/cta_iterations.h"

#include <algorithm>
#include <limits>

#include "sim/trace/dependence.h"

namespace explorer {
namespace {

/// Merges consecutive iterations into ranges.
std::vector<sim::Interval> ranges_of(const std::set<std::int64_t>& iterations) {
  std::vector<sim::Interval> ranges;
  for (const std::int64_t iteration : iterations) {
    if (ranges.empty() || ranges.back().end < iteration) ranges.push_back({iteration, iteration});
    ranges.back().end = iteration + 1;
  }
  return ranges;
}

}  // namespace

CtaIterations::CtaIterations(const sim::Launch& launch, sim::Block row, sim::Block col)
    : launch_(&launch), row_(row), col_(col), ranges_{{0, std::numeric_limits<std::int64_t>::max()}} {}

CtaIterations::CtaIterations(const sim::Launch& launch, sim::Block row, sim::Block col,
                             const std::set<std::int64_t>& iterations)
    : launch_(&launch), row_(row), col_(col), ranges_(ranges_of(iterations)) {}

sim::CtaPart CtaIterations::next(sim::RowWindow& window, sim::KeepValues keep) {
  const sim::Interval range = ranges_[at_];
  keyframe_.iteration = std::max(keyframe_.iteration, range.begin);
  const std::int64_t begin = std::max<std::int64_t>(1, keyframe_.iteration);  // iteration 0 runs with the first
  const std::int64_t until = std::max(range.begin + 1, std::min(range.end, begin + at_once_));
  sim::CtaPart part = window.resume(*launch_, row_, col_, std::move(keyframe_), until, keep);
  const double per_iteration = part.nanoseconds / static_cast<double>(std::max<std::int64_t>(1, until - begin));
  at_once_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(ns_per_slice / 16 / per_iteration), 1, 256);
  if (!part.trace.roles.empty()) at_once_ = std::int64_t{1} << 40;  // each part would run from its start again
  if (until == range.end) ++at_;
  if (part.finished) at_ = ranges_.size();
  keyframe_ = std::move(part.next);
  return part;
}

sim::CtaPart CtaIterations::last(sim::RowWindow& window, sim::Interval iterations) {
  keyframe_.iteration = iterations.begin;
  return window.resume(*launch_, row_, col_, std::move(keyframe_), iterations.end, sim::KeepValues::all);
}

std::set<std::int64_t> iterations_before(const sim::Trace& outline, const Visit& visit) {
  std::set<std::int64_t> iterations = sim::iterations_behind(outline, events_of(outline, visit));
  iterations.erase(iterations.lower_bound(visit.iterations.begin), iterations.end());
  return iterations;
}

}  // namespace explorer
