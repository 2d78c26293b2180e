// HBM traffic after L2: examples, at capacities 0 and infinity, and between related kernels.
#include "sim/model/hbm_traffic.h"

#include <catch2/catch.hpp>

#include "sim/model/access_pattern.h"
#include "sim/model/simulation.h"
#include "tests/support/brute_force_l2.h"
#include "tests/support/kernel_traffic.h"
#include "tests/support/random_scenario.h"
#include "tests/support/says.h"

namespace sim {
namespace {

Totals totals_of(const Trace& trace) {
  Totals totals;
  add_to(totals, trace);
  return totals;
}

TEST_CASE("without an L2 all tile traffic reaches HBM, with an infinite one each byte moves once") {
  Scenario s;
  s.algorithm = "flash1";
  s.l2 = 0;
  CHECK(simulate(s).hbm == simulate(s).totals.total);
  s.l2 = std::int64_t{1} << 40;
  CHECK(simulate(s).hbm == simulate(s).compulsory);
}

TEST_CASE("if a mask hides no tile an infinite L2 leaves the compulsory traffic") {
  Dice dice(104);
  for (int n = 0; n < 100; ++n) {
    Scenario s = random_scenario(dice, {300, 64, 64, 3, 3});
    s.shape.mask = {};
    s.pattern = {};
    for_kernels(s, [&](const Plan& p, const Launch& launch, const Trace& trace) {
      const KernelMeters meters = measure(p, launch, trace);
      if (launch.reads(Tensor::dQ_acc) && launch.writes(Tensor::dQ_acc)) return;  // added to, so read and written
      Bytes expected = meters.compulsory.total();
      for (const Tensor kept : launch.scratch) expected += p.problem.hbm[kept].total_bytes(p.problem.shape);
      REQUIRE(sum_of(hbm_traffic(p.problem, launch, trace, 132, endless)).total() == expected);
    });
  }
}

namespace {
/// Checks that ever larger L2s never leave more traffic behind any kernel of a scenario.
void check_larger_l2s(const Scenario& s, Dice& dice) {
  for_kernels(s, [&](const Plan& p, const Launch& l, const Trace& t) {
    const std::int64_t in_flight = dice.between(1, 600);
    const ByTensor tile = totals_of(t).by_tensor;
    ByTensor before = tile;
    for (const std::int64_t capacity : {std::int64_t{0}, std::int64_t{1}, std::int64_t{5000}, std::int64_t{50'000},
                                        std::int64_t{200'000}, std::int64_t{1'000'000}, std::int64_t{4'000'000},
                                        std::int64_t{16'000'000}, std::int64_t{64'000'000}, endless}) {
      INFO("capacity " << capacity << ", CTAs in flight " << in_flight);
      const ByTensor left = hbm_traffic(p.problem, l, t, in_flight, capacity);
      REQUIRE(sum_of(left).total() <= sum_of(before).total());
      for (const auto& [tensor, moved] : left) {
        REQUIRE(moved.read <= tile.at(tensor).read);
        REQUIRE(moved.written <= tile.at(tensor).written);
      }
      before = left;
    }
  });
}
}  // namespace

TEST_CASE("a larger L2 never leaves more, nor less than is touched once, nor more than the tile traffic") {
  Dice dice(105);
  int refused = 0;
  for (int n = 0; n < 100; ++n) {
    const Scenario s = random_scenario(dice, {3000, 128, 128, 8, 8});
    try {
      check_larger_l2s(s, dice);
    } catch (const Error& error) {  // tiles drawn too large for the chip
      REQUIRE_THAT(error, Says("do not fit on"));
      ++refused;
    }
  }
  CHECK(refused <= 5);
}

TEST_CASE("at both ends of the capacity twice the batch leaves twice the HBM traffic") {
  Dice dice(106);
  for (int n = 0; n < 100; ++n) {
    Scenario s = random_scenario(dice, {300, 64, 64, 3, 3});
    for (const std::int64_t l2 : {std::int64_t{0}, std::int64_t{1} << 40}) {
      s.l2 = l2;
      const Traffic once = simulate(s).hbm;
      Scenario twice = s;
      twice.shape.batch *= 2;
      INFO(describe(s));
      REQUIRE(simulate(twice).hbm == Traffic{once.read * 2, once.written * 2});
    }
  }
}

TEST_CASE("swapping batch and heads leaves HBM traffic unchanged") {
  Dice dice(107);
  for (int n = 0; n < 100; ++n) {
    Scenario s = random_scenario(dice, {500, 64, 64, 4, 4});
    s.shape.kv_heads = s.shape.heads;
    s.l2 = dice.between(0, 1'000'000);
    const Simulation before = simulate(s);
    std::swap(s.shape.batch, s.shape.heads);
    s.shape.kv_heads = s.shape.heads;
    INFO(describe(s));
    REQUIRE(simulate(s).hbm_by_tensor == before.hbm_by_tensor);
  }
}

TEST_CASE("flash2 brings K and V once per head when they fit in L2, and once per wave of CTAs when they do not") {
  Scenario s;
  s.shape = {1, 8, 8, 66 * 2 * 128, 66 * 2 * 128, 64, {}};  // 132 row blocks a head: one wave at one CTA per SM
  const Plan plan = make_plan(s);
  const Trace trace = count(plan, plan.launches[0]);
  const std::int64_t of_head = s.shape.seqlen_k * 64 * 2, k = 8 * of_head;
  const auto k_read = [&](std::int64_t in_flight, std::int64_t capacity) {
    return hbm_traffic(plan.problem, plan.launches[0], trace, in_flight, capacity).at(Tensor::K).read.count();
  };
  CHECK(k_read(132, of_head) == k);     // a head is one wave, whose CTAs share K and V
  CHECK(k_read(66, 4 * of_head) == k);  // two waves, K and V fit
  CHECK(k_read(66, of_head) == 2 * k);  // two waves, K and V do not fit
  CHECK(k_read(33, of_head) == 4 * k);
  CHECK(k_read(1, of_head) == 132 * k);
}

/// HBM traffic of the first kernel without a mask, in fp16 blocks of 16 x 16: the model's, checked by the brute force.
ByTensor agreed(const std::string& algorithm, Shape shape, std::int64_t capacity) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape = shape;
  s.br = s.bc = 16;
  const Plan plan = make_plan(s);
  ByTensor found = hbm_traffic(plan.problem, plan.launches[0], count(plan, plan.launches[0]), 2, capacity);
  REQUIRE(found == brute_force_hbm(plan, plan.launches[0], 2, capacity));
  return found;
}

TEST_CASE("the examples of l2_streams.cpp and l2_nested.cpp") {
  const auto misses = [](std::int64_t capacity) {  // blocks of K
    return agreed("flash2", {1, 1, 1, 64, 64, 16, {}}, capacity).at(Tensor::K).read.count() / 512;
  };
  CHECK(misses(3072) == 8);
  CHECK(misses(6271) > 4);
  CHECK(misses(6272) == 4);
  const auto nested = [](std::int64_t capacity) { return agreed("flash1", {1, 2, 2, 64, 32, 16, {}}, capacity); };
  CHECK(nested(4096).at(Tensor::Q).read == Bytes(2 * 4096));
  CHECK(nested(4096).at(Tensor::O).read == Bytes(2 * 4096));
  CHECK(nested(11'263).at(Tensor::Q).read > Bytes(4096));
  CHECK(nested(11'264).at(Tensor::Q).read == Bytes(4096));
  CHECK(nested(11'264).at(Tensor::O).read == Bytes(0));
}

TEST_CASE("the examples of access_pattern.h and access_pattern.cpp") {
  const auto tensors = [](const AccessPattern& pattern) {
    std::string names;
    for (std::size_t n = 0; n < pattern.bundles.size(); ++n) {
      names += pattern.scopes[n] == Scope::own ? "own:" : pattern.scopes[n] == Scope::keys ? "keys:" : "queries:";
      for (const Bundle::Part& part : pattern.bundles[n].parts) names += std::string(name_of(part.tensor)) + " ";
    }
    for (const Stage& stage : pattern.stages) names += "loop " + std::to_string(stage.depth) + " ";
    return names;
  };
  Scenario s;
  s.shape = {1, 2, 1, 64, 64, 16, {}};
  const auto pattern_of = [&](std::size_t kernel) {
    const Plan plan = make_plan(s);
    return access_pattern(plan.problem, plan.launches[kernel], count(plan, plan.launches[kernel]));
  };
  s.algorithm = "flash1";
  CHECK(tensors(pattern_of(0)) == "queries:O l m keys:K V queries:Q loop -1 loop 0 loop 1 ");
  s.algorithm = "flash2";
  s.pass = Pass::backward;
  CHECK(tensors(pattern_of(1)) == "own:K V queries:Q L dO D dQ_acc own:dK dV loop -1 loop 1 loop -1 ");
}

TEST_CASE("the hit rate is the part of the reads that L2 serves: writes neither hit nor miss") {
  CHECK(l2_hit_rate({Bytes(300), Bytes(100)}, {Bytes(60), Bytes(100)}) == Approx(0.8));
  CHECK(l2_hit_rate({Bytes(300), Bytes(100)}, {Bytes(60), Bytes(5)}) == Approx(0.8));
  CHECK(l2_hit_rate({Bytes(0), Bytes(100)}, {Bytes(0), Bytes(100)}) == 0);
  CHECK(l2_hit_rate({}, {}) == 0);
}

TEST_CASE("the reuse in huge grids is found in bounded time and memory", "[repeats]") {
  Scenario s;
  for (const char* algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    s.algorithm = algorithm;
    s.pass = Pass::forward_backward;
    s.shape = {1, 1 << 20, 1, 1000, 1000, 64, {true, 0, {}}};  // a million query heads of one KV head
    CHECK(simulate(s).hbm.total() <= simulate(s).totals.total.total());
    s.shape = {1 << 20, 1, 1, 1, 1, 64, {}};
    CHECK(simulate(s).hbm.total() <= simulate(s).totals.total.total());
    s.shape = {1, 2, 1, 500'000, 500'000, 64, {true, 0, 1000}};
    CHECK(simulate(s).hbm.total() <= simulate(s).totals.total.total());
  }
}

}  // namespace
}  // namespace sim
