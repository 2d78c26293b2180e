// CTAs are never processed one by one: SMs that start equal CTAs at the same moment are one Resident, a range of SMs,
// and a range is one step. The queue of residents is sorted by end; its front gives the next moment when slots become
// free.
//
// Example: four SMs of one slot, six CTAs A of 4 cycles, then four CTAs B of 2.
//
//   cycle   0   4 6 8
//   SM 0    AAAAAAAA      step 1, at 0: all slots are free, and a whole wave of A fits: skip_waves() takes [0, 4)
//   SM 1    AAAAAAAA      step 2, at 4: [0, 4) is free, and two A are left: fill() takes [0, 2)
//   SM 2    AAAABBBB      step 3, at 4: the rest of the free slots is [2, 4): two B, until 6
//   SM 3    AAAABBBB      step 4, at 6: [2, 4) again, two B, until 8
//
// Ten CTAs take four steps; 4,000 more CTAs A still take four, because skip_waves() handles any number of waves at
// once.
// Cost: a step is O(1) if CTAs end in the order in which they began; otherwise elements of the queue move, on its
// shorter side. skip_waves(), shift() and resembles() are O(residents).
#include "sim/machine/issue.h"

#include <algorithm>
#include <cmath>

namespace sim {
namespace {

/// Appends a range of SMs that follows all ranges since index `begin`; adjacent ranges are merged.
void append(std::vector<SmRange>& ranges, std::size_t begin, SmRange range) {
  if (ranges.size() > begin && ranges.back().end == range.first) {
    ranges.back().end = range.end;
  } else {
    ranges.push_back(range);
  }
}

/// Orders slots if some SMs have several free ones: SMs with the most free slots (the fewest residents) first.
std::vector<SmRange> emptiest_first(const std::vector<SmRange>& freed) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;  // SM, change in the number of free slots
  for (const SmRange& range : freed) {
    edges.emplace_back(range.first, 1);
    edges.emplace_back(range.end, -1);
  }
  std::sort(edges.begin(), edges.end());
  std::vector<std::int32_t> depths;  // free slots of each SM between one edge and the next
  std::int32_t depth = 0;
  for (const auto& edge : edges) depths.push_back(depth += edge.second);
  std::vector<SmRange> ordered;
  for (std::int32_t level = *std::max_element(depths.begin(), depths.end()); level > 0; --level) {
    const std::size_t begin = ordered.size();
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      const SmRange range{edges[i].first, edges[i + 1].first};
      if (depths[i] >= level && range.first < range.end) append(ordered, begin, range);
    }
  }
  return ordered;
}

/// Sorts slots that become free at one moment into the order in which they are filled.
std::vector<SmRange> in_issue_order(std::vector<SmRange> freed) {
  if (freed.size() == 1) return freed;
  std::sort(freed.begin(), freed.end(), [](SmRange a, SmRange b) { return a.first < b.first; });
  const auto share_sms = [](SmRange a, SmRange b) { return b.first < a.end; };
  if (std::adjacent_find(freed.begin(), freed.end(), share_sms) != freed.end()) return emptiest_first(freed);
  std::vector<SmRange> joined;
  for (const SmRange range : freed) append(joined, 0, range);
  return joined;
}

}  // namespace

void EndQueue::push(const Resident& resident) {
  const auto later = [](const Resident& a, const Resident& b) { return a.end < b.end; };
  if (empty() || back().end <= resident.end) {
    if (line_.size() == line_.capacity() && first_ > 0) {
      line_.erase(line_.begin(), begin());
      first_ = 0;
      line_.reserve(4 * line_.size());
    }
    line_.push_back(resident);
    return;
  }
  const auto at = std::upper_bound(begin(), end(), resident, later);
  if (first_ == 0 || at - begin() > end() - at) {
    line_.insert(at, resident);
    return;
  }
  *std::move(begin(), at, begin() - 1) = resident;
  --first_;
}

