// V and O of another width than Q and K: bytes, work, values, time, and what is refused.
#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"
#include "sim/machine/device_spec.h"
#include "sim/model/closed_form.h"
#include "sim/model/kv_cache.h"
#include "sim/model/simulation.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/ragged.h"
#include "tests/support/independent_backward.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

using namespace sim;

namespace {

Scenario of(const std::string& algorithm, std::int64_t d, std::int64_t dv) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape = {.heads = 4, .kv_heads = 2, .seqlen_q = 70, .seqlen_k = 90, .head_dim = d, .mask = {.causal = true}};
  s.shape.head_dim_v = dv;
  return s;
}

/// DeepSeek-V3's prefill of 4,096 tokens.
Scenario deepseek(const std::string& algorithm = "flash2") {
  Scenario s = of(algorithm, 192, 128);
  s.shape.heads = s.shape.kv_heads = 128;
  s.shape.seqlen_q = s.shape.seqlen_k = 4096;
  s.shape.mask = {};
  s.br = 128;
  return s;
}

Scenario random_widths(Dice& dice, const Limits& most) {
  Scenario s = random_scenario(dice, most);
  s.shape.head_dim_v = dice.between(1, most.head_dim);
  s = within_limits(s);
  if (s.own.erase("splits") > 0) split_keys(dice, s);  // in the tiles of these widths
  return s;
}

std::string equation_of(const Plan& plan, std::string_view what) {
  for (const WorkTerm& term : closed_form_work(plan)) {
    if (term.what == what) return term.equation;
  }
  return "";
}

}  // namespace

