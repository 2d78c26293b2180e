// Tiles of flash2 in fp32 per second of one core on the emulated device, plain and traced.
#include <benchmark/benchmark.h>

#include "kernels/emulator/device.h"
#include "kernels/verify/run.h"
#include "sim/base/attention.h"

namespace {

/// Four heads of 256 queries and keys, d = 64.
void flash2_tiles(benchmark::State& state, bool traced) {
  const int workers = static_cast<int>(state.range(0));
  sim::Scenario scenario;
  scenario.dtype = sim::Dtype::fp32;
  scenario.shape = {1, 4, 4, 256, 256, 64, {}};
  const sim::Plan plan = sim::make_plan(scenario);
  const sim::AttentionInputs inputs = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, 0);
  emulator::EmulatedDevice device({.workers = workers, .traced = traced});
  for (auto _ : state) benchmark::DoNotOptimize(kernels::run(device, plan, "flash2", inputs));
  const sim::Tiling& tiling = plan.launches[0].tiling;
  const std::int64_t tiles = 4 * (256 / tiling.br) * (256 / tiling.bc);
  state.counters["tile_area"] = static_cast<double>(tiling.br * tiling.bc);
  state.counters["tiles"] =
      benchmark::Counter(static_cast<double>(state.iterations() * tiles), benchmark::Counter::kIsRate);
}

}  // namespace

BENCHMARK_CAPTURE(flash2_tiles, plain, false)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(flash2_tiles, traced, true)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
