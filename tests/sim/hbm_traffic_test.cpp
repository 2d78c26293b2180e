// HBM traffic after L2: examples, at capacities 0 and infinity, and between related kernels.
#include "sim/model/hbm_traffic.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "sim/model/access_pattern.h"
#include "sim/model/simulation.h"
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
      REQUIRE(sum_of(hbm_of(p, launch, 132, endless)).total() == expected);
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
    for (const std::int64_t capacity :
         {std::int64_t{1}, std::int64_t{5000}, std::int64_t{50'000}, std::int64_t{200'000}, std::int64_t{1'000'000},
          std::int64_t{4'000'000}, std::int64_t{16'000'000}, std::int64_t{64'000'000}, endless}) {
      INFO("capacity " << capacity << ", CTAs in flight " << in_flight);
      const ByTensor left = hbm_of(p, l, in_flight, capacity);
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
  for (int n = 0; n < 40; ++n) {
    const Scenario s = random_scenario(dice, {3000, 128, 128, 8, 8});
    try {
      check_larger_l2s(s, dice);
    } catch (const Error& error) {  // tiles drawn too large for the chip
      REQUIRE_THAT(error, Says("do not fit on"));
      ++refused;
    }
  }
  CHECK(refused <= 3);
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
    if (s.shape.kv_shared) continue;  // its heads share one KV head
    s.shape.kv_heads = s.shape.heads;
    s.l2 = dice.between(0, 1'000'000);
    const Simulation before = simulate(s);
    std::swap(s.shape.batch, s.shape.heads);
    s.shape.kv_heads = s.shape.heads;
    INFO(describe(s));
    REQUIRE(simulate(s).hbm_by_tensor == before.hbm_by_tensor);
  }
}

TEST_CASE("without a mask flash2 brings K and V once per head if they fit in L2, else once per wave of CTAs") {
  Scenario s;
  s.shape = {1, 8, 8, 66 * 2 * 128, 66 * 2 * 128, 64, {}};  // 132 row blocks a head: one wave at one CTA per SM
  const Plan plan = make_plan(s);
  const std::int64_t of_head = s.shape.seqlen_k * 64 * 2, k = 8 * of_head;
  const auto k_read = [&](std::int64_t in_flight, std::int64_t capacity) {
    return static_cast<double>(
        hbm_of(plan, plan.launches[0], in_flight, capacity, WalkRule::lockstep).at(Tensor::K).read.count());
  };
  const auto of_k = [&](double times) { return Approx(times * static_cast<double>(k)).epsilon(0.01); };
  CHECK(k_read(132, of_head) == of_k(1));     // a head is one wave, whose CTAs share K and V
  CHECK(k_read(66, 4 * of_head) == of_k(1));  // two waves, K and V fit
  CHECK(k_read(66, of_head) == of_k(2));      // two waves, K and V do not fit
  CHECK(k_read(33, of_head) == of_k(4));
  CHECK(k_read(1, of_head) == of_k(132));
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

TEST_CASE("an L2 of the size that the device has gives the HBM traffic of the device") {
  Scenario s;
  s.gpu = built_in_gpu("rtx-3090");
  s.shape = {1, 1, 1, 32768, 32768, 128, {true, 0, {}}};
  s.br = 128;
  s.bc = 32;
  for (const std::int64_t down : {0, 1}) {
    s.own["keys"] = down;
    s.l2.reset();
    const Simulation device = simulate(s);
    s.l2 = s.gpu->l2_effective_bytes;
    const Simulation typed = simulate(s);
    CHECK(device.hbm_by_tensor == typed.hbm_by_tensor);
    CHECK(device.microseconds == typed.microseconds);
  }
}

TEST_CASE("HBM traffic of flash1 near the size of the L2 is within 25 % of the DRAM counters of an H100 and an H200") {
  struct Counted {
    const char* gpu;
    double read, written;
  };
  for (const Counted& c : {Counted{"h100-sxm", 1.78107e8, 1.08768e8},  // kernels/measurements
                           Counted{"h200", 6.92403e7, 4.25743e7}}) {
    Scenario s;
    name_algorithm(s, "flash1");
    s.shape = {.batch = 8, .heads = 16, .kv_heads = 16, .seqlen_q = 1024, .seqlen_k = 1024, .head_dim = 64};
    s.gpu = built_in_gpu(c.gpu);
    const Traffic hbm = simulate(s).hbm;
    INFO(c.gpu);
    CHECK(static_cast<double>(hbm.read.count()) == Approx(c.read).epsilon(0.25));
    CHECK(static_cast<double>(hbm.written.count()) == Approx(c.written).epsilon(0.25));
  }
}

TEST_CASE("bytes read again sum over reuse distances to the reads after the first, and those far apart miss") {
  for (const char* algorithm : {"standard", "flash1", "flash2"}) {
    for (const std::int64_t l2 : {200'000, 1'000'000, 4'000'000, 50'000'000}) {
      Scenario s;
      s.algorithm = algorithm;
      s.shape = {2, 4, 2, 2048, 2048, 64, {}};
      s.l2 = l2;
      Scenario endless = s;
      endless.l2 = std::int64_t{1} << 40;
      const Simulation run = simulate(s), least = simulate(endless);
      for (std::size_t k = 0; k < run.kernels.size(); ++k) {
        INFO(algorithm << ", kernel " << k << ", L2 " << l2);
        const KernelMeters& kernel = run.kernels[k];
        const Bytes first = sum_of(least.kernels[k].hbm).read, left = sum_of(kernel.hbm).read;
        CHECK(kernel.reuse.total() == kernel.totals.total.read - first);
        const auto from = [&](std::size_t bin) {
          return std::accumulate(kernel.reuse.bytes.begin() + static_cast<std::ptrdiff_t>(bin),
                                 kernel.reuse.bytes.end(), Bytes());
        };
        // bins are an eighth of an octave wide, and 0.8 and 1.22 lie inside of some
        const double all = static_cast<double>(kernel.reuse.total().count());
        CHECK(static_cast<double>((left - first).count()) >= static_cast<double>(from(5).count()) - 0.1 * all);
        CHECK(static_cast<double>((left - first).count()) <= static_cast<double>(from(4).count()) + 0.1 * all);
      }
    }
  }
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
