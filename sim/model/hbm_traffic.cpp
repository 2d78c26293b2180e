#include "sim/model/hbm_traffic.h"

#include <algorithm>
#include <cmath>

#include "sim/model/grid_nest.h"
#include "sim/model/l2_reuse.h"
#include "sim/trace/tensors.h"

namespace sim {
namespace {

L2Tally reuse_in(const L2Scene& scene) {
  if (scene.grid.of_heads()) return reuse_in_nested(scene);
  return scene.grid.of_tiles() ? reuse_in_tiles(scene) : reuse_in_streams(scene);
}

/// Longest first, heads advance in sections: all heads of a section take their last block, then the one before it.
L2Tally reuse_in_sections(const Problem& problem, const L2Scene& scene) {
  const std::int64_t all = product(problem.shape.batch, problem.shape.kv_heads), each = kv_heads_of_section(problem);
  const auto of_section = [&](std::int64_t kv_heads) {
    Shape shape = problem.shape;
    shape.heads = kv_heads * (shape.heads / shape.kv_heads);
    shape.kv_heads = kv_heads;
    shape.batch = 1;
    L2Scene section{shape, scene.grid, scene.pattern, scene.slice, scene.in_flight, scene.capacity, true};
    section.grid.raster = Raster::block_outermost;
    return reuse_in(section);
  };
  const L2Tally rest = all % each > 0 ? of_section(all % each) : L2Tally{};
  const std::int64_t whole = all / each;
  return rest.plus(of_section(each), static_cast<double>(whole));
}

/// once + (tile - once) x the share of the repeated bytes that misses.
Bytes left_over(Bytes tile, Bytes once, const L2Bytes& sampled) {
  once = std::min(once, tile);
  const double repeated = sampled.moved - sampled.first;
  if (repeated <= 0) return once;
  const double share = std::clamp((sampled.missed - sampled.first) / repeated, 0.0, 1.0);
  return once + Bytes(std::llround(static_cast<double>((tile - once).count()) * share));
}

/// True if a matrix that all heads share has left the L2 when the next head comes: after all that a head moves.
bool leaves_between_heads(const Problem& problem, Tensor tensor, const Totals& totals, std::int64_t capacity) {
  const std::int64_t heads = checked_multiply(problem.shape.batch, problem.shape.heads);
  return facts_of(tensor).owner == Owner::everyone && totals.total.total().count() / heads > capacity;
}

}  // namespace

LaunchAccesses::LaunchAccesses(const Problem& of, const Launch& one, const Trace& counted)
    : problem(of), launch(one), pattern(access_pattern(of, one, counted)) {
  add_to(totals, counted);
}

std::map<Tensor, Traffic> hbm_traffic(const LaunchAccesses& accesses, std::int64_t in_flight, std::int64_t capacity) {
  const auto& [problem, launch, totals, pattern] = accesses;
  if (capacity == 0 || !pattern.reuses) return totals.by_tensor;
  const L2Scene scene{problem.shape,       launch.grid, pattern,
                      launch.tiling.slice, in_flight,   static_cast<double>(capacity)};
  const L2Tally tally = launch.longest_first ? reuse_in_sections(problem, scene) : reuse_in(scene);
  std::map<Tensor, Traffic> result;
  for (const auto& [tensor, moved] : totals.by_tensor) {
    const auto at = static_cast<std::size_t>(tensor);
    const TouchedOnce& once = pattern.once[at];
    if (leaves_between_heads(problem, tensor, totals, capacity)) {
      result[tensor] = moved;
      continue;
    }
    result[tensor] = {left_over(moved.read, once.read, tally.read[at]),
                      left_over(moved.written, once.written, tally.written[at])};
  }
  return result;
}

std::map<Tensor, Traffic> hbm_traffic(const Problem& problem, const Launch& launch, const Trace& counted,
                                      std::int64_t in_flight, std::int64_t capacity) {
  return hbm_traffic({problem, launch, counted}, in_flight, capacity);
}

std::map<Tensor, Traffic> hbm_traffic_without_edge(const LaunchAccesses& accesses, std::int64_t in_flight,
                                                   std::int64_t capacity) {
  constexpr int steps = 8;
  const auto at = [&](int step) {
    const double part = l2_begins_to_miss + (l2_misses_whole - l2_begins_to_miss) * (step + 0.5) / steps;
    return hbm_traffic(accesses, in_flight, std::llround(static_cast<double>(capacity) * part));
  };
  std::map<Tensor, Traffic> sum = at(0);
  const std::map<Tensor, Traffic> largest = at(steps - 1);
  if (sum == largest) return sum;
  for (int step = 1; step < steps; ++step) {
    for (const auto& [tensor, moved] : step < steps - 1 ? at(step) : largest) sum[tensor] += moved;
  }
  for (auto& [tensor, moved] : sum) moved = {Bytes(moved.read.count() / steps), Bytes(moved.written.count() / steps)};
  return sum;
}

double l2_hit_rate(const Traffic& tile, const Traffic& hbm) {
  const auto all = static_cast<double>(tile.read.count());
  return all > 0 ? 1 - static_cast<double>(hbm.read.count()) / all : 0;
}

}  // namespace sim
