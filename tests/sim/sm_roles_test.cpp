// The schedule of CTAs whose roles have lanes of their own. Every time here is computed by hand.
#include <catch2/catch.hpp>

#include "sim/machine/sm_schedule.h"

using namespace sim;
using Catch::Contains;

namespace {

/// A byte a cycle, 50 cycles until a copy arrives.
constexpr SmPort slow_port{1, 50, 30};
constexpr std::int16_t full = 0, empty = 1, turn = 2;

Task of_role(std::uint8_t role, Task::Kind kind) {
  Task task;
  task.role = role;
  task.kind = kind;
  return task;
}
Task work(std::uint8_t role, Pipe pipe, double cycles) {
  Task task = of_role(role, Task::Kind::work);
  task.work[pipe] = cycles;
  return task;
}
Task product(std::uint8_t role, double cycles) {
  Task task = work(role, Pipe::tensor, cycles);
  task.kind = Task::Kind::product;
  return task;
}
Task load(std::uint8_t role, double bytes) {
  Task task = of_role(role, Task::Kind::copy_in);
  task.bytes = bytes;
  task.barrier = full;
  return task;
}
Task at_barrier(std::uint8_t role, Task::Kind kind, std::int16_t barrier, std::int32_t phase) {
  Task task = of_role(role, kind);
  task.barrier = barrier;
  task.number = phase;
  return task;
}
Task wait(std::uint8_t role, std::int16_t barrier, std::int32_t phase) {
  return at_barrier(role, Task::Kind::wait_phase, barrier, phase);
}
Task arrive(std::uint8_t role, std::int16_t barrier, bool after_products = false) {
  Task task = at_barrier(role, Task::Kind::arrive, barrier, 0);
  task.after_products = after_products;
  return task;
}
Task products(std::uint8_t role, std::int32_t under_way) {
  Task task = of_role(role, Task::Kind::wait_products);
  task.number = under_way;
  return task;
}

SmRun run(std::vector<Task> tasks, int rounds = 1, int residents = 1) {
  const std::vector<TraceBarrier> barriers = {
      {"K 0", BarrierKind::full, 1}, {"K 0", BarrierKind::empty, 1}, {"warpgroup 1", BarrierKind::turn, 1}};
  return run_sm_roles(RoleTasks{std::move(tasks), barriers, {{"first", 240}, {"second", 240}}}, slow_port, residents,
                      rounds);
}

Cycles at(double cycles) { return nearest_tick(cycles); }
using Waits = std::vector<WaitSpan>;

}  // namespace

TEST_CASE("a role waits for a stage until the copy of another role has arrived there") {
  const SmRun run_of = run({load(0, 100), wait(1, full, 0), work(1, Pipe::exp, 10)});
  CHECK(run_of.first.spans[0].begin == at(0));
  CHECK(run_of.first.spans[0].ready == at(150));
  CHECK(run_of.first.waits == Waits{{at(0), at(150), Cause::stage, 1, -1}});
  CHECK(run_of.first.spans[2].begin == at(150));
  CHECK(run_of.cycles_per_cta == 160);
  CHECK(run_of.budget[Cause::stage] == 150);  // budget of the role that computes
  CHECK(run_of.budget[Cause::exp] == 10);
}

TEST_CASE("a copy is issued by the role that reaches it, after the stage is free again") {
  const SmRun one = run({load(0, 100), wait(0, empty, 0), load(0, 7),  //
                         wait(1, full, 0), work(1, Pipe::exp, 40), arrive(1, empty), wait(1, full, 1)});
  CHECK(one.first.spans[2].begin == at(190));  // 150 + 40
  CHECK(one.cycles_per_cta == 190 + 7 + 50);
}

TEST_CASE("a phase below 0 is over from the start") {
  CHECK(run({wait(0, empty, -1), load(0, 10), wait(1, full, 0)}).cycles_per_cta == 60);
}

TEST_CASE("a role continues while its product runs, until its wait for it") {
  const SmRun one =
      run({product(0, 100), work(0, Pipe::exp, 60), products(0, 0), work(0, Pipe::fp32, 5), work(1, Pipe::fp32, 1)});
  CHECK(one.first.spans[0].begin == at(0));
  CHECK(one.first.spans[0].end == at(100));
  CHECK(one.first.spans[1].end == at(60));
  CHECK(one.first.spans[2].begin == at(60));
  CHECK(one.first.spans[2].end == at(100));
  CHECK(one.cycles_per_cta == 105);
  CHECK(one.roles[0][Cause::exp] == 60);
  CHECK(one.roles[0][Cause::tensor] == 40);
  CHECK(one.roles[0][Cause::fp32] == 5);
}

TEST_CASE("products of one role run in order, those of several roles share the tensor cores equally") {
  const SmRun one = run({product(0, 100), product(0, 30), products(0, 0), work(1, Pipe::exp, 1)});
  CHECK(one.first.spans[1].begin == at(100));
  CHECK(one.cycles_per_cta == 130);
  // 50 and 100: both at half speed up to 100, when the shorter one ends; then the rest alone.
  const SmRun two = run({product(0, 50), products(0, 0), product(1, 100), products(1, 0)});
  CHECK(two.first.spans[0].end == at(100));
  CHECK(two.first.spans[2].end == at(150));
  CHECK(two.roles[0][Cause::tensor] == 50);
  CHECK(two.roles[0][Cause::tensor_busy] == 50);
  CHECK(two.roles[0][Cause::tail] == 50);  // until the other role ends
  CHECK(two.roles[1][Cause::tensor] == 100);
  CHECK(two.roles[1][Cause::tensor_busy] == 50);
}

