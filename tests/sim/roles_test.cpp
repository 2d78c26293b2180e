// Warp-specialised programs: barriers, what runs the roles, and a program of two.
#include "sim/machine/roles.h"

#include <catch2/catch.hpp>
#include <map>

#include "sim/model/sampled_cta.h"
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

namespace {

/// A role that transposes a tile after its copy, and one that waits for the result.
Warpgroup transposes(TestCta& t, Ring& V, Ring& VT) {
  V[0] = t.cta.load(block(t.plan.problem.hbm.V, t.row), V.full(0));
  co_await V.full(0);
  VT[0] = t.cta.transpose(Tensor::V, V[0]);
  arrive(VT.full(0));
}

/// A role that adds a tile of dQ to HBM once another one has put it into shared memory.
Warpgroup writes(TestCta& t, Ring& dQ) {
  co_await dQ.full(0);
  t.cta.reduce(dQ[0], block(t.plan.problem.hbm.dQ_acc, t.row), dQ.read(0));
}
Warpgroup puts(TestCta& t, Ring& dQ) {
  RegTile tile = t.cta.zeros(Tensor::dQ, t.row, t.plan.problem.hbm.dQ_acc);
  co_await dQ.empty(0);
  dQ[0] = t.cta.put(Tensor::dQ_acc, tile);
  arrive(dQ.full(0));
  co_await dQ.empty(1);
}

SmRates rates_of_roles() { return role_rates(*built_in_gpu("h100-sxm"), Dtype::fp16, {}); }

}  // namespace

TEST_CASE("a role of one warp has a quarter of the registers of four") {
  TestCta small;
  small.roles.push_back({"writer", 240, holds(small), 32});
  CHECK(small.failure().empty());
  TestCta smaller;
  smaller.roles.push_back({"writer", 120, holds(smaller), 32});
  CHECK_THAT(smaller.failure(), Contains("needs 16.0 KiB, 15.0 KiB of 15.0 KiB registers of its warpgroup are free"));
  CHECK(smaller.trace.roles[0].threads == 32);
  CHECK(smaller.trace.roles[0].register_bytes() == Bytes(32 * 120 * 4));
}

TEST_CASE("a role of one warp issues on one scheduler: it takes four times as long alone as a role of four") {
  const Plan plan = two_warpgroups::plan(scenario(false));
  Trace trace = replay(plan, plan.launches[0], {});
  const SmRates rates = rates_of_roles();
  const std::vector<Task> four = tasks_of(trace, plan.launches[0], rates);
  trace.roles[1].threads = 32;
  const std::vector<Task> one = tasks_of(trace, plan.launches[0], rates);
  int compared = 0;
  for (std::size_t n = 0; n < one.size(); ++n) {
    CHECK(one[n].work.cycles == four[n].work.cycles);  // its instructions are as many
    if (four[n].least == 0) continue;
    CHECK(one[n].least == Approx(4 * four[n].least));
    ++compared;
  }
  CHECK(compared > 40);
}

TEST_CASE("a producer that transposes a tile reads and writes it in shared memory, and permutes its bytes") {
  TestCta t;
  Ring V(t.cta, Tensor::V, 64, 64, 1, 1), VT(t.cta, Tensor::V, 64, 64, 1, 1);
  t.roles.push_back({"producer", 24, transposes(t, V, VT)});
  t.roles.push_back({"consumer", 240, waits_for(VT.full(0))});
  REQUIRE(t.failure().empty());
  REQUIRE(t.trace.events.size() == 5);
  const Event& event = t.trace.events[2];
  CHECK(event.verb == Verb::transpose);
  CHECK(event.smem_bytes == 2 * 64 * 64 * 2);
  CHECK(event.operands[0] == 0);
  const SmWork work = work_of(event, rates_of_roles());
  CHECK(work[Pipe::smem] == Approx(2 * 64 * 64 * 2 / 128.0));
  CHECK(instructions_of(event) == Approx(64 * 64 / 4 / 32 + 2 * 64 * 64 * 2 / 512.0));
  CHECK(t.trace.events[3].verb == Verb::arrive);
  CHECK(t.trace.events[4].role == 1);
}

TEST_CASE("a reduction out of shared memory frees its tile when it has left") {
  TestCta t;
  Ring dQ(t.cta, Tensor::dQ_acc, 64, 64, 1, 1);
  CHECK(t.space.peak_smem() == Bytes(64 * 64 * 4));
  t.roles.push_back({"dQ writer", 24, writes(t, dQ), 32});
  t.roles.push_back({"consumer", 240, puts(t, dQ)});
  REQUIRE(t.failure().empty());
  const auto event = std::find_if(t.trace.events.begin(), t.trace.events.end(),
                                  [](const Event& e) { return e.verb == Verb::atomic_add; });
  REQUIRE(event != t.trace.events.end());
  CHECK(event->direction == Direction::both);
  CHECK(event->level == Level::smem);
  CHECK(event->bytes == 64 * 64 * 4);
  const Plan& plan = t.plan;
  const RoleTasks tasks{tasks_of(t.trace, plan.launches[0], rates_of_roles()), t.trace.barriers, t.trace.roles};
  const SmRun run = run_sm_roles(tasks, {1, 50, 0}, 1);  // a byte a cycle
  CHECK(run.cycles_per_cta == Approx(64 * 64 * 4).epsilon(0.02));
  TestCta stuck;
  Ring never(stuck.cta, Tensor::dQ_acc, 64, 64, 1, 1);
  stuck.roles.push_back({"dQ writer", 24, writes(stuck, never), 32});
  CHECK_THAT(stuck.failure(), Contains("dQ writer for the full barrier dQ_acc 0, phase 0 (0 of 1 arrivals)"));
}
