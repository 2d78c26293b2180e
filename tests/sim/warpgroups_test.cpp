// Barriers, the scheduler, and a warp-specialised program.
#include <catch2/catch.hpp>

#include "sim/model/simulation.h"
#include "sim/trace/timeline.h"
#include "tests/support/two_warpgroups.h"

using namespace sim;

namespace {

Scenario scenario(bool causal) {
  Scenario s;
  s.shape.seqlen_q = s.shape.seqlen_k = 1000;
  s.shape.mask.causal = causal;
  s.br = s.bc = 64;
  return s;
}

}  // namespace

TEST_CASE("a barrier phase completes at its latest arrival and not before the last of them") {
  Barrier barrier(2);
  barrier.arrive(whole_cycles(7));
  CHECK_FALSE(barrier.completed(0));
  barrier.arrive(whole_cycles(5));
  REQUIRE(barrier.completed(0));
  CHECK(barrier.completed_at(0) == whole_cycles(7));
  CHECK_FALSE(barrier.completed(1));
  barrier.arrive(whole_cycles(9));
  barrier.arrive(whole_cycles(9));
  CHECK(barrier.completed_at(1) == whole_cycles(9));
}

TEST_CASE("an engine is taken one tick before it is free and free on the tick") {
  EngineClocks clocks;
  CHECK(clocks.book(Engine::tensor, Cycles(0), Cycles(100)) == Cycles(0));
  EngineClocks early = clocks, exact = clocks, late = clocks;
  CHECK(early.book(Engine::tensor, Cycles(99), Cycles(1)) == Cycles(100));
  CHECK(exact.book(Engine::tensor, Cycles(100), Cycles(1)) == Cycles(100));
  CHECK(late.book(Engine::tensor, Cycles(101), Cycles(1)) == Cycles(101));
  CHECK(clocks.book(Engine::exp, Cycles(99), Cycles(1)) == Cycles(99));
}

TEST_CASE("two warpgroups count exactly what flash2 counts") {
  for (const bool causal : {false, true}) {
    Scenario s = scenario(causal);
    const Plan special = two_warpgroups::plan(s), plain = make_plan(s);
    Totals a, b;
    for (const Trace& trace : count(special)) add_to(a, trace);
    for (const Trace& trace : count(plain)) add_to(b, trace);
    CHECK(a.by_tensor == b.by_tensor);
    CHECK(a.by_bucket == b.by_bucket);
    CHECK(a.matmul_flops == b.matmul_flops);
    CHECK(a.exps == b.exps);
    CHECK(a == count_by_brute_force(special));
  }
}

TEST_CASE("two warpgroups compute what flash2 computes, bit for bit") {
  Scenario s = scenario(true);
  const AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 4);
  CHECK(compute(two_warpgroups::plan(s), inputs).o == compute(make_plan(s), inputs).o);
}

TEST_CASE("the producer runs ahead by the stages of the ring and no further") {
  const Plan plan = two_warpgroups::plan(scenario(false));
  const Trace trace = replay(plan, plan.launches[0], {0, 0, 3, 0});
  std::vector<Cycles> loads, products;
  for (const Event& event : trace.events) {
    if (event.verb == Verb::load && event.tensor == Tensor::K) loads.push_back(event.begin);
    if (event.verb == Verb::gemm && event.tensor == Tensor::O) products.push_back(event.end);
    CHECK(event.role == (event.verb == Verb::load && event.tensor != Tensor::Q ? 0 : 1));
  }
  REQUIRE(loads.size() == 16);
  bool ahead = false;
  for (std::size_t n = 2; n < loads.size(); ++n) {
    CHECK(loads[n] >= products[n - 2]);
    ahead = ahead || loads[n - 1] < products[n - 2];
  }
  CHECK(ahead);
}

TEST_CASE("a warp-specialised replay is the same trace every time and keeps each engine to one event at a time") {
  const Plan plan = two_warpgroups::plan(scenario(true));
  const Trace trace = replay(plan, plan.launches[0], {0, 0, 15, 0});
  CHECK(to_text(trace) == to_text(replay(plan, plan.launches[0], {0, 0, 15, 0})));
  std::array<Cycles, engine_count> busy_until;
  for (const Event& event : trace.events) {
    if (event.engine == Engine::copy_in) continue;  // its end includes the latency
    Cycles& until = busy_until[static_cast<std::size_t>(event.engine)];
    CHECK(event.begin >= until);
    until = event.end;
  }
  CHECK(end_of(trace) > Cycles(0));
}

namespace {

Warpgroup waits_for_nobody(const Barrier& barrier) { co_await wait(barrier, 0); }
Warpgroup fails() {
  throw Error("a warpgroup's own error");
  co_return;
}

}  // namespace

TEST_CASE("a deadlock and an error inside a warpgroup are reported, not hung") {
  const Plan plan = make_plan(scenario(false));
  Space space(plan.capacity);
  Trace trace;
  CtaSetup setup;
  setup.shape = &plan.problem.shape;
  Cta cta(setup, space, trace);
  const Barrier never;
  std::vector<Warpgroup> stuck, failing;
  stuck.push_back(waits_for_nobody(never));
  CHECK_THROWS_WITH(run_warpgroups(cta, std::move(stuck)),
                    Catch::Contains("deadlock") && Catch::Contains("warpgroup 0 for phase 0"));
  failing.push_back(fails());
  CHECK_THROWS_WITH(run_warpgroups(cta, std::move(failing)), "a warpgroup's own error");
}