TEST_CASE("products(1) waits for all but the newest product") {
  const SmRun one = run(
      {product(0, 40), product(0, 100), products(0, 1), work(0, Pipe::exp, 10), products(0, 0), work(1, Pipe::exp, 1)});
  CHECK(one.first.spans[3].begin == at(40));
  CHECK(one.cycles_per_cta == 140);
}

TEST_CASE("a turn is passed on at once, or when the products before it have ended") {
  for (const bool after_products : {false, true}) {
    const SmRun one = run({product(0, 100), arrive(0, turn, after_products), products(0, 0),  //
                           wait(1, turn, 0), work(1, Pipe::exp, 10)});
    CHECK(one.first.spans[4].begin == at(after_products ? 100 : 0));
    CHECK(one.roles[1][Cause::turn] == (after_products ? 100 : 0));
  }
}

TEST_CASE(
    "a persistent CTA goes on without a pause: its producer fetches the next tile while the last one is computed") {
  const std::vector<Task> tasks = {wait(0, empty, -1), load(0, 100), wait(1, full, 0), arrive(1, empty),
                                   work(1, Pipe::exp, 200)};
  CHECK(run(tasks).cycles_per_cta == 350);
  CHECK(run(tasks, 3).cycles_per_cta == 350 + 2 * 200);  // copies of the next rounds are hidden
}

TEST_CASE("CTAs of several roles share an SM like others") {
  const std::vector<Task> tasks = {work(0, Pipe::fp32, 10), work(1, Pipe::exp, 100)};
  const SmRun two = run(tasks, 1, 2);
  CHECK(two.first.spans[1].end == at(100));  // the first CTA began first
  CHECK(two.cycles_per_cta == 150);          // 100 and 200
  CHECK(two.slots[0].total() == Approx(100));
  CHECK(two.slots[1].total() == Approx(200));
}

TEST_CASE("roles without barriers of one CTA that has one role are the CTA of that role") {
  Task one = work(0, Pipe::exp, 100);
  const SmRun roles = run_sm_roles(RoleTasks{{one, one}, {}, {}}, slow_port, 2),
              plain = run_sm({one, one}, slow_port, 2);
  CHECK(roles.cycles_per_cta == plain.cycles_per_cta);
  CHECK(roles.budget.time == plain.budget.time);
}

TEST_CASE("a deadlocked schedule names each role, its barrier and the phase that it waits for") {
  CHECK_THROWS_WITH(run({wait(0, empty, 0), wait(1, full, 2)}),
                    Contains("deadlock") && Contains("first for the empty barrier K 0, phase 0 (0 of 1 arrivals)") &&
                        Contains("second for the full barrier K 0, phase 2 (0 of 1 arrivals)"));
}

TEST_CASE("a turn passed on after products takes effect some cycles after they have ended") {
  Task late = arrive(0, turn, true);
  late.latency = 25;
  const SmRun one = run({product(0, 100), late, work(0, Pipe::exp, 10), wait(1, turn, 0), work(1, Pipe::fp32, 1)});
  CHECK(one.first.spans[1].begin == at(0));
  CHECK(one.first.spans[1].end == at(0));
  CHECK(one.first.spans[1].ready == at(125));
  CHECK(one.first.spans[3].end == at(125));
  CHECK(one.cycles_per_cta == 126);
}

TEST_CASE("instructions of a role that follow each other take their least time, and leave issue slots to others") {
  Task slow = work(0, Pipe::issue, 40);
  slow.least = 100;
  const SmRun alone = run({slow, work(1, Pipe::fp32, 1)});
  CHECK(alone.cycles_per_cta == 100);
  CHECK(alone.roles[0][Cause::issue] == 100);
  Task other = slow;
  other.role = 1;
  CHECK(run({slow, other}).cycles_per_cta == 100);  // 40 + 40 of 100 slots
  slow.work[Pipe::issue] = other.work[Pipe::issue] = 80;
  const SmRun both = run({slow, other});  // 80 of 100 slots, then the 20 that are left until the first one ends
  CHECK(both.first.spans[0].end == at(100));
  CHECK(both.cycles_per_cta == 100 + (80 - 20) / 0.8);
  CHECK(both.roles[1][Cause::issue_busy] == 75);
}

TEST_CASE("copies of roles write shared memory as fast as products that read there leave it to them") {
  Task copy = load(0, 100);
  copy.work[Pipe::smem] = 25;  // of 100 cycles of the port
  Task reads = product(1, 75);
  reads.work[Pipe::smem] = 60;
  const SmRun one = run({copy, reads, products(1, 0), wait(0, full, 0)});
  CHECK(one.first.spans[1].end == at(75));
  CHECK(one.first.spans[0].end == at(115));  // 75 (1 - 0.8) / 0.25 = 60 of its 100 cycles beside the product
  CHECK(one.cycles_per_cta == 115 + 50);
  CHECK(one.roles[1][Cause::smem_busy] == 0);
}

TEST_CASE("a role ends when its last store has left, which products hold up") {
  Task store = of_role(0, Task::Kind::copy_out), reads = product(1, 50);
  store.bytes = 10;
  store.work[Pipe::smem] = 10;
  reads.work[Pipe::smem] = 50;
  const SmRun one = run({store, reads, products(1, 0)});
  CHECK(one.first.spans[0].end == at(60));
  CHECK(one.cycles_per_cta == 60);
}

TEST_CASE("the budget of a CTA is that of its roles with products, not of a producer that works for them") {
  const SmRun one = run({work(0, Pipe::issue, 30), arrive(0, turn), wait(1, turn, 0), product(1, 100), products(1, 0)});
  CHECK(one.budget[Cause::issue] == 0);
  CHECK(one.budget[Cause::turn] == 30);
  CHECK(one.budget[Cause::tensor] == 100);
}