TEST_CASE("DeepSeek-V3's prefill moves and computes what 192 and 128 give") {
  for (const std::string algorithm : {"flash2", "flash3"}) {
    const Simulation run = simulate(deepseek(algorithm));
    CHECK(run.totals.tensor(Tensor::Q).read == Bytes(201'326'592));
    CHECK(run.totals.tensor(Tensor::K).read == Bytes(6'442'450'944));
    CHECK(run.totals.tensor(Tensor::V).read == Bytes(4'294'967'296));
    CHECK(run.totals.tensor(Tensor::O).written == Bytes(134'217'728));
    CHECK(run.totals.matmul_flops == Flops(1'374'389'534'720));
    CHECK(equation_of(run.plan, "Q K^T and P V") == "2 B H Nq Nk (dk+dv)");
  }
}

TEST_CASE("equal widths have one symbol, whether the second is given or not") {
  const Plan plan = make_plan(of("flash2", 64, 64));
  CHECK(equation_of(plan, "Q K^T and P V") == "4 B H A d");
  CHECK(equation_of(plan, "alpha O") == "B H Aq d");
  Scenario backward = of("flash2", 64, 64);
  backward.pass = Pass::backward;
  CHECK(equation_of(make_plan(backward), "Q K^T, P^T dO, dO V^T, dS K and dS^T Q") == "10 B H A d");
  backward.shape.head_dim_v = 32;
  CHECK(equation_of(make_plan(backward), "Q K^T, P^T dO, dO V^T, dS K and dS^T Q") == "2 B H A (3dk+2dv)");
}

TEST_CASE("every program moves and computes what its closed forms give with two widths") {
  Dice dice(11);
  for (int i = 0; i < 2000; ++i) {
    const Scenario s = random_widths(dice, {200, 40, 40, 3, 3});
    INFO(describe(s) << " dv " << s.shape.value_dim());
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
  }
}

TEST_CASE("closed forms with two widths agree with plain loops") {
  Dice dice(12);
  for (int i = 0; i < 800; ++i) {
    const Scenario s = random_widths(dice, {24, 9, 9, 2, 2});
    INFO(describe(s) << " dv " << s.shape.value_dim());
    const Plan plan = make_plan(s);
    REQUIRE(IndependentBackwardCount(plan).ledger() == closed_form(plan));
  }
}

TEST_CASE("columns of O depend on their own columns of V alone") {
  const Shape wide{.heads = 2, .kv_heads = 1, .seqlen_q = 9, .seqlen_k = 13, .head_dim = 8, .mask = {.causal = true}};
  const AttentionInputs all = draw_inputs(wide, Dtype::fp32, 3);
  Shape narrow = wide;
  narrow.head_dim_v = 3;
  AttentionInputs some = all;
  some.v.clear();
  for (std::size_t n = 0; n < all.v.size(); ++n) {
    if (n % 8 < 3) some.v.push_back(all.v[n]);
  }
  const AttentionReference of_all = attention_reference(wide, 0.3, all), got = attention_reference(narrow, 0.3, some);
  CHECK(got.log_sum_exp == of_all.log_sum_exp);
  REQUIRE(got.o.size() == of_all.o.size() / 8 * 3);
  for (std::size_t n = 0; n < got.o.size(); ++n) CHECK(got.o[n] == Approx(of_all.o[n / 3 * 8 + n % 3]).epsilon(1e-14));
}

TEST_CASE("O and the gradients meet the numerics rule with two widths") {
  for (const std::string& name : names_with_queries()) {
    for (const auto& [d, dv] :
         {std::pair<std::int64_t, std::int64_t>{64, 1}, {64, 40}, {64, 256}, {72, 40}, {192, 128}}) {
      for (const Dtype dtype : {Dtype::fp16, Dtype::fp32}) {
        Scenario s = of(name, d, dv);
        s.dtype = dtype;
        s.pass = all_passes(name);
        if (!scenario_error(s).empty()) continue;
        INFO(name << " d " << d << " dv " << dv << ' ' << name_of(dtype));
        check_values_by_rule(s, 5);
      }
    }
  }
}

TEST_CASE("a batch of different lengths with two widths is its entries, one by one") {
  Scenario s = of("flash2", 48, 80);
  s.sequences = std::make_shared<const SequenceClasses>(SequenceClasses{{2, 30, 50}, {1, 70, 20}});
  const Plan plan = make_plan(s);
  CHECK(counted(plan) == closed_form(plan));
  const AttentionInputs all = inputs_of(plan.scenario);
  CHECK(all.v.size() == std::size_t{(2 * 50 + 20) * 2 * 80});
  CHECK(all.q.size() == std::size_t{(2 * 30 + 70) * 4 * 48});
  check_classes_by_rule(plan, all);
}

TEST_CASE("each width runs as the next one that kernels are compiled for") {
  const Plan plan = make_plan(of("flash2", 100, 40));
  CHECK(plan.problem.kernel_dims == HeadDims{128, 64});
  const Simulation run = simulate(of("flash2", 100, 40)), compiled = simulate(of("flash2", 128, 64));
  CHECK(run.kernels[0].needs.smem == compiled.kernels[0].needs.smem);
  CHECK(run.microseconds <= compiled.microseconds);
  CHECK(make_plan(of("flash3", 150, 100)).problem.tiling.bc == 128);  // as released: 112 keys for V of 192
  CHECK(make_plan(of("flash3", 192, 192)).problem.tiling.bc == 112);
}

TEST_CASE("the time of two widths lies between those of the narrower and the wider one") {
  for (const std::string algorithm : {"flash1", "flash2", "flash-decoding", "standard", "memory-efficient"}) {
    const auto time = [&](std::int64_t d, std::int64_t dv) {
      Scenario s = deepseek(algorithm);
      s.shape.heads = s.shape.kv_heads = 16;
      s.shape.seqlen_q = algorithm == "memory-efficient" ? 512 : 2048;
      s.shape.head_dim = d;
      s.shape.head_dim_v = dv;
      if (algorithm == "memory-efficient") s.br.reset();
      s.bc = 32;
      return simulate(s).microseconds;
    };
    INFO(algorithm);
    const double both = time(192, 320);  // neither is compiled: instructions of all three follow one rule
    CHECK(both >= time(192, 192));
    CHECK(both <= time(320, 320));
  }
}

TEST_CASE("the KV cache of DeepSeek-V3 has latent rows, and that of two widths has both") {
  Scenario s = scenario_from(expanded({{"model", "deepseek-v3"}, {"seqlen", "4096"}}), built_in_gpu);
  CHECK(s.shape.head_dims() == HeadDims{192, 128});
  CHECK(kv_cache_of(s)->bytes_per_token == 70'272);
  s = scenario_from({{"layers", "2"}, {"heads", "3"}, {"head-dim", "192"}, {"head-dim-v", "128"}}, built_in_gpu);
  CHECK(kv_cache_of(s)->bytes_per_token == 2 * 3 * (192 + 128) * 2);
}

TEST_CASE("programs of one width refuse two, by name") {
  const auto refusal = [](Scenario s, TilingRule rule) {
    s.tiling = rule;
    return scenario_error(s);
  };
  const std::string one = "head-dim-v: 128 is not head-dim, 64, and ", leave = " has one head dim: leave it out";
  CHECK(refusal(of("flash2", 64, 128), TilingRule::released) == one + "FlashAttention-2's library" + leave);
  CHECK(refusal(of("fmha", 64, 128), TilingRule::kernel) == one + "fmha" + leave);
  Scenario s = of("flash1", 64, 128);
  s.shape.kv_heads = s.shape.heads;
  CHECK(refusal(s, TilingRule::released) == one + "the released code of flash1" + leave);
  CHECK(scenario_error(of("flash3", 128, 64)) ==
        "head-dim-v: flash3 takes 128 like head-dim; 97..128 for a head-dim of 129..192, or 1..256 for one up to 64, "
        "not 64 for 128");
  CHECK(scenario_error(of("flash2", 64, 0)).starts_with("head-dim-v is 0: allowed are 1 to "));
  CHECK_FALSE(simulate(deepseek()).accuracy.validated);
}
