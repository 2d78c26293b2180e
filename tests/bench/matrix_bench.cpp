// The shapes of a whole frame of the explorer, at 1600 x 1000, with the attention matrix in the middle.
#include <benchmark/benchmark.h>

#include "viz/explorer/headless.h"

namespace {

void frame(benchmark::State& state, std::string_view link) {
  explorer::Headless window(link, {});
  while (window.explorer.update(0)) {
  }
  for (auto _ : state) window.driver.frame();
  state.counters["events"] = static_cast<double>(window.explorer.model.world.replay().trace.events.size());
  state.counters["indices"] = window.driver.screen.drawn().TotalIdxCount;
}

constexpr std::string_view tiles_16 = "#seqlen=2048&head-dim=128&causal=1&br=128&bc=128&cta=0,0,6,0&time=12000";
constexpr std::string_view tiles_128 = "#seqlen=16384&head-dim=128&causal=1&br=128&bc=128&cta=0,0,80,0&time=60000";
constexpr std::string_view tiles_128_all = "#seqlen=16384&head-dim=128&br=128&bc=128&cta=0,0,80,0&time=60000";
constexpr std::string_view tiles_4096 = "#algorithm=standard&seqlen=65536&br=16&bc=16&cta=0,0,80,9";
constexpr std::string_view million =
    "#algorithm=flash1&pass=backward&heads=4&kv-heads=1&seqlen=8192&br=64&bc=64&center=engineer&time=500000"
    "&zoom=-40&drag=select&span=100000,9000000&cause=barrier";
constexpr std::string_view values =
    "#seqlen=2048&head-dim=128&br=128&bc=128&cta=0,0,6,0&time=12000&matrix-zoom=15&matrix-x=0.09375&matrix-y=0.40625";

BENCHMARK_CAPTURE(frame, without_matrix, "#center=tiles&tab=code")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, tiles_16, tiles_16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, tiles_128, tiles_128)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, tiles_128_without_mask, tiles_128_all)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, tiles_4096, tiles_4096)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, wall, "#batch=4&heads=32&seqlen=131072&center=wall")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, wall_of_400, "#batch=4&heads=32&seqlen=256k&center=wall")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, wall_of_a_million, "#batch=4&heads=32&seqlen=1M&center=wall")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, engineer, "#batch=4&heads=32&seqlen=2048&center=engineer&time=9000")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, engineer_all_sms, "#batch=4&heads=32&seqlen=2048&center=engineer&timeline=grid")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, engineer_of_a_million_events, million)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, row_of_128k, "#seqlen=131072&row=1000&time=9e9&center=microscope")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, row_of_1M, "#seqlen=1M&row=1000&time=9e9&center=microscope")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, roles, "#algorithm=flash3&batch=4&heads=16&seqlen=8448&head-dim=128&time=30250&center=roles")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, pages_100k,
                  "#algorithm=flash-decoding&seqlen-q=1&seqlen-k=131072&page-size=16&batch=12&center=pages")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, numbers,
                  "#algorithm=flash3&dtype=e4m3&inputs=outliers&seqlen=8192&head-dim=128&center=numbers")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, values_of_a_tile, values)->Unit(benchmark::kMillisecond);

}  // namespace
