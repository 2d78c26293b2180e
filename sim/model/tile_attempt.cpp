#include "sim/model/tile_attempt.h"

#include <algorithm>
#include <tuple>

#include "sim/model/compiled_kernels.h"

namespace sim {
namespace {

std::size_t longest_of(const Simulation& s) { return static_cast<std::size_t>(&s.longest_kernel() - s.kernels.data()); }

TriedTiles cost_of(const Simulation& s) {
  TriedTiles tried;
  tried.br = s.plan.problem.tiling.br;
  tried.bc = s.plan.problem.tiling.bc;
  tried.tile_traffic = s.totals.total.total();
  tried.hbm_traffic = s.hbm.total();
  tried.hbm_counted = s.kernels.front().hbm_counted;
  tried.smem = s.memory.peak_sram;
  for (const Trace& trace : s.traces) tried.registers = std::max(tried.registers, trace.peak_registers);
  tried.microseconds = s.microseconds;
  tried.compiled = is_compiled(s.plan);
  const std::size_t longest = longest_of(s);
  tried.ctas_per_sm = s.kernels[longest].ctas_per_sm;
  tried.waves = s.kernels[longest].waves;
  tried.occupancy_limit = occupancy_limit(*s.plan.scenario.gpu, s.kernels[longest].needs);
  tried.bound_by = s.bound_by;
  return tried;
}

}  // namespace

TileAttempt try_tiles(Scenario scenario, std::optional<std::int64_t> br, std::optional<std::int64_t> bc) {
  try {
    Plan plan = make_plan(with_tiles(std::move(scenario), br, bc));
    std::vector<Trace> traces;
    for (const Launch& launch : plan.launches) traces.push_back(count(plan, launch));
    return {cost_of(read_meters(std::move(plan), std::move(traces))), {}};
  } catch (const TileOverflow& overflow) {  // not the error of simulate, which searches for tiles that fit
    return {std::nullopt, overflow.sentence()};
  }
}

bool better(const TriedTiles& a, const TriedTiles& b, Goal goal) {
  const auto key = [goal](const TriedTiles& t) {
    const auto bytes = static_cast<double>(t.tile_traffic.count());
    return std::tuple(goal == Goal::time && t.compiled == false, goal == Goal::bytes ? bytes : t.microseconds,
                      goal == Goal::bytes ? t.microseconds : bytes, t.br * t.bc, t.br);
  };
  return key(a) < key(b);
}

std::vector<std::int64_t> tile_sizes(std::int64_t extent) {
  std::vector<std::int64_t> result;
  const std::int64_t most = std::min(largest_tried_tile, ceil_div(extent, tile_step) * tile_step);
  for (std::int64_t size = tile_step; size <= most; size += tile_step) {
    if (ceil_div(extent, size) <= most_blocks) result.push_back(size);
  }
  return result;
}

}  // namespace sim
