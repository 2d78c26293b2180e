#include "sim/model/sampled_cta.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/machine/tile.h"
#include "sim/model/compiled_kernels.h"
#include "sim/programs/launch_cta.h"

namespace sim {
namespace {

constexpr std::int64_t sampled_outer = 3;  // iterations of an outer loop: the first, one in the middle, the last

bool is_product(const Event& event) { return event.matmul_flops > 0; }

/// Task after which a copy is issued: the last reader of the tile that it replaces, or the last work before it.
class CopyTriggers {
 public:
  CopyTriggers(const Launch& launch, std::size_t events) : launch_(launch), last_reader_(events, -1) {}

  /// Returns the trigger of the load that is event n.
  std::int32_t of_load(const Event& load, std::size_t n) {
    std::vector<std::size_t>& loads = loads_[static_cast<std::size_t>(load.tensor)];
    loads.push_back(n);
    if (!launch_.prefetches) return last_work_;
    const auto places = static_cast<std::size_t>(launch_.tiles_in_flight);
    return loads.size() > places ? last_reader_[loads[loads.size() - 1 - places]] : -1;
  }

  void note(const std::vector<Event>& events, std::size_t n) {
    last_work_ = static_cast<std::int32_t>(n);
    for (const std::int32_t operand : events[n].operands) {
      if (operand != no_event) last_reader_[static_cast<std::size_t>(operand)] = last_work_;
    }
  }