Issue::Issue(const std::vector<Cycles>& durations, const SmSlots& slots, std::int64_t picture)
    : slowdown_(slots.slowdown),
      bandwidth_(slots.bandwidth),
      slots_(slots.count()),
      begins_(durations.size(), -1),
      ends_(durations.size(), 0),
      picture_(static_cast<std::size_t>(picture)) {
  for (const Cycles duration : durations) works_.push_back(duration.count());
  const SmRange all{0, static_cast<std::int32_t>(slots.sm_count)};
  for (std::int64_t slot = 0; slot < slots.ctas_per_sm(); ++slot) residents_.push({0, all, -1});
}

void Issue::issue(std::size_t run, std::int64_t count) {
  in_flight_ = std::min(slots_, in_flight_ + count);
  while (count > 0) {
    if (next_free_ == free_.size()) {
      if (count >= slots_) count -= skip_waves(run, count);
      if (count > 0) wait_for_slots();
    } else {
      count -= fill(run, count);
    }
  }
}

void Issue::shift(std::int64_t ticks) {
  for (Resident& resident : residents_) resident.end += ticks;
  for (std::int64_t& end : ends_) end += ticks;
  now_ += ticks;
}

IssueState Issue::state() const {
  return {{residents_.begin(), residents_.end()}, {free_.begin() + next(), free_.end()}, now_};
}

bool Issue::resembles(const IssueState& other) const {
  const auto same = [&](const Resident& a, const Resident& b) {
    return a.end - now_ == b.end - other.now && a.sms == b.sms && a.run == b.run;
  };
  return std::equal(free_.begin() + next(), free_.end(), other.free.begin(), other.free.end()) &&
         std::equal(residents_.begin(), residents_.end(), other.residents.begin(), other.residents.end(), same);
}

std::int64_t Issue::skip_waves(std::size_t run, std::int64_t count) {
  const std::int64_t work = works_[run], first = residents_.front().end;
  if (residents_.back().end - first >= work) return 0;
  const std::int64_t waves = count / slots_;
  if (begins_[run] < 0) begins_[run] = first;
  for (Resident& resident : residents_) {
    const std::int64_t begin = resident.end;
    leave(resident);
    resident.run = static_cast<std::int32_t>(run);
    resident.end = begin + (waves - 1) * work;
    if (waves > 1) leave(resident, begin, waves - 1);
    resident.end += work;
  }
  now_ = residents_.back().end - work;
  ++steps_;
  return waves * slots_;
}

void Issue::wait_for_slots() {
  now_ = residents_.front().end;
  free_.clear();
  next_free_ = 0;
  for (; !residents_.empty() && residents_.front().end == now_; residents_.pop()) {
    leave(residents_.front());
    free_.push_back(residents_.front().sms);
  }
  free_ = in_issue_order(std::move(free_));
}

std::int64_t Issue::fill(std::size_t run, std::int64_t count) {
  SmRange& range = free_[next_free_];
  const auto taken = static_cast<std::int32_t>(std::min<std::int64_t>(count, range.end - range.first));
  residents_.push({now_ + works_[run], {range.first, range.first + taken}, static_cast<std::int32_t>(run)});
  range.first += taken;
  next_free_ += range.first == range.end;
  if (begins_[run] < 0) begins_[run] = now_;
  ++steps_;
  return taken;
}

void Issue::leave(const Resident& resident) {
  if (resident.run >= 0) leave(resident, resident.end - works_[static_cast<std::size_t>(resident.run)], 1);
}

void Issue::leave(const Resident& resident, std::int64_t begin, std::int64_t back_to_back) {
  const auto run = static_cast<std::size_t>(resident.run);
  ends_[run] = std::max(ends_[run], resident.end);
  if (residencies_.size() >= picture_) return;
  residencies_.push_back(
      {resident.sms.first, resident.sms.end, resident.run, back_to_back, real(begin), real(resident.end)});
}

