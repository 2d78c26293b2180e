// A sweep of 10,000 scenarios on one thread and on all.
#include <benchmark/benchmark.h>

#include "kernels/threads/threads.h"
#include "viz/results/in_order.h"
#include "viz/results/sweep.h"

namespace {

void sweep_10000_scenarios(benchmark::State& state) {
  const results::Sweep sweep({},
                             {"algorithm=standard,flash1,flash2,memory-efficient", "seqlen=32:10000:32",
                              "head-dim=32,64,96,128", "causal=0,1"},
                             {}, std::nullopt, {}, results::plain_files());
  const int threads = state.range(0) == 0 ? threads::all_cores() : static_cast<int>(state.range(0));
  const auto make = [&](std::int64_t number) { return sweep.row(number); };
  std::size_t bytes = 0;
  for (auto _ : state) {
    results::InOrder<std::string>(make, [&](const std::string& row) { bytes += row.size(); }).run(10'000, threads);
  }
  benchmark::DoNotOptimize(bytes);
}

}  // namespace

BENCHMARK(sweep_10000_scenarios)->Arg(1)->Arg(0)->ArgName("threads")->Unit(benchmark::kMillisecond)->UseRealTime();
