// The times of a replayed CTA: every interval is work or a wait with a cause.
#include "sim/model/scheduled_replay.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/model/cta_time.h"
#include "sim/model/kernel_meters.h"
#include "sim/model/sampled_cta.h"
#include "tests/support/random_scenario.h"

using namespace sim;

namespace {

struct Case {
  std::string what;
  const Plan& plan;
  const Launch& launch;
  SmLoad load;
  Trace trace;
};

Scenario small(const std::string& algorithm, const char* gpu) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = all_passes(s.algorithm);
  s.shape = {30, 4, 2, 100, 120, 16, {true, 5, 60}};
  s.br = 32;
  s.bc = 16;
  s.dropout = 0.1;
  s.gpu = built_in_gpu(gpu);
  return within_limits(s);
}

/// Every kernel of every program, both passes, on a slow device and on a fast one.
template <class Check>
void each_kernel(Check check) {
  for (const char* gpu : {"toy", "h100-sxm"}) {
    for (const std::string& name : names_with_queries()) {
      const Plan plan = make_plan(small(name, gpu));
      for (const Launch& launch : plan.launches) {
        const SmLoad load = sm_load(plan, launch, measure(plan, launch, count(plan, launch)).demand());
        const Case one{text(gpu, " ", launch.name), plan, launch, load, scheduled_replay(plan, launch, {})};
        INFO(one.what << ", " << load.residents << " residents");
        check(one);
      }
    }
  }
}

/// Work of a role itself, which copies and asynchronous products are not, and its waits, also those for its products.
std::vector<std::pair<Cycles, Cycles>> work_and_waits(const Trace& trace, std::size_t role) {
  std::vector<std::pair<Cycles, Cycles>> spans;
  for (const Event& event : trace.events) {
    const bool passes = event.engine == Engine::barrier && (event.verb == Verb::arrive || event.sync.barrier >= 0);
    const bool works = event.direction == Direction::none && !event.asynchronous && !passes;
    if (event.role == role && works && event.end > event.begin) spans.emplace_back(event.begin, event.end);
  }
  for (const WaitSpan& wait : trace.waits) {
    const std::size_t of = wait.event < 0 ? 0 : trace.events[static_cast<std::size_t>(wait.event)].role;
    if (of == role) spans.emplace_back(wait.begin, wait.end);
  }
  std::sort(spans.begin(), spans.end());
  return spans;
}

/// Sums the budget of a trace, in cycles.
Budget sum_of(const Trace& trace) {
  const auto cycles = [](Cycles time) { return static_cast<double>(time.count()) / ticks_per_cycle; };
  Budget sum;
  for (const Event& event : trace.events) {
    if (event.direction == Direction::none) sum[event.cause] += cycles(event.end - event.begin);
  }
  for (const WaitSpan& wait : trace.waits) sum[wait.cause] += cycles(wait.end - wait.begin);
  for (const Delay& delay : trace.delays) {
    sum[delay.cause] += cycles(delay.time);
    sum[trace.events[static_cast<std::size_t>(delay.event)].cause] -= cycles(delay.time);
  }
  return sum;
}

}  // namespace

TEST_CASE("the work and the waits of a replayed CTA fill its time without gap or overlap") {
  each_kernel([](const Case& one) {
    Cycles latest, end;
    for (std::size_t role = 0; role < std::max<std::size_t>(1, one.trace.roles.size()); ++role) {
      Cycles now;
      for (const auto& [from, to] : work_and_waits(one.trace, role)) {
        CHECK(from == now);
        now = to;
      }
      latest = std::max(latest, now);
    }
    for (const Event& event : one.trace.events) end = std::max(end, event.end);
    CHECK(latest == end);
    CHECK(end > Cycles{});
  });
}

TEST_CASE("the work, the delays and the waits of a replayed CTA add up to its budget, cause by cause") {
  bool delayed = false;
  each_kernel([&](const Case& one) {
    if (!one.trace.roles.empty()) return;  // products run concurrently with work there
    const auto tasks = compiled_tasks(one.trace, one.plan, one.launch, {}, {});
    const Budget budget = run_sm(tasks, one.load.port, one.load.residents).slots[0], sum = sum_of(one.trace);
    const std::size_t spans = tasks.size() + one.trace.waits.size() + one.trace.delays.size();
    const double rounding = static_cast<double>(spans) / ticks_per_cycle;  // two ends of half a tick each
    for (const Cause cause : all_causes) {
      INFO(name_of(cause));
      CHECK(sum[cause] == Approx(budget[cause]).margin(rounding));
    }
    delayed = delayed || !one.trace.delays.empty();
  });
  CHECK(delayed);
}

TEST_CASE("copies take the port one after the other, and a wait for one ends when it arrives") {
  each_kernel([](const Case& one) {
    std::vector<std::pair<Cycles, Cycles>> iterations;
    for (const Event& event : one.trace.events) {
      if (event.direction != Direction::none) iterations.emplace_back(event.begin, event.released);
    }
    std::sort(iterations.begin(), iterations.end());
    for (std::size_t n = 1; n < iterations.size(); ++n) CHECK(iterations[n].first >= iterations[n - 1].second);
    for (const WaitSpan& wait : one.trace.waits) {
      if (wait.awaited == no_event) continue;
      const Event& copy = one.trace.events[static_cast<std::size_t>(wait.awaited)];
      CHECK(copy.direction != Direction::none);
      CHECK(wait.end == (wait.cause == Cause::data ? copy.end : copy.released));
    }
  });
}

TEST_CASE("an engine is released before the latency of a copy in, and at the end of all other events") {
  each_kernel([](const Case& one) {
    for (const Event& event : one.trace.events) {
      CHECK((event.end > event.released) == (event.engine == Engine::copy_in));
      CHECK(event.released >= event.begin);
    }
  });
}

TEST_CASE("the same CTA gets the same times every time") {
  const Plan plan = make_plan(small("flash1", "h100-sxm"));
  for (const Launch& launch : plan.launches) {
    CHECK(to_text(scheduled_replay(plan, launch, {})) == to_text(scheduled_replay(plan, launch, {})));
  }
}
