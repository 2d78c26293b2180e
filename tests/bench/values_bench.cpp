// Time until the values of the last tile of a head are available: K and V are drawn, the program runs over all keys.
#include <benchmark/benchmark.h>

#include "viz/model/values/head_values.h"

namespace {

std::shared_ptr<const explorer::Run> head_of(const char* algorithm, sim::Pass pass, std::int64_t head_dim) {
  sim::Scenario scenario;
  scenario.algorithm = algorithm;
  scenario.pass = pass;
  scenario.shape.batch = scenario.shape.heads = scenario.shape.kv_heads = 1;
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 16384;
  scenario.shape.head_dim = head_dim;
  return explorer::make_run(scenario);
}

void run(explorer::Task& task) {
  while (task.advance()) {
  }
}

void last_tile(benchmark::State& state, const char* algorithm, sim::Pass pass) {
  const auto run_of = head_of(algorithm, pass, state.range(0));
  const sim::Plan& plan = run_of->simulation.plan;
  std::size_t kernel = plan.launches.size() - 1;
  while (!explorer::has_tiles(*run_of, kernel)) --kernel;
  const sim::GridAxes axes = sim::grid_axes(plan.problem.shape, plan.launches[kernel].grid);
  const explorer::TilePlace place{0, axes.rows.count() - 1, axes.cols.count() - 1};
  for (auto _ : state) {
    explorer::HeadValues head(run_of, kernel, 0);
    if (explorer::is_fused_forward(plan.launches[kernel])) {
      const auto history = head.row(place.row);
      explorer::TileValues tile(history, history->block.steps() - 1);
      run(tile);
      benchmark::DoNotOptimize(tile.found());
    } else {
      explorer::KernelTile tile(run_of, kernel, place, head.numbers(place));
      run(tile);
      benchmark::DoNotOptimize(tile.found());
    }
  }
}

void draw(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(sim::draw_elements({0, state.range(0)}, sim::Dtype::fp16, 1, sim::DrawnTensor::K));
}

BENCHMARK_CAPTURE(last_tile, flash1_forward, "flash1", sim::Pass::forward)
    ->Arg(64)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(last_tile, flash1_backward, "flash1", sim::Pass::backward)
    ->Arg(64)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(last_tile, flash2_forward, "flash2", sim::Pass::forward)
    ->Arg(64)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(last_tile, flash2_backward, "flash2", sim::Pass::backward)
    ->Arg(64)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(draw)->Arg(2 << 20)->Unit(benchmark::kMillisecond);

}  // namespace