 private:
  const Launch& launch_;
  std::vector<std::int32_t> last_reader_;  ///< by event
  std::array<std::vector<std::size_t>, tensor_capacity> loads_;
  std::int32_t last_work_ = -1;
};

bool is_nested(const Trace& trace) {
  return std::any_of(trace.events.begin(), trace.events.end(),
                     [](const Event& e) { return e.rows.origin > Origin::loop0 || e.cols.origin > Origin::loop0; });
}

/// Selects the CTA with the most to do: a part in the middle of the keys that a row block sees is whole.
CtaPlace busiest_split(const Shape& shape, GridShape grid) {
  CtaPlace place;
  std::int64_t most = -1;
  const Blocking rows = grid.cta_rows(shape);
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    if (i > 0 && rows.elements(i).size() < rows.size) continue;
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
  CtaPlace place;
  if (!grid.skips || grid.of_heads() || grid.of_tiles()) return place;
  if (grid.is_split()) return busiest_split(shape, grid);
  std::int64_t most = -1;
  const std::int64_t count = grid.cuts_rows() ? grid.cta_rows(shape).count() : grid.cta_columns(shape).count();
  for (std::int64_t n = 0; n < count; ++n) {
    const std::int64_t iterations =
        (grid.cuts_rows() ? visit_keys(shape, grid, n) : visit_queries(shape, grid, n)).count();
    if (iterations <= most) continue;
    most = iterations;
    (grid.cuts_rows() ? place.row : place.col) = n;
  }
  return place;
}

namespace {

/// Fills in the operation at a barrier of an event, or its wait for products. False if it is another event.
bool synchronises(const Event& event, Task& task) {
  const Sync& sync = event.sync;
  task.barrier = sync.barrier;
  task.number = sync.barrier >= 0 ? sync.phase : sync.under_way;
  task.after_products = sync.after_products;
  if (event.verb == Verb::arrive) task.kind = Task::Kind::arrive;
  if (event.verb == Verb::wait) task.kind = sync.barrier >= 0 ? Task::Kind::wait_phase : Task::Kind::wait_products;
  return event.verb == Verb::arrive || event.verb == Verb::wait;
}

/// Cycles from the end of the work before an event of the same role to its first instruction.
double latency_of(const Trace& trace, const Event& event, const Event* before, const SmRates& rates) {
  if (event.asynchronous) {  // one that reads what its warps have written waits until all have
    const auto is_work = [&](std::int32_t operand) {
      if (operand == no_event) return false;
      const Event& made = trace.events[static_cast<std::size_t>(operand)];
      return made.direction == Direction::none && !made.asynchronous;
    };
    return std::any_of(event.operands.begin(), event.operands.end(), is_work) ? rates.product_latency : 0;
  }
  const bool continues = before != nullptr && is_product(*before) && before->tensor == event.tensor;
  const bool begins = is_product(event) ? !continues : before != nullptr && is_product(*before);
  return !begins ? 0 : is_product(event) ? rates.product_latency : rates.result_latency;
}

/// Part of the schedulers of an SM that the warps of a role issue on.
double issue_share(const Trace& trace, std::uint8_t role) {
  constexpr double scheduled = 128;  // threads of four warps, one on each scheduler
  return trace.roles.empty() ? 1 : std::min(1.0, static_cast<double>(trace.roles[role].threads) / scheduled);
}

/// Cycles that a role alone needs for an event: for instructions one after the other, and if it has fewer warps than
/// the SM schedulers, on those that it issues on.
double least_of(const Event& event, const SmWork& work, double share, const SmRates& rates) {
  if (event.asynchronous) return 0;
  double least = event.tensor == Tensor::O ? 0 : cycles_in_order(event, rates) / share;
  if (share == 1) return least;
  for (const Pipe pipe : {Pipe::fp32, Pipe::exp, Pipe::issue}) least = std::max(least, work[pipe] / share);
  return least;
}

}  // namespace

std::vector<Task> tasks_of(const Trace& trace, const Launch& launch, const SmRates& rates) {
  std::vector<Task> tasks(trace.events.size());
  CopyTriggers triggers(launch, trace.events.size());
  std::array<const Event*, std::numeric_limits<RoleNumber>::max() + 1> before{};  // the last work of each role
  for (std::size_t n = 0; n < tasks.size(); ++n) {
    const Event& event = trace.events[n];
    Task& task = tasks[n];
    task.role = event.role;
    task.operands = event.operands;
    if (synchronises(event, task)) {
      const Event* const product = before[event.role];  // its last instruction has begun when the arrival is issued
      if (task.after_products && product != nullptr)
        task.latency = std::max(0.0, rates.turn_latency - instruction_of(*product, rates));
      continue;
    }
    if (event.direction != Direction::none) {
      task.kind = event.direction == Direction::read ? Task::Kind::copy_in : Task::Kind::copy_out;
      task.bytes = static_cast<double>(event.bytes);
      if (!trace.roles.empty()) task.work[Pipe::smem] = task.bytes * rates.per_smem_byte;
      if (task.kind == Task::Kind::copy_in) task.after = triggers.of_load(event, n);
      continue;
    }
    if (event.asynchronous) task.kind = Task::Kind::product;
    task.work = work_of(event, rates);
    task.least = least_of(event, task.work, issue_share(trace, event.role), rates);
    task.latency = latency_of(trace, event, before[event.role], rates);
    triggers.note(trace.events, n);
    before[event.role] = &event;
  }
  return tasks;
}

namespace {

/// Lets the copies of a kernel that was compiled for wider heads move the elements of a row that exist in HBM.
void move_only(HeadDims dims, HeadDims kernel_dims, Trace& trace) {
  for (Event& event : trace.events) {
    if (event.direction == Direction::none) continue;
    const Extent& cols = facts_of(event.tensor).cols;
    if (cols == extents::d) event.bytes = checked_multiply(event.bytes / kernel_dims.qk, dims.qk);
    if (cols == extents::dv) event.bytes = checked_multiply(event.bytes / kernel_dims.v, dims.v);
  }
}

}  // namespace

std::vector<Task> compiled_tasks(const Trace& trace, const Plan& plan, const Launch& launch, const CtaPlace& place,
                                 const std::array<std::size_t, 3>& most_iterations) {
  if (!plan.problem.runs_wider()) return tasks_of(trace, launch, rates_of(plan, launch, trace));
  const Plan compiled = as_compiled(plan);
  Trace wider = replay_iterations(compiled, launch, place, most_iterations);
  move_only(plan.problem.shape.head_dims(), plan.problem.kernel_dims, wider);
  return tasks_of(wider, launch, rates_of(compiled, launch, wider));
}

namespace {

/// The problem with whole tiles along axes of more than one tile: a CTA of a few iterations represents others that are
/// whole. A diagonal that begins at the first query stays there.
Plan with_whole_tiles(Plan plan, GridShape grid) {
  plan.classes = nullptr;  // one CTA of a ragged batch's longest lengths represents all
  Shape& shape = plan.problem.shape;
  const bool is_short =
      grid.of_heads() && ceil_div(shape.seqlen_k, grid.bc) <= sampled_outer;  // every iteration is run
  if (!grid.skips || is_short || (grid.cuts_rows() && grid.cuts_columns()) || shape.mask.blocks) return plan;
  const bool square = shape.seqlen_q == shape.seqlen_k && shape.seqlen_q > std::max(grid.br, grid.bc);
  const auto whole = [&](std::int64_t extent, std::int64_t tile) {
    const std::int64_t of = square ? std::lcm(grid.br, grid.bc) : tile;
    return extent > tile ? checked_multiply(ceil_div(extent, of), of) : extent;
  };
  shape.seqlen_q = whole(shape.seqlen_q, grid.br);
  shape.seqlen_k = whole(shape.seqlen_k, grid.bc);
  plan.problem.hbm = tensors_of(plan.problem);
  return plan;
}

}  // namespace

std::int64_t heads_of_cta(const Shape& shape, const GridShape& grid) {
  return grid.by_kv_head() ? shape.heads / shape.kv_heads : 1;
}

SampledCta::SampledCta(const Plan& plan, const Launch& launch)
    : plan_(with_whole_tiles(as_compiled(plan), launch.grid)),
      dims_(plan.problem.shape.head_dims()),
      launch_(launch),
      place_(busiest_cta(plan_.problem.shape, launch.grid)) {
  if (!is_nested(replay_iterations(plan_, launch, place_, {1, 1, 1}))) return;
  const Shape& shape = plan_.problem.shape;
  const std::int64_t group = heads_of_cta(shape, launch.grid);
  // A CTA of a KV head also loops over the heads of its group where it fills their tensors.
  if (launch.grid.of_heads()) outer_ = static_cast<std::size_t>(std::max(sampled_outer, group));
  if (group == 1) return;
  const std::int64_t rows = launch.grid.of_heads() ? ceil_div(shape.seqlen_q, launch.grid.br)
                                                   : visit_queries(shape, launch.grid, place_.col).count();
  rows_of_head_ = static_cast<std::size_t>(std::max<std::int64_t>(1, rows));
}

/// Replays a CTA of about `iterations` iterations: if it loops over heads and rows, whole heads of them.
Trace SampledCta::replayed(std::size_t iterations) const {
  std::array<std::size_t, 3> most = {iterations, iterations, iterations};
  if (outer_ > 0) most[0] = outer_;
  if (rows_of_head_ > 0) most[outer_ > 0 ? 1 : 0] = (iterations + rows_of_head_ - 1) / rows_of_head_;
  Trace trace = replay_iterations(plan_, launch_, place_, most);
  move_only(dims_, plan_.problem.kernel_dims, trace);
  return trace;
}

SampledReplay SampledCta::sampled(std::size_t iterations) const {
  const Trace trace = replayed(iterations);
  const EventRange outer = nests() ? typical_outer_iteration(trace) : EventRange{0, trace.events.size()};
  return {tasks_of(trace, launch_, rates_of(plan_, launch_, trace)),
          iterations_of(trace),
          outer,
          iterations_of(trace, outer).inner,
          middles_of_loops(trace, outer),
          trace.barriers,
          trace.roles};
}

const SampledReplay& SampledCta::sample(std::size_t n) {
  if (!samples_[n]) samples_[n] = sampled(std::size_t{1} << n);
  return *samples_[n];
}

}  // namespace sim
