// Non-finite values: where they originate, and their effect on a verdict.
#include <catch2/catch.hpp>

#include "sim/model/simulation.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

namespace sim {
namespace {

Scenario two_heads(const std::string& algorithm, Pass pass = Pass::forward) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = pass;
  s.shape.heads = s.shape.kv_heads = 2;
  s.shape.seqlen_q = s.shape.seqlen_k = 40;
  s.shape.head_dim = 16;
  return s;
}

/// Inputs whose scores in head 1 are beyond fp16: 16 x 300 x 300 / 4.
AttentionInputs with_large_scores(const Scenario& s) {
  AttentionInputs inputs = draw_with_gradient(s, 3);
  const auto half = static_cast<std::ptrdiff_t>(inputs.q.size() / 2);
  std::fill(inputs.q.begin() + half, inputs.q.end(), 300.0f);
  std::fill(inputs.k.begin() + half, inputs.k.end(), 300.0f);
  return inputs;
}

}  // namespace

TEST_CASE("no verb of any program produces a non-finite value from finite inputs, whatever is masked") {
  Dice dice(36);
  for (int n = 0; n < 150; ++n) {
    Scenario s = random_scenario(dice, {40, 8, 16, 2, 4});
    if (has_backward(s) && n % 2 == 0) s.pass = Pass::forward_backward;
    s = within_limits(s);
    const Plan plan = make_plan(s);
    const AttentionInputs inputs = draw_with_gradient(s, 5);
    INFO(describe(s));
    for (std::int64_t head = 0; head < plan.problem.shape.batch * plan.problem.shape.heads; ++head)
      REQUIRE(!nonfinite_origin(plan, inputs, head));
    REQUIRE(nonfinite_results(plan, inputs, compute(plan, inputs)).empty());
  }
}

TEST_CASE("scores beyond fp16 are reported as non-finite from the line that stores them, in their head only") {
  const Scenario s = two_heads("standard");
  const Plan plan = make_plan(s);
  const AttentionInputs inputs = with_large_scores(s);
  CHECK(!nonfinite_origin(plan, inputs, 0));
  const auto origin = nonfinite_origin(plan, inputs, 1);
  REQUIRE(origin);
  CHECK(origin->kernel == "qk_gemm");
  CHECK(listing_code(origin->listing, origin->line) == "cta.store(S, block(p.hbm.S, i, j));");
  const auto results = nonfinite_results(plan, inputs, compute(plan, inputs));
  REQUIRE(results.size() == 1);
  CHECK_THAT(results[0], Catch::Contains("640 of 640 values of O in head 1 are not finite, since line ") &&
                             Catch::Contains("of standard/standard.cpp, kernel qk_gemm: cta.store(S,"));
}

TEST_CASE("a NaN in V is traced to the line that loads it, in every program and both passes") {
  for (const std::string& algorithm : program_names()) {
    for (const Pass pass : {Pass::forward, Pass::forward_backward, Pass::backward}) {
      if (pass != Pass::forward && !find_program(algorithm)->has_backward()) continue;
      if (algorithm == "fmha") continue;        // takes head dimension 64 only
      if (algorithm == "mla-decode") continue;  // has no V of its own
      const Scenario s = within_limits(two_heads(algorithm, pass));
      AttentionInputs inputs = draw_with_gradient(s, 7);
      inputs.v.back() = NAN;
      const Plan plan = make_plan(s);
      INFO(algorithm << " " << name_of(pass));
      CHECK(!nonfinite_origin(plan, inputs, 0));
      const auto origin = nonfinite_origin(plan, inputs, 1);
      REQUIRE(origin);
      CHECK_THAT(listing_code(origin->listing, origin->line), Catch::Contains("hbm.V"));
    }
  }
}

TEST_CASE("the origin is reported for heads that share K and V, and for gradients by KV head") {
  Scenario s = two_heads("flash2", Pass::forward_backward);
  s.shape.kv_heads = 1;
  s.dtype = Dtype::fp32;
  AttentionInputs inputs = draw_with_gradient(s, 7);
  inputs.d_o[inputs.d_o.size() / 2] = INFINITY;  // in head 1
  const Plan plan = make_plan(s);
  const auto results = nonfinite_results(plan, inputs, compute(plan, inputs));
  REQUIRE(results.size() == 3);
  CHECK_THAT(results[0], Catch::Contains("values of dQ in head 1 are not finite, since line"));
  CHECK_THAT(results[1], Catch::Contains("values of dK in KV head 0 are"));
  CHECK_THAT(results[2], Catch::Contains("values of dV in KV head 0 are"));
}

TEST_CASE("heads whose queries a kernel packs are named together") {
  Scenario s = two_heads("flash-decoding");
  s.shape.heads = 4, s.shape.seqlen_q = 1;
  AttentionInputs inputs = draw_with_gradient(s, 7);
  inputs.v.back() = NAN;
  const Plan plan = make_plan(s);
  REQUIRE(plan.problem.shape.heads == 2);
  const auto results = nonfinite_results(plan, inputs, compute(plan, inputs));
  REQUIRE(results.size() == 1);
  CHECK_THAT(results[0], Catch::Contains("2 of 32 values of O in heads 2 to 3 are not finite, since line"));
}

