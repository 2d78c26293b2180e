// The schedule of a grid: 131,072 tokens x 128 heads, causal, 132 SMs x 2 CTAs.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "tests/support/random_grid.h"

namespace {

void grid_in_time(benchmark::State& state, sim::Raster order, bool longest_first) {
  random_grid::Example example = random_grid::causal(1024, 128, {132, {1, 1.7}});
  if (longest_first) std::reverse(example.durations.begin(), example.durations.end());
  for (auto _ : state) {
    benchmark::DoNotOptimize(sim::schedule_grid(example.grid, example.durations, example.slots, {order}));
  }
}

BENCHMARK_CAPTURE(grid_in_time, head_outermost, sim::Raster::head_outermost, false);
BENCHMARK_CAPTURE(grid_in_time, head_outermost_longest_first, sim::Raster::head_outermost, true);
BENCHMARK_CAPTURE(grid_in_time, block_outermost, sim::Raster::block_outermost, false);
BENCHMARK_CAPTURE(grid_in_time, block_outermost_longest_first, sim::Raster::block_outermost, true);

}  // namespace
