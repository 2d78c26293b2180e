#include "sim/machine/iteration_counter.h"

#include <algorithm>

#include "sim/machine/tile.h"

namespace sim {
namespace {

constexpr std::int32_t put_back_before = -2;

}  // namespace

Interval IterationCounter::wanted(std::int64_t count) const {
  const Interval all{now_ + 1, now_ + 1 + count};
  const Interval selected{of_role_ ? 0 : cut_->iterations.begin, cut_->iterations.end};
  const Interval some = over_ ? Interval{} : overlap(all, selected);
  return some.empty() ? Interval{} : Interval{some.begin - all.begin, some.end - all.begin};
}

void IterationCounter::enter(std::int64_t iteration) {
  now_ = iteration;
  if (std::exchange(entered_, true) || of_role_) return;
  for (const Held* held : this->held()) events_.push_back(held->event);
  if (cut_->from != nullptr) put_back();
}

void IterationCounter::leave(std::int64_t last) {
  if (over_) return;
  over_ = cut_->iterations.end <= last;
  now_ = over_ ? cut_->iterations.end - 1 : last;
  if (stops()) keep();
}

/// Returns the values that the body holds, oldest first.
std::vector<Held*> IterationCounter::held() const {
  std::vector<Held*> all;
  for (Held* held = space_->newest(); held != nullptr; held = held->before()) all.push_back(held);
  std::reverse(all.begin(), all.end());
  return all;
}

void IterationCounter::put_back() {
  const std::vector<Held*> now = held();
  for (std::size_t n = 0; n < std::min(now.size(), cut_->from->size()); ++n) {
    if ((*cut_->from)[n].empty()) continue;
    now[n]->values = std::move((*cut_->from)[n]);
    events_[n] = put_back_before;
  }
}

/// Keeps the values that the iterations wrote, in this run or an earlier one. Nothing more is computed, so they can be
/// moved out of the body.
void IterationCounter::keep() {
  const std::vector<Held*> now = held();
  for (std::size_t n = 0; n < now.size(); ++n) {
    const bool same = n < events_.size() && events_[n] == now[n]->event;
    carried_.push_back(same ? std::vector<float>{} : std::move(now[n]->values));
  }
}

}  // namespace sim
