#include "viz/model/run.h"

#include <algorithm>
#include <array>

#include "sim/model/sampled_cta.h"
#include "sim/model/scheduled_replay.h"
#include "sim/programs/launch_cta.h"
#include "sim/programs/ragged.h"
#include "sim/programs/steps.h"
#include "viz/model/bookmark.h"

namespace explorer {

std::shared_ptr<const Run> make_run(const sim::Scenario& asked, std::shared_ptr<const sim::Simulation> standard) {
  const sim::Scenario scenario = last_step_of(asked);
  auto run = std::make_shared<Run>();
  run->simulation = sim::simulate(scenario);
  for (std::size_t k = 0; k < run->simulation.traces.size(); ++k)
    run->listings.push_back(make_listing(run->simulation, k));
  run->standard = std::move(standard);
  if (run->standard != nullptr) return run;
  if (auto simulated = sim::simulate_standard(scenario))
    run->standard = std::make_shared<const sim::Simulation>(std::move(*simulated));
  return run;
}

std::size_t kernel_with_roles(const sim::Simulation& simulation, std::size_t kernel) {
  const auto has = [](const sim::Trace& trace) { return !trace.roles.empty(); };
  const std::vector<sim::Trace>& traces = simulation.traces;
  if (has(traces.at(kernel))) return kernel;
  const auto first = std::find_if(traces.begin(), traces.end(), has);
  return first == traces.end() ? kernel : static_cast<std::size_t>(first - traces.begin());
}

sim::CtaPlace grid_of(const sim::Simulation& simulation, std::size_t kernel) {
  return grid_of(simulation.plan.problem.shape, simulation.plan.launches.at(kernel).grid);
}

sim::CtaPlace grid_of(const sim::Shape& shape, const sim::GridShape& grid) {
  const sim::GridAxes axes = sim::grid_axes(shape, grid);
  return {shape.batch, grid.by_kv_head() ? shape.kv_heads : shape.heads, axes.rows.count(), axes.cols.count()};
}

namespace {

constexpr std::array<std::size_t, 3> preview_iterations = {24, 24, 24};  // per loop, by depth

sim::CtaPlace brought_inside(const sim::CtaPlace& place, const sim::CtaPlace& size) {
  const auto inside = [](std::int64_t index, std::int64_t count) {
    return std::clamp<std::int64_t>(index, 0, count - 1);
  };
  return {inside(place.batch, size.batch), inside(place.head, size.head), inside(place.row, size.row),
          inside(place.col, size.col)};
}

/// The nearest position that the kernel has; for a ragged batch, in the same entry.
sim::CtaPlace place_inside(const sim::Simulation& simulation, std::size_t kernel, sim::CtaPlace place) {
  place = brought_inside(place, grid_of(simulation, kernel));
  const sim::Plan& of_entry = sim::place_in_class(simulation.plan, place).plan;
  const sim::Launch& launch = sim::launch_of(of_entry, simulation.plan.launches[kernel]);
  sim::CtaPlace size = grid_of(of_entry.problem.shape, launch.grid);
  size.batch = place.batch + 1;
  return brought_inside(place, size);
}

std::shared_ptr<const Replay> make(const sim::Simulation& simulation, std::size_t kernel, sim::CtaPlace place,
                                   const std::array<std::size_t, 3>& most_iterations) {
  auto replay = std::make_shared<Replay>();
  replay->kernel = std::min(kernel, simulation.plan.launches.size() - 1);
  replay->place = place_inside(simulation, replay->kernel, place);
  const sim::PlaceInClass at = sim::place_in_class(simulation.plan, replay->place);
  replay->trace =
      sim::scheduled_replay(simulation.plan, simulation.plan.launches[replay->kernel], replay->place, most_iterations);
  replay->index = TraceIndex(replay->trace);
  replay->progress = Progress(replay->trace);
  for (const Lane& lane : replay->index.lanes()) {
    const bool many = lane.events.size() >= many_events;
    replay->columns.push_back(many ? LaneColumns(replay->trace, lane, replay->index.end()) : LaneColumns());
  }
  replay->memory = MemoryIndex(at.plan, sim::launch_of(at.plan, simulation.plan.launches[replay->kernel]),
                               simulation.kernels[replay->kernel], at.place, replay->trace);
  replay->lines = LineIndex(replay->trace);
  replay->stalls = sim::stalls_of(replay->trace);
  replay->sums = sim::SpanIndex(replay->trace);
  replay->roles = RoleTrace(replay->trace);
  const sim::CtaPlace typical =
      sim::busiest_cta(simulation.plan.problem.shape, simulation.plan.launches[replay->kernel].grid);
  replay->typical = place_text(typical) == place_text(replay->place) &&
                    most_iterations.front() == sim::typical_iterations(simulation, replay->kernel);
  return replay;
}

}  // namespace

std::shared_ptr<const Replay> make_replay(const sim::Simulation& simulation, std::size_t kernel, sim::CtaPlace place) {
  return make(simulation, kernel, place, {});
}

std::shared_ptr<const Replay> make_preview(const sim::Simulation& simulation, std::size_t kernel, sim::CtaPlace place) {
  return make(simulation, kernel, place, preview_iterations);
}

}  // namespace explorer
