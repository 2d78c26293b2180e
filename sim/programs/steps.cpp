#include "sim/programs/steps.h"

#include <algorithm>

namespace sim {
namespace {

/// True if the query of a step sees every key.
bool sees_all_keys(const Mask& mask) {
  const bool first_key_alone = mask.causal && mask.diagonal == DiagonalFrom::top_left;
  return !mask.window && !mask.window_right && mask.padding == 0 && !first_key_alone;
}

/// A step by its number of keys, and the steps that it stands for.
struct AlikeSteps {
  std::int64_t keys = 0, times = 0;
};

/// Numbers by which the counts of two steps differ in another way than by their keys, pages and key blocks.
std::vector<std::int64_t> parts_of_grid(const Plan& step) {
  std::vector<std::int64_t> numbers = {step.problem.parts};
  for (const Launch& launch : step.launches) {
    numbers.push_back(launch.grid.key_blocks());
    if (launch.grid.is_split()) numbers.push_back(live_splits(step.problem.shape, launch.grid, 0).size());
  }
  return numbers;
}

/// Calls visit(n, times) for terms of an arithmetic progression whose weighted sum is that of all.
template <class Visit>
void progression(Interval all, Visit visit) {
  const std::int64_t half = all.size() / 2;
  if (half > 0) {
    visit(all.begin, half);
    visit(all.end - 1, half);
  }
  if (all.size() % 2 != 0) visit(all.begin + half, 1);
}

/// Finds the steps whose counts stand for those of all.
class StepGroups {
 public:
  explicit StepGroups(const Plan& plan) : plan_(plan) {
    const Problem& problem = plan.problem;
    if (problem.paged() && problem.pages->rows < problem.tiling.bc) units_.insert(units_.begin(), problem.pages->rows);
    const Scenario& s = plan.scenario;
    const Interval added{s.cached_keys(), s.shape.seqlen_k};  // a step ends with its key, counted from 0
    if (sees_all_keys(s.shape.mask)) {
      add_keys(added, units_.size(), 1);
    } else {
      for (std::int64_t key = added.begin; key < added.end; ++key) steps_.push_back({key + 1, 1});
    }
  }
  std::vector<AlikeSteps> in_order() && {
    std::sort(steps_.begin(), steps_.end(), [](const AlikeSteps& a, const AlikeSteps& b) { return a.keys < b.keys; });
    return std::move(steps_);
  }

 private:
  /// Adds keys, each `times`, by whole units of a level and by those of the level below it at both ends.
  void add_keys(Interval keys, std::size_t level, std::int64_t times) {
    if (keys.empty()) return;
    if (level == 0) {
      progression(keys, [&](std::int64_t key, std::int64_t n) { steps_.push_back({key + 1, n * times}); });
      return;
    }
    const std::int64_t unit = units_[level - 1];
    const Interval whole{ceil_div(keys.begin, unit), keys.end / unit};
    if (whole.begin > whole.end) return add_keys(keys, level - 1, times);
    add_keys({keys.begin, whole.begin * unit}, level - 1, times);
    if (level == units_.size()) add_runs(whole);
    if (level < units_.size()) add_units(whole, level, times);
    add_keys({whole.end * unit, keys.end}, level - 1, times);
  }
  void add_units(Interval whole, std::size_t level, std::int64_t times) {
    const std::int64_t unit = units_[level - 1];
    progression(whole, [&](std::int64_t n, std::int64_t alike) {
      add_keys({n * unit, (n + 1) * unit}, level - 1, checked_multiply(times, alike));
    });
  }
  /// Adds whole key blocks, cut where the parts change; they change in one direction, and never back.
  void add_runs(Interval blocks) {
    if (blocks.empty()) return;
    if (parts_at(blocks.begin) == parts_at(blocks.end - 1)) return add_units(blocks, units_.size(), 1);
    const std::int64_t middle = blocks.begin + blocks.size() / 2;
    add_runs({blocks.begin, middle});
    add_runs({middle, blocks.end});
  }
  std::vector<std::int64_t> parts_at(std::int64_t block) const {
    return parts_of_grid(with_keys(plan_, (block + 1) * units_.back()));
  }

  const Plan& plan_;
  std::vector<std::int64_t> units_{plan_.problem.tiling.bc};  ///< keys of a unit, each a multiple of the one before
  std::vector<AlikeSteps> steps_;
};

}  // namespace

void check_steps(const Scenario& s) {
  require(s.steps >= 1 && s.steps <= most_steps, "steps: ", s.steps, " is not in 1..", most_steps);
  require(s.cached_keys() >= 0, "steps: ", s.steps, " steps append more than the ", s.shape.seqlen_k,
          " keys of the last one");
  require(s.pass == Pass::forward, "steps: applies only to the forward pass: leave it out");
  require(s.sequences == nullptr, "steps: the entries of a batch have one length: leave out --seqlens");
  require(s.shape.seqlen_q == 1, "steps: a step has one query, not ", s.shape.seqlen_q, ": add --seqlen-q 1");
  require(s.shape.mask.documents == nullptr, "steps: documents have the keys of one step: leave out --documents");
  require(s.shape.mask.padding <= s.cached_keys() + 1, "steps: the first one has ", s.cached_keys() + 1,
          " keys, fewer than the ", s.shape.mask.padding, " of --padding");
  require(sees_all_keys(s.shape.mask) || s.steps <= most_masked_steps, "steps: ", s.steps,
          " under a mask that hides keys are counted one by one: use at most ", most_masked_steps);
}

void each_step(const Plan& plan, const std::function<void(const Plan&, std::int64_t)>& visit) {
  for (const AlikeSteps& step : StepGroups(plan).in_order()) visit(with_keys(plan, step.keys), step.times);
}

}  // namespace sim
