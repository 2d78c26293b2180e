// flash2 with CTAs that visit their key blocks from the last to the first: equal work, different HBM traffic.
#include <catch2/catch.hpp>

#include "sim/model/closed_form.h"
#include "sim/model/hbm_traffic.h"
#include "sim/model/numerics_rule.h"
#include "sim/model/simulation.h"
#include "sim/programs/drawn_rows.h"
#include "tests/support/brute_force_l2.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

/// A grid of flash2 with descending keys, under no mask, a causal one, a window or both.
Scenario random_downwards(Dice& dice, const Limits& most, std::int64_t least) {
  Scenario s;
  s.own["keys"] = 1;
  s.shape.batch = dice.between(1, most.batch);
  s.shape.kv_heads = dice.between(1, most.heads);
  s.shape.heads = s.shape.kv_heads * dice.between(1, most.heads);
  s.shape.seqlen_k = dice.near_an_end(1, most.seqlen);
  s.shape.seqlen_q = dice.one_in(2) ? s.shape.seqlen_k : dice.near_an_end(1, most.seqlen);
  s.shape.head_dim = dice.between(1, most.head_dim);
  s.shape.mask.causal = dice.one_in(2);
  if (dice.one_in(3)) s.shape.mask.window = dice.between(1, s.shape.seqlen_k);
  if (dice.one_in(4)) s.shape.mask.padding = dice.between(0, s.shape.seqlen_k - 1);
  s.br = dice.between(least, most.block);
  s.bc = dice.between(least, most.block);
  while (!tiles_fit(s, *s.br, *s.bc)) s.bc = (*s.bc + 1) / 2;
  return s;
}

double total_of(const std::map<Tensor, Traffic>& traffic) {
  Traffic sum;
  for (const auto& [tensor, moved] : traffic) sum += moved;
  return static_cast<double>(sum.total().count());
}

/// Checks that the model and the brute force agree within 2 % of the bytes.
void check_hbm(const Plan& plan, Launch launch, const Trace& trace, std::int64_t in_flight, std::int64_t capacity) {
  INFO("CTAs in flight " << in_flight << ", capacity " << capacity);
  const double expected = total_of(brute_force_hbm(plan, launch, in_flight, capacity));
  REQUIRE(total_of(hbm_traffic(plan.problem, launch, trace, in_flight, capacity)) ==
          Approx(expected).epsilon(0.02).margin(0.5));
}

/// Checks at capacities from nearly nothing to everything.
void check_hbm(Dice& dice, const Scenario& s, bool side_by_side) {
  INFO(describe(s));
  const Plan plan = make_plan(s);
  Launch launch = plan.launches[0];
  const Trace trace = count(plan, launch);
  if (side_by_side) launch.grid.raster = Raster::block_outermost;
  const std::int64_t in_flight = dice.one_in(2) ? dice.between(1, 300) : 132 * dice.between(1, 4);
  const auto once = static_cast<std::int64_t>(total_of(brute_force_hbm(plan, launch, 1, std::int64_t{1} << 50)));
  for (const std::int64_t capacity : {once / 50, once / 10, once / 4, once / 2, dice.between(0, once), once + 1,
                                      std::int64_t{4'194'304}, std::int64_t{37'224'448}}) {
    if (capacity > 0) check_hbm(plan, launch, trace, in_flight, capacity);
  }
}

TEST_CASE("keys downwards leave the HBM traffic of the brute force within 2 percent") {
  Dice dice(108);
  for (int n = 0; n < 80; ++n) check_hbm(dice, random_downwards(dice, {300, 64, 48, 3, 3}, 8), dice.one_in(4));
}

TEST_CASE("keys downwards up to 4,096 tokens leave the HBM traffic of the brute force within 2 percent", "[slow]") {
  Dice dice(109);
  for (int n = 0; n < 30; ++n) check_hbm(dice, random_downwards(dice, {4096, 128, 160, 3, 3}, 32), dice.one_in(8));
}

TEST_CASE("keys downwards in kernels that the model runs in part leave the HBM traffic of the brute force", "[slow]") {
  Scenario s;
  s.own["keys"] = 1;
  s.br = 128;
  s.bc = 32;
  s.shape = {1, 16, 16, 32768, 32768, 128, {true, 0, {}}};  // 2.1 million reads of blocks
  const Plan plan = make_plan(s);
  const Trace trace = count(plan, plan.launches[0]);
  check_hbm(plan, plan.launches[0], trace, 132, 3'000'000);   // the model skips iterations
  check_hbm(plan, plan.launches[0], trace, 132, 37'224'448);  // the model skips blocks
  Launch side_by_side = plan.launches[0];
  side_by_side.grid.raster = Raster::block_outermost;
  check_hbm(plan, side_by_side, trace, 132, 3'000'000);
  check_hbm(plan, side_by_side, trace, 132, 37'224'448);
}

