// Replays one CTA event by event.
#include <algorithm>

#include "sim/programs/head_tensors.h"
#include "sim/programs/ragged.h"

namespace sim {
namespace {

void check_place(const Plan& plan, const Launch& launch, const GridAxes& axes, const CtaPlace& place) {
  const Shape& shape = plan.problem.shape;
  const std::int64_t heads = launch.grid.by_kv_head() ? shape.kv_heads : shape.heads;
  require(place.batch >= 0 && place.batch < shape.batch && place.head >= 0 && place.head < heads, "replay: batch ",
          place.batch, ", head ", place.head, " is outside ", shape.batch, " x ", heads);
  require(place.row >= 0 && place.row < axes.rows.count() && place.col >= 0 && place.col < axes.cols.count(),
          "replay: CTA (", place.row, ", ", place.col, ") is outside the grid of ", axes.rows.count(), " x ",
          axes.cols.count());
}

/// First query head of a CTA over the whole batch.
std::int64_t head_of(const Plan& plan, const Launch& launch, const CtaPlace& place) {
  const Shape& shape = plan.problem.shape;
  if (!launch.grid.by_kv_head()) return place.batch * shape.heads + place.head;
  return (place.batch * shape.kv_heads + place.head) * (shape.heads / shape.kv_heads);
}

/// Throws Error if the CTA has more events than are kept, before memory is allocated for them.
void check_event_count(const Plan& plan, const Launch& launch, CtaSetup setup) {
  std::size_t events = 0;
  setup.counted_events = &events;
  setup.keep_events = false;
  Trace unused = empty_trace(launch);
  run_cta(plan, launch, setup, plan.problem, unused);
}

/// Runs the earlier kernels, whose results this one reads.
void run_earlier(const Plan& plan, const Launch& launch, const HeadTensors& tensors) {
  for (const Launch& earlier : plan.before) tensors.run(earlier, [] {});
  for (const Launch& earlier : plan.launches) {
    if (&earlier == &launch || earlier.name == launch.name) break;
    tensors.run(earlier, [] {});
  }
}

}  // namespace

Trace replay_iterations(const Plan& plan, const Launch& launch, const CtaPlace& place,
                        const std::array<std::size_t, 3>& most_iterations) {
  if (plan.classes != nullptr) {
    const PlaceInClass entry = place_in_class(plan, place);
    return replay_iterations(entry.plan, launch_of(entry.plan, launch), entry.place, most_iterations);
  }
  const GridAxes axes = grid_axes(plan.problem.shape, launch.grid);
  check_place(plan, launch, axes, place);
  CtaSetup setup = replay_setup(plan, launch, axes.row(place.row), axes.col(place.col));
  setup.head = head_of(plan, launch, place);
  setup.most_iterations = most_iterations;
  const bool is_short = std::find(most_iterations.begin(), most_iterations.end(), 0U) == most_iterations.end();
  if (!is_short) check_event_count(plan, launch, setup);
  Trace trace = empty_trace(launch);
  run_cta(plan, launch, setup, plan.problem, trace);
  return trace;
}

Trace replay(const Plan& plan, const Launch& launch, const CtaPlace& place, const AttentionInputs* inputs) {
  if (plan.classes != nullptr) {
    const PlaceInClass entry = place_in_class(plan, place);
    if (inputs == nullptr) return replay(entry.plan, launch_of(entry.plan, launch), entry.place);
    const AttentionInputs own = inputs_of_class(plan, *inputs, entry.plan);
    return replay(entry.plan, launch_of(entry.plan, launch), entry.place, &own);
  }
  const GridAxes axes = grid_axes(plan.problem.shape, launch.grid);
  check_place(plan, launch, axes, place);
  CtaSetup setup = replay_setup(plan, launch, axes.row(place.row), axes.col(place.col));
  setup.head = head_of(plan, launch, place);
  check_event_count(plan, launch, setup);
  Trace trace = empty_trace(launch);
  if (inputs == nullptr) {
    run_cta(plan, launch, setup, plan.problem, trace);
    return trace;
  }
  HeadTensors tensors(plan, *inputs);
  const std::int64_t head = setup.head % tensors.group();
  tensors.select(setup.head / tensors.group());
  run_earlier(plan, launch, tensors);
  tensors.prepare(setup, head);
  setup.keep = KeepValues::all;
  run_cta(plan, launch, setup, tensors.problem_of(head), trace);
  return trace;
}

}  // namespace sim
