// Writing a trace of a million events in each format, to nowhere: the cost of the exporters alone.
#include <benchmark/benchmark.h>

#include "sim/model/replayed_timeline.h"
#include "sim/model/scheduled_replay.h"
#include "sim/trace/chrome_json.h"
#include "sim/trace/perfetto.h"
#include "sim/trace/trace_csv.h"

using namespace sim;

namespace {

/// A CTA of flash2 with enough keys for about a million events.
Plan million_event_plan() {
  Scenario s;
  s.shape.seqlen_q = s.br.emplace(128);
  s.shape.seqlen_k = 112'000 * s.bc.emplace(16);
  return make_plan(s);
}

void write_texts(const Timeline& timeline, const Sink& sink) {
  for (const TimelineKernel& kernel : timeline.kernels) write_text(kernel.trace, sink);
}

void million_event_trace(benchmark::State& state, void (*format)(const Timeline&, const Sink&)) {
  const Timeline timeline = replay_timeline(million_event_plan(), {});
  std::size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    format(timeline, [&](std::string_view piece) { bytes += piece.size(); });
  }
  state.counters["events"] = static_cast<double>(timeline.kernels[0].trace.events.size());
  state.counters["bytes"] = static_cast<double>(bytes);
}

void million_event_replay(benchmark::State& state) {
  const Plan plan = million_event_plan();
  for (auto _ : state) benchmark::DoNotOptimize(replay(plan, plan.launches[0], {}));
}

void million_event_scheduled_replay(benchmark::State& state) {
  const Plan plan = million_event_plan();
  for (auto _ : state) benchmark::DoNotOptimize(scheduled_replay(plan, plan.launches[0], {}));
}

}  // namespace

BENCHMARK(million_event_scheduled_replay)->Unit(benchmark::kMillisecond);
BENCHMARK(million_event_replay)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(million_event_trace, perfetto, write_perfetto)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(million_event_trace, chrome_json, write_chrome_json)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(million_event_trace, csv, write_trace_csv)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(million_event_trace, text, write_texts)->Unit(benchmark::kMillisecond);
