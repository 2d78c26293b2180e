// Interactive operations of the explorer: building a frame of a large trace, seeking and stepping in it, and new counts
// and geometry after a change of the scenario. At 1600 x 1000, without drawing the pixels.
#include <benchmark/benchmark.h>

#include "viz/explorer/headless.h"

namespace {

// 128 x 128 tiles in one CTA, about a million events.
constexpr const char* large = "#algorithm=flash1&pass=backward&heads=4&kv-heads=1&seqlen=8192&head-dim=64&br=64&bc=64";
constexpr const char* wide = "#seqlen=16384&head-dim=128&br=128&bc=128&causal=1&cta=0,0,100,0";

std::int64_t events(const explorer::Headless& window) {
  return static_cast<std::int64_t>(window.explorer.model.world.replay().trace.events.size());
}

/// Builds frames while the playhead moves, so that nothing can be cached.
void frame(benchmark::State& state, const std::string& link) {
  explorer::Headless window(link, {});
  explorer::Model& model = window.explorer.model;
  const std::int64_t end = model.world.replay().index.end().count();
  std::int64_t n = 0;
  for (auto _ : state) {
    model.seek(sim::Cycles(end / 997 * (++n % 997)));
    window.driver.frame();
  }
  state.counters["events"] = static_cast<double>(events(window));
  state.counters["indices"] = window.driver.screen.drawn().TotalIdxCount;
}

/// Builds frames of four whole runs on one moving clock.
void race(benchmark::State& state) {
  explorer::Headless window(
      "#batch=4&heads=32&seqlen=2048&algorithm=standard&compare=flash1,flash2,flash2+br:64&play=run", {});
  window.finish();
  explorer::Model& model = window.explorer.model;
  std::int64_t n = 0;
  for (auto _ : state) {
    model.seek_run(model.world.run_end() * static_cast<double>(++n % 997) / 997);
    window.driver.frame();
  }
  state.counters["indices"] = window.driver.screen.drawn().TotalIdxCount;
}

/// Builds frames of compared runs while N is dragged through 80 values, at 1440 x 900.
void drag(benchmark::State& state, const std::string& look) {
  explorer::Headless window("#batch=4&heads=32&seqlen=2048&algorithm=standard" + look, {1440, 900, 1});
  window.finish();
  std::int64_t n = 0;
  for (auto _ : state) {
    const std::int64_t keys = 1024 + 64 * (n++ % 80);
    window.explorer.model.apply(explorer::SetNumber{"seqlen", sim::text(keys), true});
    window.explorer.update(0);
    window.driver.frame();
  }
}

void seek(benchmark::State& state) {
  explorer::Headless window(large, {});
  explorer::Model& model = window.explorer.model;
  const auto& all = model.world.replay().trace.events;
  std::size_t n = 0;
  for (auto _ : state) {
    n = (n + 7919) % all.size();
    model.seek(all[n].begin);
    benchmark::DoNotOptimize(model.world.replay().memory.moved.at(model.world.time()));
    benchmark::DoNotOptimize(model.world.replay().index.current(model.world.time()));
  }
}

void step(benchmark::State& state, int direction) {
  explorer::Headless window(large, {});
  explorer::Model& model = window.explorer.model;
  const auto& all = model.world.replay().trace.events;
  std::size_t n = 0;
  for (auto _ : state) {
    n = (n + 7919) % all.size();
    model.seek(all[n].begin);
    model.step(explorer::Step::event, direction);
  }
}

/// Moves a slider between two values: options, counts, the replay of the CTA and its index.
void change(benchmark::State& state, const std::string& link, const char* first, const char* second) {
  explorer::Model model(sim::built_in_gpu);
  model.follow(link);
  bool odd = false;
  for (auto _ : state) model.set_option("seqlen", (odd = !odd) ? first : second);
}

void first_frame(benchmark::State& state) {
  for (auto _ : state) explorer::Headless(wide, {});
}

BENCHMARK_CAPTURE(frame, flash1_backward_128x128, large)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, flash2_128x128, wide)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, compare, std::string(wide) + "&compare=flash1,standard")->Unit(benchmark::kMillisecond);
BENCHMARK(race)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(drag, one_run, "")->Iterations(80)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(drag, compare_three, "&compare=flash1,flash2")->Iterations(80)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(drag, race_of_three, "&compare=flash1,flash2&play=run&run-time=500")
    ->Iterations(80)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(seek)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, forwards, 1)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, backwards, -1)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(change, flash2_2048, "#causal=1", "2048", "1024")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change, flash2_16384, "#causal=1", "16384", "8192")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change, standard_16384, "#algorithm=standard", "16384", "8192")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change, flash1_2048, "#algorithm=flash1", "2048", "1024")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change, flash1_8192, "#algorithm=flash1", "8192", "4096")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change, flash2_131072, "#heads=128", "131072", "65536")->Unit(benchmark::kMillisecond);
BENCHMARK(first_frame)->Unit(benchmark::kMillisecond);

}  // namespace
