// Time of a CTA by engine: the sums close, and the waits equal those of the trace and the time budget.
#include "sim/model/stalls.h"

#include <catch2/catch.hpp>

#include "sim/catalogue/run_values.h"
#include "sim/model/sampled_cta.h"
#include "sim/model/scheduled_replay.h"
#include "tests/support/takes.h"
#include "tests/support/typed_scenario.h"

using namespace sim;

namespace {

/// Cycles in which the CTA computes; copies run concurrently and count as 0.
Cycles computed(const EngineTime& engine) {
  return engine.engine == Engine::copy_in || engine.engine == Engine::copy_out ? Cycles{} : engine.work;
}

void check_sums(const TypicalCta& cta) {
  const Stalls stalls = stalls_of(cta.trace);
  Cycles serial;  // the CTA computes or waits
  for (const EngineTime& engine : stalls.engines) {
    INFO(name_of(engine.engine));
    CHECK(engine.work >= Cycles{});
    CHECK(engine.idle >= Cycles{});
    CHECK((engine.work + engine.waiting() + engine.idle).count() == stalls.time.count());
    serial += computed(engine) + engine.waiting();
  }
  if (!cta.trace.roles.empty()) return;  // roles work concurrently
  // Work and waits fill the CTA's time, except that a wait for a store counts as work of the store.
  CHECK(serial <= stalls.time);
  CHECK(serial + stalls.engines.back().work >= stalls.time);
}

}  // namespace

TEST_CASE("work, waits and idle time of each engine sum to the CTA's time, for every program on three GPUs") {
  Dice dice(71);
  for (const std::string& name : names_with_queries()) {
    for (const char* gpu : {"t4", "a100-sxm-40gb", "h100-sxm"}) {
      const Scenario s = typed_scenario(dice, name, gpu);
      if (!takes(s)) continue;
      INFO(name << " on " << gpu << ", N " << s.shape.seqlen_q << ", causal " << s.shape.mask.causal);
      const Simulation run = simulate(s);
      for (std::size_t k = 0; k < run.kernels.size(); ++k) check_sums(typical_cta(run, k));
    }
  }
}

TEST_CASE("the stalls of a run are those of the CTA that --cta replays, in microseconds and percent") {
  for (const std::string& name : names_with_queries()) {
    Scenario s;
    s.algorithm = name;
    s.shape = {4, 8, 8, 2048, 2048, 64, {}};
    if (!takes(s)) continue;
    const Simulation run = simulate(s);
    const auto values = values_of(run);
    for (std::size_t k = 0; k < run.kernels.size(); ++k) {
      const std::string path = text("stalls.kernels.", k, ".");
      INFO(name << " " << path);
      const Launch& launch = run.plan.launches[k];
      if (typical_cta(run, k).iterations > 0) continue;
      const Trace trace = scheduled_replay(run.plan, launch, busiest_cta(s.shape, launch.grid));
      const Stalls stalls = stalls_of(trace);
      CHECK(number_at(values, path + "events") == static_cast<double>(trace.events.size()));
      const double all = number_at(values, path + "microseconds");
      for (const EngineTime& engine : stalls.engines) {
        const std::string leaf = path + std::string(name_of(engine.engine)) + ".";
        double waits = 0, percent = 0;
        for (const PathValue& value : values) {
          if (value.path.starts_with(leaf + "waits.")) waits += number_at(values, value.path);
          if (value.path.starts_with(leaf) && value.path.ends_with("_percent"))
            percent += number_at(values, value.path);
        }
        CHECK(waits == Approx(number_at(values, leaf + "waiting")).margin(1e-9));
        CHECK(percent == Approx(100).epsilon(1e-9));
        CHECK(number_at(values, leaf + "work") ==
              Approx(all * static_cast<double>(engine.work.count()) / static_cast<double>(stalls.time.count())));
      }
    }
  }
}

TEST_CASE(
    "an engine of flash3 works while it does for any role, and waits for turns and stages while it does for none") {
  Scenario s;
  s.algorithm = "flash3";
  s.shape = {4, 16, 16, 2048, 2048, 128, {}};
  const Trace trace = typical_cta(simulate(s), 0).trace;
  const Stalls stalls = stalls_of(trace);
  for (const EngineTime& engine : stalls.engines) {
    std::vector<std::pair<Cycles, Cycles>> spans;
    for (std::size_t n = 0; n < trace.events.size(); ++n) {
      const Event& event = trace.events[n];
      Cycles begin = event.begin;
      for (const Delay& delay : trace.delays) {
        if (delay.event == static_cast<std::int32_t>(n)) begin += delay.time;
      }
      if (event.engine == engine.engine) spans.emplace_back(begin, event.released);
    }
    std::sort(spans.begin(), spans.end());
    Cycles work, until;
    for (const auto& [begin, end] : spans) {
      work += std::max(Cycles{}, end - std::max(begin, until));
      until = std::max(until, end);
    }
    INFO(name_of(engine.engine));
    CHECK(engine.work == work);
  }
  CHECK(stalls.engines[0].wait(Cause::stage) > Cycles{});  // copies
  CHECK(stalls.engines[1].wait(Cause::turn) > Cycles{});   // tensor cores
}

TEST_CASE("waits by engine sum to the waits and delays of the trace by cause") {
  Scenario s;
  s.shape = {4, 32, 32, 2048, 2048, 64, {}};
  const Simulation run = simulate(s);
  const TypicalCta cta = typical_cta(run, 0);
  const Stalls stalls = stalls_of(cta.trace);
  std::array<Cycles, cause_count> expected{};
  for (const WaitSpan& wait : cta.trace.waits) expected[static_cast<std::size_t>(wait.cause)] += wait.end - wait.begin;
  for (const Delay& delay : cta.trace.delays) expected[static_cast<std::size_t>(delay.cause)] += delay.time;
  for (const Cause cause : all_causes) {
    Cycles sum;
    for (const EngineTime& engine : stalls.engines) sum += engine.wait(cause);
    INFO(name_of(cause));
    // The last wait is for the store of O, whose transfer counts as work of the store.
    const Cycles stored = cause == Cause::bandwidth ? stalls.engines.back().work : Cycles{};
    CHECK((sum + stored).count() >= expected[static_cast<std::size_t>(cause)].count());
    CHECK(sum.count() <= expected[static_cast<std::size_t>(cause)].count());
  }
  CHECK(stalls.engines[1].wait(Cause::barrier) > Cycles{});
}
