#include "viz/model/values/cta_turns.h"

#include <algorithm>
#include <limits>

#include "sim/trace/dependence.h"

namespace explorer {
namespace {

/// Ranges from a turn that runs to one that does not.
std::vector<sim::Interval> ranges_of(const std::set<std::int64_t>& turns) {
  std::vector<sim::Interval> ranges;
  for (const std::int64_t turn : turns) {
    if (ranges.empty() || ranges.back().end < turn) ranges.push_back({turn, turn});
    ranges.back().end = turn + 1;
  }
  return ranges;
}

}  // namespace

CtaTurns::CtaTurns(const sim::Launch& launch, sim::Block row, sim::Block col)
    : launch_(&launch), row_(row), col_(col), ranges_{{0, std::numeric_limits<std::int64_t>::max()}} {}

CtaTurns::CtaTurns(const sim::Launch& launch, sim::Block row, sim::Block col, const std::set<std::int64_t>& turns)
    : launch_(&launch), row_(row), col_(col), ranges_(ranges_of(turns)) {}

sim::CtaPart CtaTurns::next(sim::RowWindow& window, sim::KeepValues keep) {
  const sim::Interval range = ranges_[at_];
  keyframe_.turn = std::max(keyframe_.turn, range.begin);
  const std::int64_t begin = std::max<std::int64_t>(1, keyframe_.turn);  // the start runs with the first turn
  const std::int64_t until = std::max(range.begin + 1, std::min(range.end, begin + at_once_));
  sim::CtaPart part = window.resume(*launch_, row_, col_, std::move(keyframe_), until, keep);
  const double per_turn = part.nanoseconds / static_cast<double>(std::max<std::int64_t>(1, until - begin));
  at_once_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(ns_per_slice / 16 / per_turn), 1, 256);
  if (until == range.end) ++at_;
  if (part.finished) at_ = ranges_.size();
  keyframe_ = std::move(part.next);
  return part;
}

sim::CtaPart CtaTurns::last(sim::RowWindow& window, sim::Interval turns) {
  keyframe_.turn = turns.begin;
  return window.resume(*launch_, row_, col_, std::move(keyframe_), turns.end, sim::KeepValues::all);
}

std::set<std::int64_t> turns_before(const sim::Trace& outline, const Visit& visit) {
  std::set<std::int64_t> turns = sim::turns_behind(outline, events_of(outline, visit));
  turns.erase(turns.lower_bound(visit.turns.begin), turns.end());
  return turns;
}

}  // namespace explorer
