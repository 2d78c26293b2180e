#include "sim/model/cta_time.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/programs/launch_cta.h"

namespace sim {
namespace {

constexpr std::array<std::size_t, 4> sampled_iterations = {1, 2, 4, 8};
constexpr int rounds = 3;

bool is_product(const Event& event) { return event.matmul_flops > 0; }

/// After which task a copy is issued: the last reader of the tile whose place it takes, or the last work before it.
class CopyTriggers {
 public:
  explicit CopyTriggers(bool prefetches) : prefetches_(prefetches) { last_reader_.fill(-1); }
  std::int32_t of_load(const Event& load) const {
    return prefetches_ ? last_reader_[static_cast<std::size_t>(load.tensor)] : last_work_;
  }
  void note(const std::vector<Event>& events, std::size_t n) {
    last_work_ = static_cast<std::int32_t>(n);
    for (const std::int32_t operand : events[n].operands) {
      if (operand == no_event) continue;
      const Event& from = events[static_cast<std::size_t>(operand)];
      if (from.engine == Engine::copy_in) last_reader_[static_cast<std::size_t>(from.tensor)] = last_work_;
    }
  }

 private:
  bool prefetches_;
  std::array<std::int32_t, tensor_count> last_reader_{};
  std::int32_t last_work_ = -1;
};

bool is_nested(const Trace& trace) {
  return std::any_of(trace.events.begin(), trace.events.end(),
                     [](const Event& e) { return e.rows.origin > Origin::loop0 || e.cols.origin > Origin::loop0; });
}

/// Of the parts of the keys that a row block sees, one in the middle is whole.
CtaPlace busiest_split(const Shape& shape, GridShape grid) {
  CtaPlace place;
  std::int64_t most = -1;
  for (std::int64_t i = 0; i < grid.cta_rows(shape).count(); ++i) {
    const Interval seen = live_splits(shape, grid, i);
    for (const std::int64_t s : {seen.begin, seen.begin + 1, seen.end - 1}) {
      const std::int64_t tiles = overlap(seen, {s, s + 1}).empty() ? 0 : visit_split(shape, grid, i, s).live.size();
      if (tiles <= most) continue;
      most = tiles;
      place.row = i;
      place.col = std::max<std::int64_t>(0, s);
    }
  }
  return place;
}

}  // namespace

CtaPlace busiest_cta(const Shape& shape, GridShape grid) {
  const GridAxes axes = grid_axes(shape, grid);
  CtaPlace place;
  if (!grid.skips || grid.of_heads() || grid.of_tiles()) return place;
  if (grid.is_split()) return busiest_split(shape, grid);
  std::int64_t most = -1;
  const std::int64_t count = grid.cuts_rows() ? axes.rows.count() : axes.cols.count();
  for (std::int64_t n = 0; n < count; ++n) {
    const std::int64_t iterations =
        (grid.cuts_rows() ? visit_keys(shape, grid, n) : visit_queries(shape, grid, n)).count();
    if (iterations <= most) continue;
    most = iterations;
    (grid.cuts_rows() ? place.row : place.col) = n;
  }
  return place;
}

Iterations iterations_of(const Trace& trace) {
  std::map<std::int32_t, std::int64_t> runs;
  std::set<std::int64_t> outer;
  for (const Event& event : trace.events) {
    ++runs[event.line];
    for (const Axis& axis : {event.rows, event.cols}) {
      if (axis.origin == Origin::loop0) outer.insert(axis.index);
    }
  }
  std::int64_t most = 1;
  for (const auto& [line, count] : runs) most = std::max(most, count);
  return {static_cast<double>(std::max<std::size_t>(1, outer.size())), static_cast<double>(most)};
}

std::vector<Task> tasks_of(const Trace& trace, bool prefetches, const SmRates& rates) {
  std::vector<Task> tasks(trace.events.size());
  CopyTriggers triggers(prefetches);
  const Event* before = nullptr;
  for (std::size_t n = 0; n < tasks.size(); ++n) {
    const Event& event = trace.events[n];
    Task& task = tasks[n];
    task.operands = event.operands;
    if (event.direction != Direction::none) {
      task.kind = event.direction == Direction::read ? Task::Kind::copy_in : Task::Kind::copy_out;
      task.bytes = static_cast<double>(event.bytes);
      if (task.kind == Task::Kind::copy_in) task.after = triggers.of_load(event);
      continue;
    }
    task.work = work_of(event, rates);
    const bool continues = before != nullptr && is_product(*before) && before->tensor == event.tensor;
    const bool begins = is_product(event) ? !continues : before != nullptr && is_product(*before);
    if (begins) task.latency = is_product(event) ? rates.product_latency : rates.result_latency;
    triggers.note(trace.events, n);
    before = &event;
  }
  return tasks;
}

CtaTime::CtaTime(const Plan& plan, const Launch& launch, const SmPort& port, int residents) {
  const SmRates rates = sm_rates(*plan.scenario.gpu, plan.problem.dtype, plan.scenario.constants);
  const CtaPlace place = busiest_cta(plan.problem.shape, launch.grid);
  const auto run = [&](const std::array<std::size_t, 3>& most) {
    const Trace trace = replay_iterations(plan, launch, place, most);
    const auto tasks = tasks_of(trace, launch.prefetches, rates);
    return Sample{iterations_of(trace), run_sm(tasks, port, residents, rounds).budget};
  };
  const bool nested = is_nested(replay_iterations(plan, launch, place, {1, 1, 1}));
  for (const std::size_t iterations : sampled_iterations) {
    const Sample sample = run({nested ? 1 : iterations, iterations, iterations});
    if (!samples_.empty() && sample.iterations.inner <= samples_.back().iterations.inner) break;
    samples_.push_back(sample);
  }
  if (!nested) return;
  const Sample two = run({2, 4, 4});
  if (two.iterations.outer > 1) per_outer_ = Budget(two.budget).add(at({1, two.iterations.inner}), -1);
}

Budget CtaTime::at(const Iterations& iterations) const {
  std::size_t n = 1;  // the samples n - 1 and n span the line
  while (n + 1 < samples_.size() && samples_[n].iterations.inner < iterations.inner) ++n;
  Budget budget = samples_.front().budget;
  if (n < samples_.size()) {
    const Sample &low = samples_[n - 1], &high = samples_[n];
    const double part = (iterations.inner - low.iterations.inner) / (high.iterations.inner - low.iterations.inner);
    budget = Budget{}.add(low.budget, 1 - part).add(high.budget, part);
  }
  return budget.add(per_outer_, iterations.outer - 1);
}

}  // namespace sim