TEST_CASE("the first four of many non-finite heads are named and the others counted") {
  Scenario s = two_heads("flash2");
  s.shape.batch = 3;
  AttentionInputs inputs = draw_with_gradient(s, 7);
  std::fill(inputs.q.begin(), inputs.q.end(), NAN);
  const Plan plan = make_plan(s);
  const auto results = nonfinite_results(plan, inputs, compute(plan, inputs));
  REQUIRE(results.size() == 5);
  CHECK_THAT(results[3], Catch::Contains("in batch 1, head 1 are"));
  CHECK(results[4] == "values of 2 more heads are not finite");
}

TEST_CASE("the bound of each head depends on its own values, and beyond fp16 on scores in fp32") {
  const Scenario s = two_heads("flash2", Pass::forward_backward);
  AttentionInputs inputs = with_large_scores(s);
  for (std::size_t n = inputs.v.size() / 2; n < inputs.v.size(); ++n) inputs.v[n] *= 100;
  const Plan plan = make_plan(s);
  const Judged judged = judge_outputs(plan, inputs, nullptr);
  REQUIRE(judged.outputs.size() == 4);
  const JudgedOutput& O = judged.outputs[0];
  CHECK(O.wide_scores == std::vector<bool>{false, true});
  CHECK(O.allowed[0] < 1e-2);
  CHECK(O.allowed[1] > 20 * O.allowed[0]);
  const AttentionOutputs got = compute(plan, inputs);
  const std::vector<ValueCheck> heads = check_heads(O, got.o);
  CHECK((agrees(heads[0], O.allowed[0]) && agrees(heads[1], O.allowed[1])));
  AttentionOutputs wrong = got;
  wrong.o[0] += static_cast<float>(O.allowed[1] / 2);  // within the other head's bound only
  CHECK(!agrees(check_heads(O, wrong.o)[0], O.allowed[0]));
}

TEST_CASE("a head whose exact values are not finite has no bound, and its largest error is NaN") {
  const Scenario s = two_heads("flash2");
  AttentionInputs inputs = draw_with_gradient(s, 7);
  std::fill(inputs.q.begin(), inputs.q.begin() + 640, NAN);
  const Plan plan = make_plan(s);
  const Judged judged = judge_outputs(plan, inputs, nullptr);
  const JudgedOutput& O = judged.outputs[0];
  CHECK(std::isnan(O.allowed[0]));
  CHECK(std::isfinite(O.allowed[1]));
  const AttentionOutputs got = compute(plan, inputs);
  const std::vector<ValueCheck> heads = check_heads(O, got.o);
  CHECK(heads[0].nonfinite == 640);
  CHECK(std::isnan(heads[0].max_abs_error));
  CHECK(agrees(heads[1], O.allowed[1]));
  CHECK(std::isnan(check_outputs(plan, inputs, got).worst().max_abs_error));
  CHECK(std::isnan(check_values(std::vector<float>{NAN}, std::vector<double>{NAN}).max_abs_error));
}

TEST_CASE("keys that padding hides may be NaN: heads have finite bounds and agree, gradients too") {
  for (const Dtype dtype : {Dtype::fp16, Dtype::fp32}) {
    Scenario s = two_heads("flash2", Pass::forward_backward);
    s.dtype = dtype;
    s.shape.mask.padding = 8;
    AttentionInputs inputs = draw_with_gradient(s, 7);
    for (std::size_t n = 32 * 16; n < 40 * 16; ++n) inputs.k[n] = inputs.v[n] = inputs.k[n + 640] = NAN;
    const Plan plan = make_plan(s);
    const AttentionOutputs got = compute(plan, inputs);
    for (const JudgedOutput& output : judge_outputs(plan, inputs, nullptr).outputs) {
      const std::vector<ValueCheck> heads = check_heads(output, got.*output.values);
      INFO(name_of(dtype) << " " << name_of(output.tensor));
      for (std::size_t head = 0; head < heads.size(); ++head) CHECK(agrees(heads[head], output.allowed[head]));
    }
  }
}

TEST_CASE("L of a row that saw nothing is -infinity and right, NaN and any other infinity are not") {
  const std::vector<double> exact{-INFINITY, 1, -INFINITY, NAN};
  CHECK(check_values(std::vector<float>{-INFINITY, 1}, std::span(exact).first(2), true).nonfinite == 0);
  CHECK(check_values(std::vector<float>{-INFINITY}, std::span(exact).first(1), true).max_abs_error == 0);
  CHECK(check_values(std::vector<float>{-INFINITY, -INFINITY}, std::span(exact).first(2), true).nonfinite == 1);
  CHECK(check_values(std::vector<float>{NAN, NAN}, std::span(exact).last(2), true).nonfinite == 2);
}

}  // namespace sim
