// Consecutive loops in one CTA: the line of an access identifies its loop, not its tensors. A test kernel writes a
// matrix in a first loop over the keys and reads it again in a second one.
#include <catch2/catch.hpp>

#include "sim/model/access_pattern.h"
#include "sim/programs/launches.h"
#include "tests/support/kernel_traffic.h"
#include "tests/support/random_scenario.h"
#include "tests/support/replayed_grid.h"

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
  return hbm_of(plan, plan.launches[0], in_flight, capacity)[tensor];
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

TEST_CASE("CTAs in step move the bytes of a brute force of a kernel with neighbouring loops") {
  Dice dice(1201);
  for (int n = 0; n < 30; ++n) {
    Scenario s;
    const std::int64_t heads = dice.between(1, 6), tokens = dice.between(500, 1500);
    s.shape = {1, heads, heads, tokens, tokens, dice.between(16, 64), {dice.one_in(2), 0, {}}};
    s.br = dice.between(16, 64);  // CTAs of fewer rows are stacked
    s.bc = dice.between(16, 64);
    const Plan plan = two_loops(s);
    const ReplayedGrid replayed(plan, plan.launches[0]);
    coupled_grid::Chip chip;
    chip.sms = static_cast<std::int32_t>(dice.between(1, 40));
    const double tile = coupled_grid::run(replayed.grid(), chip, {coupled_grid::Pace::lockstep}).tile;
    for (const int part : {50, 10, 4, 2, 1}) {
      chip.capacity = std::max(1.0, std::floor(tile / part));
      INFO(describe(s) << ", CTAs in flight " << chip.sms << ", L2 " << chip.capacity);
      const Traffic found = sum_of(
          hbm_of(plan, plan.launches[0], chip.sms, static_cast<std::int64_t>(chip.capacity), WalkRule::lockstep));
      const double exact = coupled_grid::run(replayed.grid(), chip, {coupled_grid::Pace::lockstep}).hbm_bytes();
      CHECK(static_cast<double>(found.total().count()) == Approx(exact).epsilon(0.05));
    }
  }
}

}  // namespace sim
