#include "sim/model/cta_time.h"

#include <algorithm>

namespace sim {
namespace {

constexpr std::size_t measured_tasks = 128;  // minimum per slot while the time of a CTA is measured

}  // namespace

CtaTime::CtaTime(SampledCta& cta, const SmPort& port, int residents) : cta_(cta), port_(port), residents_(residents) {}

double CtaTime::Sample::inner(double outer) const {
  return iterations.inner + std::max(0.0, outer - iterations.outer) * per_outer_inner;
}

Budget CtaTime::Sample::at(double outer, double inner_in_all) const {
  return Budget(budget)
      .add(per_outer, std::max(0.0, outer - iterations.outer))
      .add(per_inner, std::max(0.0, inner_in_all - inner(outer)));
}

namespace {

/// Tallies of an SM at both ends of ranges. A range ends when the first slot has ended its last task.
class TalliedRanges {
 public:
  TalliedRanges(const std::vector<Task>& tasks, const SmPort& port, int residents,
                const std::vector<EventRange>& ranges)
      : residents_(residents) {
    for (const EventRange& range : ranges) moments_.insert(moments_.end(), {range.begin, range.end});
    std::sort(moments_.begin(), moments_.end());
    moments_.erase(std::unique(moments_.begin(), moments_.end()), moments_.end());
    if (moments_.front() == 0) moments_.erase(moments_.begin());
    tallies_ = tally_sm(tasks, port, residents, moments_);
  }

  /// Returns the budget of a CTA for one of `units` equal pieces of a range; `work` is that of all of them.
  Budget per_unit(EventRange range, const ResourceCycles& work, double units) const {
    return budget_of_unit(at(range.begin), at(range.end), work, units, residents_);
  }

 private:
  SmTally at(std::size_t moment) const {
    const auto found = std::lower_bound(moments_.begin(), moments_.end(), moment);
    return moment == 0 ? SmTally{} : tallies_[static_cast<std::size_t>(found - moments_.begin())];
  }

  int residents_;
  std::vector<std::size_t> moments_;
  std::vector<SmTally> tallies_;
};

}  // namespace

CtaTime::Sample CtaTime::measured(const SampledReplay& replay) const {
  const std::vector<Task>& tasks = replay.tasks;
  Sample sample{replay.iterations, {}, {}, {}, 0, 0};
  if (tasks.empty()) {
    sample.budget[Cause::launch] = port_.turnover;
    return sample;
  }
  // A CTA alone takes the same time each time; several interleave differently each time: measure more of them.
  const std::size_t measured = residents_ == 1 ? 1 : std::max<std::size_t>(2, measured_tasks / tasks.size());
  const std::size_t before = (measured + 1) / 2;
  const EventRange ctas{tasks.size() * before, tasks.size() * (before + measured)};
  std::vector<EventRange> ranges = {ctas, replay.outer};
  for (const MiddleOfLoop& middle : replay.middles) ranges.push_back(middle.range);
  const TalliedRanges tallied(tasks, port_, residents_, ranges);

  sample.budget = tallied.per_unit(ctas, work_of(tasks, port_), 1);
  for (const MiddleOfLoop& middle : replay.middles) {
    const ResourceCycles work = work_of(middle.range.of(tasks), port_);
    sample.per_inner.add(tallied.per_unit(middle.range, work, middle.iterations), middle.of_loop / replay.outer_inner);
  }
  if (replay.middles.empty()) sample.per_inner.add(sample.budget, 1 / sample.iterations.inner);
  if (!cta_.nests()) return sample;
  sample.per_outer = tallied.per_unit(replay.outer, work_of(replay.outer.of(tasks), port_), 1);
  sample.per_outer_inner = replay.outer_inner;
  return sample;
}

namespace {

/// Time that `more` takes beyond `less`, in `parts` equal parts; a cause that gets shorter has none of it.
Budget growth(const Budget& more, const Budget& less, double parts) {
  Budget grown;
  for (const Cause cause : all_causes) grown[cause] = std::max(0.0, more[cause] - less[cause]);
  const double longer = std::max(0.0, more.total() - less.total()), all = grown.total();
  return Budget{}.add(grown, all > 0 ? longer / all / parts : 0);
}

constexpr int rounds = 3;  // rounds of a persistent CTA; the first one begins cold

}  // namespace

/// Measures a CTA of several roles from start to end, or if it is persistent a further part of the grid. A further
/// iteration takes the time that the second half of the sample's iterations adds to the first half.
CtaTime::Sample CtaTime::measured_roles(std::size_t n) {
  const SampledReplay& replay = cta_.sample(n);
  const RoleTasks tasks{replay.tasks, replay.barriers, replay.roles};
  const Budget once = run_sm_roles(tasks, port_, residents_).budget;
  Sample sample{replay.iterations, once, {}, {}, 0, 0};
  if (cta_.is_persistent()) {
    sample.budget = growth(run_sm_roles(tasks, port_, residents_, rounds).budget, once, rounds - 1);
    sample.startup = std::max(0.0, once.total() - sample.budget.total());
  }
  sample.budget[Cause::launch] += port_.turnover;
  const Sample* const half = n > 0 ? &this->sample(n - 1) : nullptr;
  const double more = sample.iterations.inner - (half == nullptr ? 0 : half->iterations.inner);
  if (more > 0) sample.per_inner = growth(sample.budget, half == nullptr ? Budget{} : half->budget, more);
  return sample;
}

double CtaTime::startup() const {
  double longest = 0;
  for (const std::optional<Sample>& sample : samples_) {
    if (sample) longest = std::max(longest, sample->startup);
  }
  return longest;
}

const CtaTime::Sample& CtaTime::sample(std::size_t n) {
  if (!samples_[n]) samples_[n] = cta_.sample(n).has_roles() ? measured_roles(n) : measured(cta_.sample(n));
  return *samples_[n];
}

Budget CtaTime::at(const Iterations& iterations) {
  const double each = iterations.inner / std::max(1.0, cta_.nests() ? iterations.outer : 1.0);
  std::size_t n = 0;  // the first sample with at least `each` iterations
  while (n + 1 < samples_.size() && static_cast<double>(std::size_t{1} << n) < each) ++n;
  while (n > 0 && sample(n - 1).inner(iterations.outer) >= iterations.inner) --n;
  const Sample& high = sample(n);
  const double most = high.inner(iterations.outer);
  if (n == 0 || iterations.inner >= most) return high.at(iterations.outer, iterations.inner);
  const Sample& low = sample(n - 1);
  const double least = low.inner(iterations.outer);
  const double part = most > least ? std::clamp((iterations.inner - least) / (most - least), 0.0, 1.0) : 1;
  return Budget{}.add(low.at(iterations.outer, least), 1 - part).add(high.at(iterations.outer, most), part);
}

}  // namespace sim