/// HBM reads of 32,768 causal tokens in tiles of 128 x 32 with the L2 of a GPU, in millions of bytes.
double reads_on(const std::string& gpu, std::int64_t in_flight, bool down) {
  Scenario s;
  s.gpu = built_in_gpu(gpu);
  s.shape.seqlen_q = s.shape.seqlen_k = 32768;
  s.shape.head_dim = 128;
  s.shape.mask.causal = true;
  s.br = 128;
  s.bc = 32;
  if (down) s.own["keys"] = 1;
  const Plan plan = make_plan(s);
  const Trace trace = count(plan, plan.launches[0]);
  check_hbm(plan, plan.launches[0], trace, in_flight, plan.l2);
  Bytes read;
  for (const auto& [tensor, moved] : hbm_traffic(plan.problem, plan.launches[0], trace, in_flight, plan.l2))
    read += moved.read;
  return static_cast<double>(read.count()) * 1e-6;
}

TEST_CASE("under a causal mask and with a small L2 keys downwards read many times more from HBM than upwards") {
  CHECK(reads_on("rtx-3090", 164, false) == Approx(35.9).epsilon(0.01));
  CHECK(reads_on("rtx-3090", 164, true) == Approx(622).epsilon(0.01));
  CHECK(reads_on("t4", 80, false) == Approx(56.6).epsilon(0.01));
  CHECK(reads_on("t4", 80, true) == Approx(1536).epsilon(0.01));
}

TEST_CASE("without a mask the direction of the keys does not change HBM traffic") {
  Dice dice(110);
  for (int n = 0; n < 50; ++n) {
    Scenario s = random_downwards(dice, {3000, 128, 128, 4, 4}, 16);
    s.shape.mask = {};
    s.shape.seqlen_k = ceil_div(s.shape.seqlen_k, *s.bc) * *s.bc;  // a partial last block would come first
    s.l2 = dice.between(0, 8'000'000);
    INFO(describe(s));
    const Simulation down = simulate(s);
    s.own.clear();
    REQUIRE(down.hbm_by_tensor == simulate(s).hbm_by_tensor);
  }
}

TEST_CASE("keys downwards move and compute the same as keys upwards, and as the closed forms give") {
  Dice dice(111);
  for (int n = 0; n < 100; ++n) {
    Scenario s = random_downwards(dice, {dice.one_in(4) ? 131'072 : 300, 64, 64, 3, 3}, 8);
    INFO(describe(s));
    const Plan plan = make_plan(s);
    const Totals down = simulate(s).totals;
    REQUIRE(counted(plan) == closed_form(plan));
    s.own.clear();
    const Totals up = simulate(s).totals;
    REQUIRE(down.by_tensor == up.by_tensor);
    REQUIRE(down.matmul_flops == up.matmul_flops);
    REQUIRE(down.other_flops == up.other_flops);
    REQUIRE(down.exps == up.exps);
  }
}

TEST_CASE("O of keys downwards meets the numerics rule") {
  Dice dice(112);
  for (int n = 0; n < 40; ++n) {
    const Scenario s = random_downwards(dice, {200, 64, 48, 2, 2}, 8);
    INFO(describe(s));
    const Plan plan = make_plan(s);
    const AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 7);
    const AttentionReference exact = attention_reference(s.shape, static_cast<double>(plan.problem.scale), inputs);
    const double plain =
        check_values(attention_plain(s.shape, plan.problem.scale, s.dtype, inputs), exact.o).max_abs_error;
    REQUIRE(check_values(compute(plan, inputs).o, exact.o).max_abs_error <=
            numerics::bound(2, plain, exact.o, s.dtype));
  }
}

TEST_CASE("keys downwards are an option of flash2's forward pass alone") {
  Scenario s;
  s.own["keys"] = 1;
  s.pass = Pass::backward;
  CHECK_THROWS_WITH(make_plan(s), Catch::Contains("keys: applies only to the forward pass: leave it out"));
  s.pass = Pass::forward_backward;
  CHECK_THROWS_WITH(make_plan(s), Catch::Contains("keys: applies only to the forward pass"));
  s.pass = Pass::forward;
  s.algorithm = "flash1";
  CHECK_THROWS_WITH(make_plan(s), Catch::Contains("keys: is an option of flash2; flash1 has none"));
}

}  // namespace
}  // namespace sim
