// Consecutive loops in one CTA: the line of an access identifies its loop, not its tensors. A test kernel writes a
// matrix in a first loop over the keys and reads it again in a second one.
#include <catch2/catch.hpp>

#include "sim/model/access_pattern.h"
#include "sim/model/hbm_traffic.h"
#include "sim/programs/launches.h"
#include "tests/support/brute_force_l2.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

void write_then_read(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& i = cta.row();
  SmemTile Q;
  if (cta.live(i)) Q = cta.load(block(hbm.Q, i));
  for (const Block& j : cta.key_blocks(i)) {
    SmemTile K = cta.load(block(hbm.K, j));
    cta.store(cta.gemm_nt(Q, K), block(hbm.S, i, j));
  }
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);
  for (const Block& j : cta.key_blocks(i)) {
    SmemTile S = cta.load(block(hbm.S, i, j));
    SmemTile V = cta.load(block(hbm.V, j));
    cta.gemm_nn_add(O, S, V);
  }
  cta.store(O, block(hbm.O, i));
}

/// The plan of a scenario whose only kernel is this one.
Plan two_loops(Scenario s) {
  s = with_algorithm(s, "flash2");
  s.pass = Pass::forward;
  Plan plan = make_plan(s);
  using enum Tensor;
  plan.launches = {{.name = "write_then_read",
                    .body = write_then_read,
                    .grid = {GridKind::per_row_block, plan.problem.tiling.br, plan.problem.tiling.bc},
                    .inputs = {Q, K, V},
                    .outputs = {O},
                    .scratch = {S},
                    .tiling = plan.problem.tiling}};
  return plan;
}

Traffic in_two_loops(const Plan& plan, Tensor tensor, std::int64_t in_flight, std::int64_t capacity) {
  const Launch& launch = plan.launches[0];
  return hbm_traffic(plan.problem, launch, count(plan, launch), in_flight, capacity)[tensor];
}

}  // namespace

TEST_CASE("two neighbouring loops over the keys are two stages, whatever tensors they name") {
  Scenario s;
  s.shape = {1, 8, 8, 2048, 2048, 64, {}};
  const Plan plan = two_loops(s);
  const AccessPattern pattern = access_pattern(plan.problem, plan.launches[0], count(plan, plan.launches[0]));
  REQUIRE(pattern.stages.size() == 4);  // Q; K and S; S and V; O
  CHECK(pattern.stages[1].loop());
  CHECK(pattern.stages[2].loop());
}

TEST_CASE("data that a second loop reads again misses in a small L2 and hits in a large one") {
  Scenario s;
  s.shape = {1, 8, 8, 2048, 2048, 64, {}};
  const Plan plan = two_loops(s);
  const Bytes all(8 * 2048 * 2048 * 2);  // S: H Nq Nk e
  CHECK(in_two_loops(plan, Tensor::S, 128, 1 << 16) == Traffic{all, all});
  CHECK(in_two_loops(plan, Tensor::S, 128, std::int64_t{1} << 40) == Traffic{Bytes{}, all});
  CHECK(in_two_loops(plan, Tensor::S, 1, std::int64_t{1} << 21) == Traffic{Bytes{}, all});  // a row block of S fits
}

namespace {

double brute_force_bytes(const Plan& plan, std::int64_t in_flight, std::int64_t capacity) {
  Bytes sum;
  for (const auto& [tensor, bytes] : brute_force_hbm(plan, plan.launches[0], in_flight, capacity)) sum += bytes.total();
  return static_cast<double>(sum.count());
}

double model_bytes(const Plan& plan, const Trace& trace, std::int64_t in_flight, std::int64_t capacity) {
  Bytes sum;
  for (const auto& [tensor, bytes] : hbm_traffic(plan.problem, plan.launches[0], trace, in_flight, capacity))
    sum += bytes.total();
  return static_cast<double>(sum.count());
}

}  // namespace

TEST_CASE("traffic of a kernel with neighbouring loops is that of a brute-force L2 within 2 percent") {
  // Row blocks are few and are all reread at once, so misses jump when the last tile fits: one tile of tolerance.
  Dice dice(1201);
  for (int n = 0; n < 60; ++n) {
    Scenario s = random_scenario(dice, {160, 48, 32, 2, 3});
    s.tiling = TilingRule::kernel;
    s.sram.reset();
    s.br = dice.between(8, 32);
    s.bc = dice.between(8, 32);
    const Plan plan = two_loops(s);
    const Trace trace = count(plan, plan.launches[0]);
    const std::int64_t in_flight = dice.between(1, 40), tile = (*s.br * *s.bc + *s.bc * s.shape.head_dim) * 4;
    Totals totals;
    add_to(totals, trace);
    for (const std::int64_t part : {50, 20, 10, 4, 2, 1}) {
      const std::int64_t capacity = std::max(in_flight * tile, totals.total.total().count() / part);
      INFO(describe(s) << ", CTAs in flight " << in_flight << ", L2 " << capacity);
      const double found = model_bytes(plan, trace, in_flight, capacity);
      REQUIRE(found <= 1.02 * brute_force_bytes(plan, in_flight, capacity - tile) + 0.5);
      REQUIRE(found >= 0.98 * brute_force_bytes(plan, in_flight, capacity + tile) - 0.5);
    }
  }
}

}  // namespace sim
