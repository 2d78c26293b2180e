// V as the first columns of K (--kv-shared) and mla-decode: bytes, work, values, memory, time, and what is refused.
#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"
#include "sim/machine/device_spec.h"
#include "sim/model/closed_form.h"
#include "sim/model/kv_cache.h"
#include "sim/model/roofline.h"
#include "sim/model/simulation.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/ragged.h"
#include "tests/support/independent_count.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

using namespace sim;
using Catch::Contains;

namespace {

/// One token of DeepSeek-V3 over 4,096 keys, in the absorbed form.
Scenario deepseek(std::int64_t batch) {
  Scenario s;
  s.algorithm = "mla-decode";
  s.dtype = Dtype::bf16;
  s.shape = {.batch = batch, .heads = 128, .kv_heads = 1, .seqlen_q = 1, .seqlen_k = 4096, .head_dim = 576};
  s.shape.head_dim_v = 512;
  return s;
}

Scenario small(const std::string& algorithm = "mla-decode") {
  Scenario s;
  s.algorithm = algorithm;
  s.shape = {.batch = 2, .heads = 6, .kv_heads = 1, .seqlen_q = 1, .seqlen_k = 90, .head_dim = 24};
  s.shape.head_dim_v = 16;
  s.shape.kv_shared = true;
  s.bc = 16;
  return s;
}

Scenario random_shared(Dice& dice, const Limits& most) {
  Scenario s = random_scenario(dice, most);
  s.algorithm = dice.one_in(2) ? "mla-decode" : "flash-decoding";
  s.pattern = {};
  s.own.clear();
  s.shape.kv_shared = true;
  s.shape.head_dim_v = dice.between(1, s.shape.head_dim);
  if (dice.one_in(3)) draw_more_masks(dice, s.shape);
  if (dice.one_in(2)) s.score_steps = {{"softcap", "7"}, {"alibi", "1"}};
  s = within_limits(s);
  if (scenario_error(s).empty()) split_keys(dice, s);
  return s;
}

/// The traffic of V, if K had been loaded and V as well.
Scenario with_own_values(Scenario s) {
  s.shape.kv_shared = false;
  return s;
}

Totals sums_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

}  // namespace