std::vector<std::pair<SmRange, std::vector<Resident>>> Issue::last_residents() const {
  std::vector<std::int32_t> edges;
  for (const Resident& resident : residents_) edges.insert(edges.end(), {resident.sms.first, resident.sms.end});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<std::pair<SmRange, std::vector<Resident>>> held;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) held.push_back({{edges[i], edges[i + 1]}, {}});
  for (const Resident& resident : residents_) {
    if (resident.run < 0) continue;  // a slot that was never used
    auto at = std::lower_bound(edges.begin(), edges.end(), resident.sms.first) - edges.begin();
    for (; edges[static_cast<std::size_t>(at)] < resident.sms.end; ++at) {
      held[static_cast<std::size_t>(at)].second.push_back(resident);
    }
  }
  return held;
}

Cycles Issue::real(std::int64_t work) const {
  return Cycles(std::llround(static_cast<double>(work) * slowdown(slowdown_.size())));
}

std::vector<DrainTime> Issue::drain_times() const {
  double left = 0;
  for (const Resident& resident : residents_) left += resident.run < 0 ? 0 : resident.sms.end - resident.sms.first;
  std::vector<DrainTime> times{{now_, std::vector<double>(slowdown_.size())}};
  for (const Resident& resident : residents_) {
    if (resident.run < 0) continue;
    if (resident.end > times.back().work) {
      const auto work = static_cast<double>(resident.end - times.back().work);
      DrainTime next{resident.end, times.back().by_neighbours};
      for (std::size_t r = 1; r <= slowdown_.size(); ++r) {
        next.by_neighbours[r - 1] += work * slowdown(r) * bandwidth_.time(left / static_cast<double>(in_flight_), r);
      }
      times.push_back(std::move(next));
    }
    left -= resident.sms.end - resident.sms.first;
  }
  return times;
}

double Issue::empty(SmRange sms, const std::vector<Resident>& residents, const std::vector<DrainTime>& drain,
                    double& busy, Waves& waves) {
  double time = 0;
  auto before = drain.begin();
  for (std::size_t i = 0; i < residents.size(); ++i) {
    const Resident& resident = residents[i];
    const std::size_t left = residents.size() - i;
    const auto ends_before = [](const DrainTime& moment, std::int64_t end) { return moment.work < end; };
    const auto at = std::lower_bound(before, drain.end(), resident.end, ends_before);
    const double stretch = at->by_neighbours[left - 1] - before->by_neighbours[left - 1];
    time += stretch;
    busy += stretch * static_cast<double>(left) * (sms.end - sms.first);
    before = at;
    const auto run = static_cast<std::size_t>(resident.run);
    const Cycles end(std::llround(static_cast<double>(now_) * slowdown(slowdown_.size()) + time));
    waves.runs[run].end = std::max(waves.runs[run].end, end);
    waves.makespan = std::max(waves.makespan, end);
    if (residencies_.size() < picture_)
      residencies_.push_back({sms.first, sms.end, resident.run, 1, real(resident.end - works_[run]), end});
  }
  return time;
}

Waves Issue::finish(std::int64_t total) {
  const bool idle_already = next_free_ < free_.size();
  Waves waves;
  waves.tail_begin = real(idle_already ? now_ : residents_.front().end);
  for (std::size_t run = 0; run < works_.size(); ++run) waves.runs.push_back({real(begins_[run]), real(ends_[run])});
  std::int64_t left = 0;  // work of the residents
  for (const Resident& resident : residents_) left += (resident.end - now_) * (resident.sms.end - resident.sms.first);
  double busy = static_cast<double>(total - left) * slowdown(slowdown_.size()), longest = 0;
  const std::vector<DrainTime> drain = drain_times();
  for (const auto& [sms, residents] : last_residents())
    longest = std::max(longest, empty(sms, residents, drain, busy, waves));
  const double makespan = static_cast<double>(now_) * slowdown(slowdown_.size()) + longest;
  const double held = makespan * static_cast<double>(slots_), most = 4'611'686'018'427'387'904;  // 2^62
  require(held <= most, "a grid holds ", slots_, " slots for ", makespan,
          " ticks of 1/256 cycle: allowed are 2^62 in all");
  waves.busy = Cycles(std::llround(busy));
  waves.tail_idle = Cycles(std::max(0LL, std::llround(held - busy)));
  waves.residencies = std::move(residencies_);
  return waves;
}

}  // namespace sim
