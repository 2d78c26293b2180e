// `--tiling released`: flash1 as its code of 2022 did it. Counts, values, tiles, and the options that it rejects.
#include <catch2/catch.hpp>

#include "sim/catalogue/derivation.h"
#include "sim/programs/flash1_released/tensors.h"
#include "tests/support/independent_released.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

namespace sim {
namespace {

Scenario released(std::int64_t n, std::int64_t d, Pass pass = Pass::forward) {
  Scenario s;
  s.algorithm = "flash1";
  s.tiling = TilingRule::released;
  s.pass = pass;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  s.shape.head_dim = d;
  s.gpu = built_in_gpu("a100-sxm-40gb");
  return s;
}

/// A random scenario of those that the released code takes.
Scenario random_released(Dice& dice, const Limits& most) {
  Scenario s = with_algorithm(random_scenario(dice, most), "flash1");
  s.pattern = {};
  s.tiling = TilingRule::released;
  s.sram = std::nullopt;
  if (!s.bc) s.br = std::nullopt;  // more rows than its own do not fit next to its own keys
  s.dtype = dice.one_in(2) ? Dtype::fp16 : Dtype::bf16;
  Shape& shape = s.shape;
  shape.heads = shape.kv_heads;
  if (shape.mask.causal && shape.seqlen_q > shape.seqlen_k) std::swap(shape.seqlen_q, shape.seqlen_k);
  shape.mask.padding = std::min(shape.mask.padding, shape.seqlen_k - 1);
  if (shape.mask.window) shape.mask.window = shape.seqlen_q + shape.seqlen_k;  // hides nothing, yet is a mask
  return s;
}

template <class Check>
void for_random_released(int number, std::uint64_t seed, const Limits& most, Check check) {
  Dice dice(seed);
  for (int n = 0; n < number; ++n) {
    const Scenario s = random_released(dice, most);
    INFO(describe(s));
    check(s, make_plan(s));
  }
}

Totals totals_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

std::int64_t tile_bytes(const Scenario& s, Tensor tensor) {
  return totals_of(make_plan(s)).tensor(tensor).total().count();
}

std::int64_t keys_per_block(Scenario s, const char* gpu, double dropout, Pass pass) {
  s.gpu = built_in_gpu(gpu);
  s.dropout = dropout;
  s.pass = pass;
  return make_plan(s).launches.front().tiling.bc;
}

}  // namespace

TEST_CASE("bytes and FLOPs of released code equal its closed forms and those of plain loops") {
  for_random_released(1500, 31, {30, 6, 9, 2, 2}, [](const Scenario&, const Plan& plan) {
    REQUIRE(counted(plan) == closed_form(plan));
    REQUIRE(IndependentReleasedCount(plan).ledger() == closed_form(plan));
  });
  for_random_released(500, 32, {3000, 128, 64, 4, 4},
                      [](const Scenario&, const Plan& plan) { REQUIRE(counted(plan) == closed_form(plan)); });
}

TEST_CASE("released code counted by kinds of tiles equals walking every tile") {
  for_random_released(500, 33, {60, 8, 12, 2, 2}, [](const Scenario&, const Plan& plan) {
    REQUIRE(totals_of(plan) == count_by_brute_force(plan));
  });
}

TEST_CASE("on GPT-2 medium the released code moves 2.58 GB forward and 3.53 GB backward, in four passes") {
  Scenario s = released(1024, 64);
  s.shape.batch = 64;
  s.shape.heads = s.shape.kv_heads = 16;
  const std::int64_t x = 64 * 16 * 1024 * 64 * 2, rows = 64 * 16 * 1024;  // bytes of Q; rows of all heads
  const Totals forward = totals_of(make_plan(s));
  CHECK(forward.bucket(Bucket::matrix).total().count() == (2 + 4 + 2 * (3 + 3) + 1) * x);  // K V, Q, O_tmp twice Q, O
  CHECK(forward.bucket(Bucket::statistics).total().count() == (4 + 3) * 4 * rows);
  CHECK(forward.total.total().count() == 2'579'496'960);
  s.pass = Pass::backward;
  const Totals backward = totals_of(make_plan(s));
  CHECK(backward.bucket(Bucket::matrix).total().count() == (2 + 4 + 4 + 1 + 2 * (3 + 3) + 1 + 2) * x);
  CHECK(backward.bucket(Bucket::statistics).total().count() == (4 + 1 + 4) * 4 * rows);
  CHECK(backward.total.total().count() == 3'527'409'664);
  CHECK(forward.bucket(Bucket::initialisation).total().count() == 0);
}

TEST_CASE("one pass over the queries needs no fp32 temporary, a second one takes 4 N d bytes in addition to L and D") {
  for (const Pass pass : {Pass::forward, Pass::forward_backward}) {
    const std::int64_t statistics = pass == Pass::forward ? 1 : 2;
    CHECK(simulate(released(256, 64, pass)).memory.extra_hbm.count() == statistics * 4 * 256);
    CHECK(simulate(released(257, 64, pass)).memory.extra_hbm.count() == (statistics + 64) * 4 * 257);
  }
  CHECK(tile_bytes(released(256, 64), O_tmp) == 0);
  CHECK(tile_bytes(released(257, 64), O_tmp) == 2 * 4 * 257 * 64);
}

TEST_CASE("scratch of a launch is not compulsory traffic, but leaves the L2 once") {
  const Simulation s = simulate(released(512, 64));
  CHECK(s.compulsory.total().count() == 4 * 512 * 64 * 2 + 4 * 512);
  CHECK(s.hbm_by_tensor.at(O_tmp).written.count() == 4 * 512 * 64);
  CHECK(s.hbm_by_tensor.at(O_tmp).read.count() == 0);
}

TEST_CASE("with a causal mask a row block's O leaves O_tmp at its diagonal: half of the passes") {
  Scenario s = released(1024, 64);
  s.shape.mask.causal = true;
  CHECK(tile_bytes(s, O_tmp) == 2 * 4 * 64 * (256 + 512 + 768));
  CHECK(tile_bytes(s, Tensor::O) == 1024 * 64 * 2);
}

TEST_CASE("values of the released code meet the numerics rule", "[repeats]") {
  for (const auto& [n, d, dropout] : {std::tuple<std::int64_t, std::int64_t, double>{1, 16, 0.0},
                                      {113, 64, 0.0},
                                      {257, 64, 0.1},
                                      {300, 128, 0.2},
                                      {700, 32, 0.0}}) {
    for (const Mask& mask : {Mask{}, Mask{true, 0, {}}, Mask{true, n / 3, {}}, Mask{false, n / 2, {}}}) {
      Scenario s = released(n, d, Pass::forward_backward);
      s.shape.mask = mask;
      s.shape.heads = s.shape.kv_heads = 2;
      s.dropout = dropout;
      s.dtype = n % 2 == 0 ? Dtype::bf16 : Dtype::fp16;
      INFO(describe(s));
      const auto [got, exact] = check_values_by_rule(s, 7);
      CHECK(check_values(got.log_sum_exp, exact.log_sum_exp, true).max_rel_error < 1e-5);
    }
  }
}

TEST_CASE("released tiles are 16 x 256, and 16 x 128 where the code's registers were scarce") {
  const Scenario d64 = released(1024, 64), d128 = released(1024, 128);
  const Pass forward = Pass::forward, backward = Pass::backward;
  CHECK(make_plan(d64).launches.front().tiling.br == 16);
  CHECK(keys_per_block(d64, "a100-sxm-40gb", 0, forward) == 256);
  CHECK(keys_per_block(d64, "a100-sxm-40gb", 0.1, backward) == 256);
  CHECK(keys_per_block(d128, "a100-sxm-40gb", 0, forward) == 256);
  CHECK(keys_per_block(d128, "a100-sxm-40gb", 0.1, forward) == 128);
  CHECK(keys_per_block(d128, "a100-sxm-40gb", 0, backward) == 128);
  CHECK(keys_per_block(d128, "rtx-3090", 0, forward) == 128);
  CHECK(keys_per_block(d64, "t4", 0, forward) == 256);
  CHECK(keys_per_block(d64, "t4", 0.1, forward) == 128);
  CHECK(keys_per_block(d64, "t4", 0, backward) == 128);
  CHECK(keys_per_block(released(128, 64), "a100-sxm-40gb", 0, forward) == 128);
}

/// GPUs on which the released code ran at all: from Turing on.
bool ran_released(const std::string& gpu) { return gpu != "toy" && gpu != "mi300x" && !gpu.starts_with("v100"); }

/// GPUs on which the released code ran d > 64 backward, by its own check.
bool ran_wide_backward(const std::string& gpu) {
  const std::string& architecture = built_in_gpu(gpu)->architecture;
  return architecture == "sm_80" || architecture == "sm_90";
}

TEST_CASE("released tiles fit every device that the code ran on, with 4 warps forward and 8 backward") {
  for (const std::string& gpu : device_names()) {
    if (!ran_released(gpu)) continue;
    for (const std::int64_t d : {16, 64, 128}) {
      for (const double dropout : {0.0, 0.1}) {
        Scenario s = released(1024, d, Pass::forward_backward);
        s.gpu = built_in_gpu(gpu);
        s.dropout = dropout;
        if (d == 128 && !ran_wide_backward(gpu)) s.pass = Pass::forward;
        INFO(gpu << " d " << d << " dropout " << dropout);
        CHECK_NOTHROW(simulate(s));
        CHECK(make_plan(s).launches[0].threads == 128);
        CHECK(make_plan(s).launches.back().threads == (s.pass == Pass::forward ? 128 : 256));
      }
    }
  }
}

TEST_CASE("every number of a released run is the sum of its terms") {
  Scenario s = released(600, 32, Pass::forward_backward);
  s.shape.mask.causal = true;
  const Simulation result = simulate(s);
  const Derivation reread = derive(result, "tile_traffic.by_tensor.O_tmp.read_bytes");
  CHECK(reread.formula.front() ==
        "flash1_released_forward O_tmp read: 4 B H Mq d   with B = 1, H = 1, Mq = 432, d = 32 = 55296");
  for (const std::string& path : derivation_paths(result)) {
    const Derivation derivation = derive(result, path);
    if (derivation.terms.empty() || derivation.unit != "bytes") continue;
    std::int64_t sum = 0;
    for (const DerivationTerm& term : derivation.terms) sum += term.total();
    INFO(path);
    CHECK(std::to_string(sum) == derivation.value);
  }
}

TEST_CASE("released code is refused where there was none, with what is allowed") {
  const auto refused = [](auto change, const std::string& why) {
    Scenario s = released(1024, 64);
    change(s);
    CHECK_THROWS_WITH(make_plan(s), Catch::Contains(why));
  };
  refused([](Scenario& s) { s.algorithm = "flash3"; }, "tiling: flash3 has no released code: kernel and paper");
  refused([](Scenario& s) { s.dtype = Dtype::fp32; }, "fp32 is not in the released code of flash1: fp16 or bf16");
  refused([](Scenario& s) { s.shape.head_dim = 160; }, "head-dim: 160 is more than the 128");
  refused([](Scenario& s) { s.gpu = built_in_gpu("rtx-3090"), s.shape.head_dim = 72, s.pass = Pass::backward; },
          "head-dim: 72 is more than the 64 that the released code of flash1 ran backward on rtx-3090 (sm_86)");
  for (const char* gpu : {"v100-sxm2-16gb", "mi300x"})
    refused([&](Scenario& s) { s.gpu = built_in_gpu(gpu); }, "released code of flash1 is of sm_75 and later");
  refused([](Scenario& s) { s.shape.heads = 4; }, "kv-heads: 1 for 4 heads");
  refused([](Scenario& s) { s.shape.mask.window = 100; }, "no --window");
  refused([](Scenario& s) { s.shape.mask.padding = 1024; }, "--padding below 1024");
  refused([](Scenario& s) { s.shape.mask.causal = true, s.shape.seqlen_q = 1025; }, "no more queries than keys");
}

TEST_CASE("released code ran d above 64 backward on sm_80 and sm_90 alone, forward and d 64 everywhere") {
  for (const std::string& gpu : device_names()) {
    if (!ran_released(gpu)) continue;
    for (const TilingRule rule : {TilingRule::released, TilingRule::released_1}) {
      Scenario s = released(512, 65, Pass::forward);
      s.tiling = rule;
      s.gpu = built_in_gpu(gpu);
      INFO(gpu << " " << name_of(rule));
      CHECK_NOTHROW(make_plan(s));
      for (const Pass pass : {Pass::backward, Pass::forward_backward}) {
        s.pass = pass;
        s.shape.head_dim = 64;
        CHECK_NOTHROW(make_plan(s));
        s.shape.head_dim = 65;
        if (ran_wide_backward(gpu)) CHECK_NOTHROW(make_plan(s));
        if (!ran_wide_backward(gpu)) CHECK_THROWS_WITH(make_plan(s), Catch::Contains("up to 128 on sm_80 and sm_90"));
      }
    }
  }
}

}  // namespace sim
