// flash2 with CTAs that visit their key blocks from the last to the first: equal work, different HBM traffic.
#include <catch2/catch.hpp>

#include "sim/model/closed_form.h"
#include "sim/model/simulation.h"
#include "sim/programs/drawn_rows.h"
#include "tests/support/kernel_traffic.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

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

TEST_CASE("if CTAs kept in step keys downwards would read many times more than upwards from a small L2") {
  Scenario s;
  s.shape = {1, 1, 1, 32768, 32768, 128, {true, 0, {}}};
  s.br = 128;
  s.bc = 32;
  const auto gigabytes = [&](std::int64_t in_flight, std::int64_t capacity, std::int64_t down) {
    s.own["keys"] = down;
    const Plan plan = make_plan(s);
    const Traffic hbm = sum_of(hbm_of(plan, plan.launches[0], in_flight, capacity, WalkRule::lockstep));
    return static_cast<double>(hbm.read.count()) * 1e-9;
  };
  CHECK(gigabytes(164, 6'291'456, 0) == Approx(0.0359).epsilon(0.02));
  CHECK(gigabytes(164, 6'291'456, 1) > 0.5);
  CHECK(gigabytes(80, 4'194'304, 0) == Approx(0.0566).epsilon(0.02));
  CHECK(gigabytes(80, 4'194'304, 1) > 1);
}

TEST_CASE("without a mask the direction of the keys does not change HBM traffic") {
  Dice dice(110);
  for (int n = 0; n < 50; ++n) {
    Scenario s = random_downwards(dice, {3000, 128, 128, 4, 4}, 16);
    s.shape.mask = {};
    s.shape.seqlen_k = ceil_div(s.shape.seqlen_k, *s.bc) * *s.bc;  // a partial last block would come first
    const std::int64_t capacity = dice.between(1, 8'000'000);
    INFO(describe(s));
    const Plan down = make_plan(s);
    s.own.clear();
    const Plan up = make_plan(s);
    REQUIRE(hbm_of(down, down.launches[0], 132, capacity) == hbm_of(up, up.launches[0], 132, capacity));
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
    check_values_by_rule(s, 7);
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