TEST_CASE("a token of DeepSeek-V3 over 4,096 keys moves and computes what the latent rows give") {
  struct Row {
    std::int64_t batch, q, kv_tile, kv_once, o, l, flops;
  };
  for (const Row& row : {Row{1, 147'456, 9'437'184, 4'718'592, 131'072, 512, 1'140'850'688},
                         Row{128, 18'874'368, 1'207'959'552, 603'979'776, 16'777'216, 65'536, 146'028'888'064}}) {
    Scenario s = deepseek(row.batch);
    if (row.batch == 1) s.own["splits"] = 1;  // auto reads Q once for each part
    const Simulation run = simulate(s);
    CHECK(run.plan.problem.tiling.br == 64);
    CHECK(run.totals.tensor(Tensor::Q).read == Bytes(row.q));
    CHECK(run.totals.tensor(Tensor::K).read == Bytes(row.kv_tile));
    CHECK(run.totals.tensor(Tensor::V).read == Bytes(0));
    CHECK(run.totals.tensor(Tensor::O).written == Bytes(row.o));
    CHECK(run.totals.tensor(Tensor::L).written == Bytes(row.l));
    CHECK(run.totals.matmul_flops == Flops(row.flops));
    CHECK(total_bytes(run.plan, Tensor::K) == Bytes(row.kv_once));
    CHECK(total_bytes(run.plan, Tensor::V) == Bytes(0));
    if (row.batch > 1) CHECK(run.compulsory.read == Bytes(row.q + row.kv_once));  // with parts, those of O as well
    CHECK(static_cast<double>(row.flops) / static_cast<double>(row.kv_once) == Approx(241.8).margin(0.05));
    CHECK(run.memory.peak_hbm - run.memory.extra_hbm == Bytes(row.q + row.kv_once + row.o));
  }
}

TEST_CASE("counts, closed forms and a walk of every tile agree if V is the first columns of K") {
  Dice dice(58);
  int compared = 0, packed = 0, masked = 0;
  while (compared < 2000) {
    const Scenario s = random_shared(dice, {60, 24, 40, 3, 3});
    if (!scenario_error(s).empty()) continue;
    INFO(describe(s) << " dv " << s.shape.value_dim());
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
    REQUIRE(sums_of(plan) == count_by_brute_force(plan));
    ++compared;
    packed += plan.problem.shape.heads < s.shape.heads ? 1 : 0;
    masked += plan.problem.shape.mask.any() ? 1 : 0;
  }
  CHECK(packed > 200);
  CHECK(masked > 500);
}

TEST_CASE("closed forms agree with plain loops if V is the first columns of K") {
  Dice dice(59);
  for (int compared = 0; compared < 500;) {
    Scenario s = random_shared(dice, {24, 9, 9, 2, 3});
    s.score_steps.clear();
    if (!scenario_error(s).empty()) continue;
    INFO(describe(s) << " dv " << s.shape.value_dim());
    const Plan plan = make_plan(s);
    REQUIRE(IndependentCount(plan).ledger() == closed_form(plan));
    ++compared;
  }
}

TEST_CASE("only the reads of V differ from those of a V of its own") {
  Scenario s = small("flash-decoding");
  const Totals shared = simulate(s).totals, own = simulate(with_own_values(s)).totals;
  CHECK(shared.tensor(Tensor::K).read == own.tensor(Tensor::K).read);
  CHECK(own.tensor(Tensor::V).read > Bytes(0));
  CHECK(own.total.read - shared.total.read == own.tensor(Tensor::V).read);
  CHECK(shared.matmul_flops == own.matmul_flops);
  CHECK(shared.other_flops == own.other_flops);
}

TEST_CASE("O meets the numerics rule if V is the first columns of K, and equals that of a V with these columns") {
  for (const std::string algorithm : {"mla-decode", "flash-decoding"}) {
    for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32}) {
      for (const std::int64_t queries : {1, 5}) {
        for (const bool causal : {false, true}) {
          Scenario s = small(algorithm);
          s.dtype = dtype;
          s.shape.seqlen_q = queries;
          s.shape.mask = {.causal = causal, .padding = 3};
          s.own["splits"] = 3;
          INFO(algorithm << ' ' << name_of(dtype) << " Nq " << queries << (causal ? " causal" : ""));
          const AttentionOutputs got = check_values_by_rule(s, 5).got;
          AttentionInputs inputs = draw_with_gradient(s, 5);
          REQUIRE(inputs.v == values_in(inputs.k, {24, 16}));
          Scenario apart = with_own_values(s);
          if (algorithm == "mla-decode") apart.algorithm = "flash-decoding";
          apart.br = make_plan(s).problem.tiling.br;
          const std::vector<float> o = compute(make_plan(apart), inputs).o;
          REQUIRE(o.size() == got.o.size());
          for (std::size_t n = 0; n < o.size(); ++n) REQUIRE(got.o[n] == Approx(o[n]).margin(2e-2));
        }
      }
    }
  }
}

TEST_CASE("a run takes V from the K that it draws, of all heads, of one, and of a ragged batch") {
  const Plan plan = make_plan(small());
  Scenario asked = small();
  asked.shape.kv_shared = false;  // mla-decode shares K whatever the option says
  const AttentionInputs inputs = inputs_of(asked);
  CHECK(inputs.v == values_in(inputs.k, {24, 16}));
  DrawnRows v(plan, 1, DrawnTensor::V), k(plan, 1, DrawnTensor::K);
  for (const std::int64_t row : {0, 7, 89}) CHECK(std::equal(v.row(row), v.row(row) + 16, k.row(row)));
  CHECK(std::equal(k.row(7), k.row(7) + 24, inputs.k.begin() + (90 + 7) * 24));
  Scenario ragged = small();
  ragged.sequences = std::make_shared<const SequenceClasses>(SequenceClasses{{2, 1, 50}, {1, 1, 20}});
  const Plan batch = make_plan(ragged);
  CHECK(counted(batch) == closed_form(batch));
  check_classes_by_rule(batch, inputs_of(batch.scenario));
}

TEST_CASE("values of a V that is not the first columns of K are refused") {
  const Plan plan = make_plan(small());
  AttentionInputs inputs = inputs_of(plan.scenario);
  inputs.v.front() += 1;
  CHECK_THROWS_WITH(compute(plan, inputs), Contains("values: V is not the first columns of K"));
}

TEST_CASE("heads of mla-decode are rows of one tile, and so are queries that see the same keys") {
  const auto rows = [](std::int64_t queries, const Mask& mask) {
    Scenario s = small();
    s.shape.seqlen_q = queries;
    s.shape.mask = mask;
    const Shape seen = make_plan(s).problem.shape;
    return std::pair(seen.heads, seen.seqlen_q);
  };
  using Rows = std::pair<std::int64_t, std::int64_t>;
  CHECK(rows(1, {}) == Rows{1, 6});
  CHECK(rows(1, {.causal = true, .padding = 4}) == Rows{1, 6});
  CHECK(rows(3, {}) == Rows{1, 18});
  CHECK(rows(3, {.causal = true}) == Rows{6, 3});
  CHECK(rows(1, {.window = 8}) == Rows{6, 1});
}

TEST_CASE("the absorbed form has the scale of the head dim of prefill") {
  const Scenario s =
      scenario_from({{"model", "deepseek-v3"}, {"algorithm", "mla-decode"}, {"seqlen-q", "1"}}, built_in_gpu);
  CHECK(s.shape.heads == 128);
  CHECK(s.shape.kv_heads == 1);
  CHECK(s.shape.head_dims() == HeadDims{576, 512});
  CHECK(*s.scale == 1 / std::sqrt(192.0));
  CHECK(kv_cache_of(s)->bytes_per_token == 70'272);
  CHECK(scenario_from({{"model", "deepseek-v3"}}, built_in_gpu).shape.head_dims() == HeadDims{192, 128});
  const Scenario given =
      scenario_from({{"model", "deepseek-v3"}, {"algorithm", "mla-decode"}, {"scale", "0.5"}}, built_in_gpu);
  CHECK(*given.scale == 0.5);
}

TEST_CASE("a KV cache of rows that K and V share has the bytes of K alone") {
  const OptionValues options = {
      {"algorithm", "mla-decode"}, {"layers", "61"}, {"heads", "128"}, {"head-dim", "576"}, {"head-dim-v", "512"}};
  CHECK(kv_cache_of(scenario_from(options, built_in_gpu))->bytes_per_token == 70'272);
}

TEST_CASE("few heads of latent rows are bound by the HBM, 128 by the shared memory that feeds mma.sync") {
  const auto run = [](std::int64_t heads, const char* algorithm = "mla-decode") {
    Scenario s = deepseek(128);
    s.algorithm = algorithm;
    s.shape.heads = heads;
    return simulate(s);
  };
  CHECK(run(16).bound_by == "hbm");
  CHECK(run(128).bound_by == "smem");
  for (const std::int64_t heads : {16, 128}) {
    const double shared = run(heads).microseconds, apart = run(heads, "flash-decoding").microseconds;
    CHECK(shared < apart);
    CHECK((shared < 0.6 * apart) == (heads == 16));  // half the bytes, the same products
  }
}

TEST_CASE("programs that do not share K refuse it by name, and what does not fit is refused with its numbers") {
  const auto refusal = [](const std::string& algorithm, auto change) {
    Scenario s = small(algorithm);
    change(s);
    return scenario_error(s);
  };
  const auto nothing = [](Scenario&) {};
  CHECK(refusal("flash2", nothing) ==
        "kv-shared: is an option of flash-decoding, mla-decode; flash2 has none: leave it out");
  CHECK(refusal("mla-decode", [](Scenario& s) { s.shape.kv_heads = 2; }) ==
        "kv-heads: 2 is not 1: the heads of mla-decode share the latent row of a key; use --kv-heads 1");
  CHECK(refusal("flash-decoding", [](Scenario& s) { s.shape.head_dim_v = 25; }) ==
        "head-dim-v: 25 is more than head-dim, 24: V is the first columns of K, so that it has at most as many");
  CHECK(refusal("mla-decode", [](Scenario& s) { s.pass = Pass::backward; }) ==
        "pass: mla-decode has no backward pass: forward");
  CHECK(refusal("mla-decode", [](Scenario& s) { s.own["pack"] = 0; }) ==
        "pack: is an option of flash-decoding, flash-decoding-plus; mla-decode has none: leave it out");
  CHECK(with_algorithm(small("flash-decoding"), "flash2").shape.kv_shared == false);
}
