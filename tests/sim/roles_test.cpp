// Warp-specialised programs: barriers, what runs the roles, and a program of two.
#include "sim/machine/roles.h"

#include <catch2/catch.hpp>
#include <map>

#include "sim/model/scheduled_replay.h"
#include "sim/model/simulation.h"
#include "tests/support/two_warpgroups.h"

using namespace sim;
using Catch::Contains;

namespace {

Scenario scenario(bool causal) {
  Scenario s;
  s.shape.seqlen_q = s.shape.seqlen_k = 1000;
  s.shape.mask.causal = causal;
  s.br = s.bc = 64;
  return s;
}

/// A CTA of one tile whose roles are written in a test.
struct TestCta {
  explicit TestCta(const Plan& of = make_plan(scenario(false))) : plan(of), space(plan.capacity) {
    setup.shape = &plan.problem.shape;
    setup.mode = Mode::replay;
    setup.br = setup.bc = 64;
  }
  Plan plan;
  Space space;
  Trace trace;
  CtaSetup setup;
  Cta cta{setup, space, trace};
  std::vector<RoleRun> roles;
  Block row = make_block({1000, 64}, 0, Origin::cta);

  std::string failure() {
    try {
      run_roles(cta, std::move(roles));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

/// Number of events of each verb, role and kind of barrier.
std::map<std::string, int> operations(const Trace& trace) {
  std::map<std::string, int> count;
  for (const Event& event : trace.events) {
    if (event.sync == Sync{}) continue;
    const std::string_view kind = event.sync.barrier < 0
                                      ? "products"
                                      : name_of(trace.barriers.at(static_cast<std::size_t>(event.sync.barrier)).kind);
    ++count[text(trace.roles.at(event.role).name, " ", name_of(event.verb), " ", kind)];
  }
  return count;
}

Totals totals_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

}  // namespace

TEST_CASE("a phase of a barrier is over when all its arrivals are there and not before") {
  TestCta t;
  Barrier barrier(t.cta, BarrierKind::empty, "K 0", 2);
  CHECK(barrier.is_over(-1));
  barrier.arrive(0, 7);
  CHECK_FALSE(barrier.is_over(0));
  CHECK(barrier.text_of(0) == "empty barrier K 0, phase 0 (1 of 2 arrivals)");
  barrier.arrive(0, 9);
  CHECK(barrier.is_over(0));
  CHECK_FALSE(barrier.is_over(1));
  CHECK(barrier.completed_by() == std::vector<std::int32_t>{7, 9});
  CHECK_THROWS_WITH(barrier.arrive(0, 10), Contains("an arrival at the empty barrier K 0, phase 1"));
}

TEST_CASE("two warpgroups count exactly what flash2 counts") {
  for (const bool causal : {false, true}) {
    const Plan special = two_warpgroups::plan(scenario(causal)), plain = make_plan(scenario(causal));
    const Totals a = totals_of(special), b = totals_of(plain);
    CHECK(a.by_tensor == b.by_tensor);
    CHECK(a.by_bucket == b.by_bucket);
    CHECK(a.matmul_flops == b.matmul_flops);
    CHECK(a.exps == b.exps);
    CHECK(a == count_by_brute_force(special));
  }
}

TEST_CASE("two warpgroups compute what flash2 computes, bit for bit") {
  const Scenario s = scenario(true);
  const AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 4);
  CHECK(compute(two_warpgroups::plan(s), inputs).o == compute(make_plan(s), inputs).o);
}

TEST_CASE("values, bytes and operations at barriers are the same in whatever order roles are resumed") {
  const Scenario s = scenario(true);
  const AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 4);
  Plan plan = two_warpgroups::plan(s);
  const AttentionOutputs values = compute(plan, inputs);
  const Totals totals = totals_of(plan);
  const auto waits = operations(replay(plan, plan.launches[0], {0, 0, 3, 0}));
  for (plan.resume_seed = 1; plan.resume_seed <= 20; ++plan.resume_seed) {
    INFO("seed " << plan.resume_seed);
    CHECK(compute(plan, inputs).o == values.o);
    CHECK(totals_of(plan) == totals);
    CHECK(operations(replay(plan, plan.launches[0], {0, 0, 3, 0})) == waits);
  }
}

TEST_CASE("a CTA of T tiles waits 2T + 1 times for full stages and 2T times for empty ones") {
  const Plan plan = two_warpgroups::plan(scenario(false));
  constexpr int tiles = 16;
  const std::map<std::string, int> expected = {{"producer load full", 2 * tiles + 1},
                                               {"producer wait empty", 2 * tiles},
                                               {"consumer wait full", 2 * tiles + 1},
                                               {"consumer arrive empty", 2 * tiles},
                                               {"consumer wait products", 2 * tiles}};
  CHECK(operations(replay(plan, plan.launches[0], {0, 0, 3, 0})) == expected);
}

TEST_CASE("the producer runs ahead by the stages of the ring and no further") {
  const Plan plan = two_warpgroups::plan(scenario(false));
  const Trace trace = scheduled_replay(plan, plan.launches[0], {0, 0, 3, 0});
  std::vector<Cycles> loads, products;
  for (const Event& event : trace.events) {
    if (event.verb == Verb::load && event.tensor == Tensor::K) loads.push_back(event.begin);
    if (event.verb == Verb::gemm && event.tensor == Tensor::S) products.push_back(event.end);
    if (event.verb == Verb::load) CHECK(event.role == 0);
    if (event.verb == Verb::gemm) CHECK(event.role == 1);
  }
  REQUIRE(loads.size() == 16);
  bool ahead = false;
  for (std::size_t n = two_warpgroups::stages; n < loads.size(); ++n) {
    CHECK(loads[n] >= products[n - two_warpgroups::stages]);
    ahead = ahead || loads[n - 1] < products[n - two_warpgroups::stages];
  }
  CHECK(ahead);
}

TEST_CASE("times of roles are the same every time, and each role works on one event at a time but its products") {
  const Plan plan = two_warpgroups::plan(scenario(true));
  const Trace trace = scheduled_replay(plan, plan.launches[0], {0, 0, 15, 0});
  CHECK(to_text(trace) == to_text(scheduled_replay(plan, plan.launches[0], {0, 0, 15, 0})));
  std::array<Cycles, 2> until;
  for (const Event& event : trace.events) {
    if (event.engine == Engine::copy_in || event.engine == Engine::copy_out || event.asynchronous) continue;
    CHECK(event.begin >= until[event.role]);
    CHECK(event.end >= event.begin);
    until[event.role] = event.end;
  }
}

TEST_CASE("a kernel of several roles has a time whose budget adds up, with waits for stages") {
  const Plan plan = two_warpgroups::plan(scenario(false));
  const KernelMeters kernel = measure(plan, plan.launches[0], count(plan, plan.launches[0]));
  CHECK(kernel.time.microseconds > 0);
  CHECK(kernel.time.budget.total() == Approx(kernel.time.microseconds));
  CHECK(kernel.time.budget[Cause::stage] > 0);
  CHECK(kernel.needs.registers == Bytes(128 * (24 + 240) * 4));
  CHECK(kernel.iterations == 16);
}

namespace {

Warpgroup waits_for(Phase phase) { co_await phase; }
Warpgroup fails() {
  throw Error("a role's own error");
  co_return;
}

Warpgroup reads_early(TestCta& t, bool waits) {
  const SmemTile Q = t.cta.load(block(t.plan.problem.hbm.Q, t.row)), K = t.cta.load(block(t.plan.problem.hbm.K, t.row));
  RegTile S = t.cta.wgmma_nt(Q, K);
  if (waits) t.cta.products(0);
  t.cta.scale(S, 2);
  co_return;
}

Warpgroup holds(TestCta& t) {
  const RegTile O = t.cta.zeros(Tensor::O, t.row, t.plan.problem.hbm.O);
  co_return;
}

}  // namespace

TEST_CASE("a deadlock names each role with its barrier, phase and arrivals, and an error inside a role is reported") {
  TestCta t;
  Ring ring(t.cta, Tensor::K, 64, 64, 2, 2);
  t.roles.push_back({"producer", 24, waits_for(ring.empty(3))});
  t.roles.push_back({"consumer 1", 240, waits_for(ring.full(0))});
  CHECK(
      t.failure() ==
      "deadlock: every role that is left waits for an arrival that none of them makes: producer for the empty barrier "
      "K 1, phase 0 (0 of 2 arrivals); consumer 1 for the full barrier K 0, phase 0 (0 of 1 arrivals)");
  TestCta other;
  other.roles.push_back({"consumer", 240, fails()});
  CHECK(other.failure() == "a role's own error");
}

TEST_CASE("accumulators that are read before products() has waited for them are refused") {
  for (const bool waits : {false, true}) {
    TestCta t;
    t.roles.push_back({"consumer", 240, reads_early(t, waits)});
    const std::string failure = t.failure();
    CHECK(failure.empty() == waits);
    if (!waits) CHECK_THAT(failure, Contains("reads S before products() has waited"));
  }
}

TEST_CASE("tiles of a role fit into its own registers, not into those of the CTA") {
  TestCta large, small;
  large.roles.push_back({"consumer", 240, holds(large)});
  CHECK(large.failure().empty());
  small.roles.push_back({"producer", 24, holds(small)});
  CHECK_THAT(small.failure(), Contains("O tile (64, 64) fp32 needs 16.0 KiB, 12.0 KiB of 12.0 KiB registers of its "
                                       "warpgroup are free"));
}
