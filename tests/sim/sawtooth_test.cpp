// flash2 --keys sawtooth: CTAs of even waves take their key blocks upwards, those of odd waves downwards.
#include <catch2/catch.hpp>

#include "sim/machine/device_override.h"
#include "sim/model/closed_form.h"
#include "sim/model/simulation.h"
#include "sim/programs/drawn_rows.h"
#include "tests/support/kernel_traffic.h"
#include "tests/support/ledger.h"
#include "tests/support/values_rule.h"

namespace sim {
namespace {

constexpr std::int64_t up = 0, sawtooth = 2;

/// A grid of flash2 in a sawtooth on a GPU of 4 SMs, which it fills several times.
Scenario random_sawtooth(Dice& dice, const Limits& most) {
  Scenario s;
  s.own["keys"] = sawtooth;
  s.gpu = built_in_gpu("toy");
  s.shape.batch = dice.between(1, most.batch);
  s.shape.kv_heads = dice.between(1, most.heads);
  s.shape.heads = s.shape.kv_heads * dice.between(1, most.heads);
  s.shape.seqlen_k = dice.near_an_end(1, most.seqlen);
  s.shape.seqlen_q = dice.one_in(2) ? s.shape.seqlen_k : dice.near_an_end(1, most.seqlen);
  s.shape.head_dim = dice.between(1, most.head_dim);
  s.shape.mask = random_mask(dice, s.shape.seqlen_k, most.seqlen);
  s.br = dice.between(8, most.block);
  s.bc = dice.between(8, most.block);
  while (!tiles_fit(s, *s.br, *s.bc)) s.bc = (*s.bc + 1) / 2;
  return s;
}

/// Indices of the key blocks that a CTA loads, in order.
std::vector<std::int64_t> keys_of(const Plan& plan, const CtaPlace& place) {
  std::vector<std::int64_t> keys;
  for (const Event& event : replay(plan, plan.launches[0], place).events) {
    if (event.direction == Direction::read && event.tensor == Tensor::K) keys.push_back(event.rows.index);
  }
  return keys;
}

TEST_CASE("keys in a sawtooth turn after as many CTAs as the GPU holds, counted over heads") {
  Scenario s;
  s.own["keys"] = sawtooth;
  s.gpu = built_in_gpu("toy");
  s.shape = {2, 3, 1, 7 * 16, 80, 16, {}};  // 7 row blocks and 5 key blocks a head
  s.br = s.bc = 16;
  Plan plan = make_plan(s);
  const std::int64_t resident = simulate(s).kernels[0].ctas_per_sm;
  CHECK(plan.launches[0].in_flight == s.gpu->sm_count * resident);
  for (const std::int64_t in_flight : {plan.launches[0].in_flight, std::int64_t{1}, std::int64_t{3}, std::int64_t{9}}) {
    plan.launches[0].in_flight = in_flight;
    std::int64_t number = 0;
    for (std::int64_t batch = 0; batch < 2; ++batch) {
      for (std::int64_t head = 0; head < 3; ++head) {
        for (std::int64_t row = 0; row < 7; ++row, ++number) {
          const bool down = number / in_flight % 2 == 1;
          CHECK(keys_of(plan, {batch, head, row, 0}) ==
                (down ? std::vector<std::int64_t>{4, 3, 2, 1, 0} : std::vector<std::int64_t>{0, 1, 2, 3, 4}));
        }
      }
    }
  }
}

TEST_CASE("under a causal mask a CTA of an odd wave begins at its diagonal") {
  Scenario s;
  s.own["keys"] = sawtooth;
  s.shape = {1, 1, 1, 96, 96, 16, {true, 0, {}}};
  s.br = s.bc = 16;
  Plan plan = make_plan(s);
  plan.launches[0].in_flight = 2;
  CHECK(keys_of(plan, {0, 0, 1, 0}) == std::vector<std::int64_t>{0, 1});
  CHECK(keys_of(plan, {0, 0, 2, 0}) == std::vector<std::int64_t>{2, 1, 0});
  CHECK(keys_of(plan, {0, 0, 3, 0}) == std::vector<std::int64_t>{3, 2, 1, 0});
  CHECK(keys_of(plan, {0, 0, 4, 0}) == std::vector<std::int64_t>{0, 1, 2, 3, 4});
}

TEST_CASE("keys in a sawtooth move and compute the same as keys upwards, and as the closed forms give") {
  Dice dice(751);
  for (int n = 0; n < 100; ++n) {
    Scenario s = random_sawtooth(dice, {dice.one_in(4) ? 131'072 : 300, 64, 64, 3, 3});
    INFO(describe(s));
    const Plan plan = make_plan(s);
    const Ledger turning = counted(plan);
    REQUIRE(turning == closed_form(plan));
    if (n % 10 == 0 && s.shape.seqlen_q + s.shape.seqlen_k <= 600)
      REQUIRE(count_by_brute_force(plan) == simulate(s).totals);
    s.own["keys"] = up;
    REQUIRE(counted(make_plan(s)) == turning);
  }
}

TEST_CASE("O of keys in a sawtooth meets the numerics rule") {
  Dice dice(752);
  for (int n = 0; n < 40; ++n) {
    const Scenario s = random_sawtooth(dice, {200, 64, 48, 2, 2});
    INFO(describe(s));
    check_values_by_rule(s, 7);
  }
}

TEST_CASE("a sawtooth is for batch entries of one length, in flash2's forward pass") {
  Scenario s;
  s.own["keys"] = sawtooth;
  s.pass = Pass::backward;
  CHECK_THROWS_WITH(make_plan(s), Catch::Contains("keys: applies only to the forward pass: leave it out"));
  s.pass = Pass::forward;
  s.algorithm = "flash3";
  CHECK_THROWS_WITH(make_plan(s), Catch::Contains("keys: is an option of flash2; flash3 has none"));
  s.algorithm = "flash2";
  s.sequences = std::make_shared<const SequenceClasses>(SequenceClasses{{2, 512, 512}, {1, 64, 64}});
  CHECK_THROWS_WITH(make_plan(s), Catch::Contains("keys: sawtooth turns after a wave of CTAs of one length"));
}

TEST_CASE("tiles that do not fit are explained in a sawtooth as well") {
  Scenario s;
  s.own["keys"] = sawtooth;
  s.gpu = built_in_gpu("toy");
  s.br = s.bc = 512;
  CHECK_THROWS_WITH(simulate(s), Catch::Contains("do not fit on toy"));
}

/// Bytes between HBM and L2 of eight heads of 131,072 tokens in tiles of 64 x 64 on a GB10, one CTA an SM, and those
/// that move once.
struct Walked128k {
  double bytes = 0, once = 0;

  /// `in_wave`: CTAs after which a sawtooth turns; 0: as many as the GPU holds.
  Walked128k(std::int64_t keys, bool causal, WalkRule rule, std::int64_t in_wave = 0) {
    Scenario s;
    s.own["keys"] = keys;
    s.gpu = with_fields(built_in_gpu("gb10"), {"ctas_per_sm=1"});
    s.shape = {8, 1, 1, 131'072, 131'072, 64, {causal, 0, {}}};
    s.br = s.bc = 64;
    Plan plan = make_plan(s);
    if (in_wave > 0) plan.launches[0].in_flight = in_wave;
    const Launch& launch = plan.launches[0];
    const std::vector<LaunchAccesses> accesses = accesses_of(plan, launch);
    const double hz = static_cast<double>(s.gpu->clock_hz), flops = 4.0 * 64 * 64 * 64;
    const double step = flops / static_cast<double>(s.gpu->tensor_flops_per_clock_fp16) / 0.65;  // of its tensor cores
    GridPace pace{{step, 1000}, {}};
    pace.chip.slots.sm_count = s.gpu->sm_count;
    pace.chip.hbm_bytes_per_cycle = static_cast<double>(s.gpu->hbm_measured_bytes_per_second) / hz;
    WalkOptions options;
    options.rule = rule;
    bytes = static_cast<double>(hbm_traffic(plan, launch, accesses, pace, plan.l2, options).demand().bytes.count());
    for (const TouchedOnce& touched : accesses[0].pattern.once)
      once += static_cast<double>((touched.read + touched.written).count());
  }
  double repeated() const { return bytes - once; }
};

TEST_CASE("without a mask a sawtooth moves the bytes that were measured on a GB10, a third of those upwards") {
  // 370 and 120 million sectors of 32 bytes, arXiv 2601.16032: batch 8, 131,072 tokens, d 64, tiles of 64 x 64
  for (const WalkRule rule : {WalkRule::coupled, WalkRule::lockstep}) {
    CHECK(Walked128k(up, false, rule).bytes == Approx(370e6 * 32).epsilon(0.05));
    CHECK(Walked128k(sawtooth, false, rule).bytes == Approx(120e6 * 32).epsilon(0.05));
  }
}

TEST_CASE("a sawtooth that turns after every row block reads from both ends in each wave, and saves less or nothing") {
  const auto bytes = [](std::int64_t keys, bool causal, std::int64_t in_wave) {
    return Walked128k(keys, causal, WalkRule::coupled, in_wave).bytes;
  };
  CHECK(bytes(sawtooth, false, 1) > 1.7 * bytes(sawtooth, false, 0));
  CHECK(bytes(sawtooth, true, 1) > 1.2 * bytes(up, true, 0));
}

TEST_CASE("under a causal mask a sawtooth more than halves what moves again") {
  for (const WalkRule rule : {WalkRule::coupled, WalkRule::lockstep})
    CHECK(Walked128k(sawtooth, true, rule).repeated() < 0.5 * Walked128k(up, true, rule).repeated());
}

}  // namespace
}  // namespace sim
