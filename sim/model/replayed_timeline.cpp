#include "sim/model/replayed_timeline.h"

#include <algorithm>
#include <limits>

#include "sim/machine/device_fields.h"
#include "sim/model/memory.h"
#include "sim/model/scheduled_replay.h"
#include "sim/programs/launch_cta.h"
#include "sim/programs/ragged.h"

namespace sim {
namespace {

/// Batch entries, heads, and blocks of the grid of one entry along rows and columns.
CtaPlace grid_size(const Plan& plan, const Launch& launch, const CtaPlace& place) {
  const std::int64_t entries = plan.problem.shape.batch;
  CtaPlace entry;
  entry.batch = std::clamp<std::int64_t>(place.batch, 0, entries - 1);
  const Plan& of_class = place_in_class(plan, entry).plan;
  const Shape& shape = of_class.problem.shape;
  const GridAxes axes = grid_axes(shape, launch_of(of_class, launch).grid);
  return {entries, shape.heads, axes.rows.count(), axes.cols.count()};
}

void check_place(const Plan& plan, const CtaPlace& place) {
  CtaPlace most;
  for (const Launch& launch : plan.launches) {
    const CtaPlace size = grid_size(plan, launch, place);
    most = {size.batch, size.head, std::max(most.row, size.row), std::max(most.col, size.col)};
  }
  const auto inside = [](std::int64_t index, std::int64_t count) { return index >= 0 && index < count; };
  require(inside(place.batch, most.batch) && inside(place.head, most.head) && inside(place.row, most.row) &&
              inside(place.col, most.col),
          "cta: ", place.batch, ",", place.head, ",", place.row, ",", place.col,
          " is outside the grid: allowed are batch 0 to ", most.batch - 1, ", head 0 to ", most.head - 1,
          ", row block 0 to ", most.row - 1, ", column block 0 to ", most.col - 1);
}

std::map<std::int32_t, std::string> code_of(const Trace& trace) {
  std::map<std::int32_t, std::string> code;
  for (const Event& event : trace.events) {
    const auto [entry, fresh] = code.try_emplace(event.line);
    if (fresh) entry->second = listing_code(trace.listing, event.line);
  }
  return code;
}

TimelineKernel replay_kernel(const Plan& plan, const Launch& launch, CtaPlace place) {
  const CtaPlace size = grid_size(plan, launch, place);
  const bool by_kv_head = launch.grid.by_kv_head();
  place.row = std::min(place.row, size.row - 1);
  place.col = std::min(place.col, size.col - 1);
  if (by_kv_head) place.head = plan.problem.shape.kv_head_of(place.head);
  TimelineKernel kernel;
  kernel.trace = scheduled_replay(plan, launch, place);
  kernel.place = text("CTA: batch ", place.batch, by_kv_head ? ", KV head " : ", head ", place.head, ", row block ",
                      place.row, ", column block ", place.col);
  kernel.ctas = 0;
  for (const Grid& segment : segments_of(plan, launch)) kernel.ctas += segment.ctas();
  kernel.code = code_of(kernel.trace);
  return kernel;
}

}  // namespace

Timeline replay_timeline(const Plan& plan, const std::optional<CtaPlace>& place) {
  require(has_time(*plan.scenario.gpu), "trace: ", why_no_time(*plan.scenario.gpu));
  if (place) check_place(plan, *place);
  const CtaPlace last_row{0, 0, std::numeric_limits<std::int64_t>::max(), 0};
  const std::vector<LiveTensors> memory = memory_over_time(plan);
  Timeline timeline{text(plan.program->title, " on ", plan.scenario.gpu->title, ", one CTA of each kernel"),
                    clock_hz(plan, plan.launches.front()),
                    {}};
  for (std::size_t k = 0; k < plan.launches.size(); ++k) {
    timeline.kernels.push_back(replay_kernel(plan, plan.launches[k], place.value_or(last_row)));
    timeline.kernels.back().live_hbm = memory[k].bytes;
  }
  return timeline;
}

}  // namespace sim
