// Gradients of the programs against the reference in double, by the numerics rule, and dropout through both passes.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "sim/model/numerics_rule.h"
#include "sim/model/simulation.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

using namespace sim;

namespace {

Scenario scenario(const std::string& algorithm, std::int64_t n, std::int64_t d, Dtype dtype) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = Pass::forward_backward;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  s.shape.head_dim = d;
  s.dtype = dtype;
  return s;
}

AttentionInputs draw(const Scenario& s, std::uint64_t seed = 7) { return draw_with_gradient(s, seed); }

void check_rule(const Scenario& s, const AttentionInputs& inputs) {
  if (!takes(s)) return;
  const Plan plan = make_plan(s);
  INFO(s.algorithm << " N " << s.shape.seqlen_q << " x " << s.shape.seqlen_k << " d " << s.shape.head_dim << ' '
                   << name_of(s.dtype) << " dropout " << s.dropout);
  check_gradients_by_rule(plan.problem, inputs, compute(plan, inputs));
}

void check_rule(const Scenario& s) { check_rule(s, draw(s)); }

}  // namespace

TEST_CASE("gradients meet the numerics rule on every length and head dimension", "[repeats]") {
  for (const std::string& name : names_with_backward()) {
    for (const std::int64_t n : {1, 7, 64, 113, 128, 129, 257, 1000}) {
      for (const std::int64_t d : {16, 32, 64, 80, 128, 256}) {
        if (n * d > 70000 && d != 64) continue;
        if (name == "memory-efficient" && n * d > 20000) continue;  // one row at a time: slow, and covered by the rest
        check_rule(scenario(name, n, d, n % 2 == 0 ? Dtype::fp16 : d % 32 == 0 ? Dtype::bf16 : Dtype::fp32));
      }
    }
  }
}

TEST_CASE("gradients meet the numerics rule in every dtype") {
  for (const std::string& name : names_with_backward()) {
    for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32}) check_rule(scenario(name, 257, 64, dtype));
  }
}

TEST_CASE("gradients are as exact under every mask, with grouped heads, cross lengths and dropout", "[repeats]") {
  for (const std::string& name : names_with_backward()) {
    for (const auto& [nq, nk] :
         {std::pair<std::int64_t, std::int64_t>{1, 239}, {113, 203}, {203, 113}, {128, 217}, {239, 1}, {300, 300}}) {
      for (const Mask& mask :
           {Mask{true, 0, {}}, Mask{false, 1, {}}, Mask{true, 0, 50}, Mask{false, 0, 0}, Mask{true, 1, 17}}) {
        Scenario s = scenario(name, 1, 32, Dtype::fp32);
        s.shape = {2, 4, 2, nq, nk, 32, mask};
        if (mask.padding == 1) s.dropout = 0.3;
        check_rule(s);
      }
    }
  }
}

TEST_CASE("with dropout O and the gradients are as exact in every dtype: both passes draw the same mask") {
  for (const std::string& name : names_with_backward()) {
    for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32}) {
      Scenario s = scenario(name, 200, 32, dtype);
      s.dropout = 0.1;
      if (!takes(s)) continue;
      s.shape.heads = s.shape.kv_heads = 2;
      s.seed = 5;
      const AttentionInputs inputs = draw(s);
      check_rule(s, inputs);
      const Plan plan = make_plan(s);
      const Problem& p = plan.problem;
      const auto exact = attention_reference(p.shape, static_cast<double>(p.scale), inputs, p.dropout).o;
      const double plain =
          check_values(attention_plain(p.shape, p.scale, dtype, inputs, p.dropout), exact).max_abs_error;
      CHECK(check_values(compute(plan, inputs).o, exact).max_abs_error <= numerics::bound(2, plain, exact, dtype));
    }
  }
}

TEST_CASE("dropout leaves L alone: the normaliser is of all entries, whatever is dropped") {
  for (const std::string& name : names_with_backward()) {
    if (name == "standard") continue;  // stores no L
    Scenario s = scenario(name, 150, 16, Dtype::fp32);
    if (!takes(s)) continue;
    s.pass = Pass::forward;
    const AttentionInputs inputs = draw(s);
    const AttentionOutputs kept = compute(make_plan(s), inputs);
    s.dropout = 0.5;
    const AttentionOutputs dropped = compute(make_plan(s), inputs);
    CHECK(dropped.log_sum_exp == kept.log_sum_exp);
    CHECK(dropped.o != kept.o);
  }
}

TEST_CASE("the dropout mask does not depend on the tile sizes") {
  Scenario s = scenario("flash2", 130, 16, Dtype::fp32);
  s.dropout = 0.4;
  const AttentionInputs inputs = draw(s);
  const AttentionOutputs large = compute(make_plan(s), inputs);
  s.br = 24;
  s.bc = 20;
  const AttentionOutputs small = compute(make_plan(s), inputs);
  const std::vector<double> expected(large.d_v.begin(), large.d_v.end());
  CHECK(check_values(small.d_v, expected).max_rel_error < 1e-5);
  const std::vector<double> o(large.o.begin(), large.o.end());
  CHECK(check_values(small.o, o).max_rel_error < 1e-5);
}

TEST_CASE("a backward pass alone gives the gradients of both passes") {
  for (const std::string& name : names_with_backward()) {
    Scenario s = scenario(name, 100, 16, Dtype::fp16);
    if (!takes(s)) continue;
    if (name != "flash3") s.dropout = 0.2;
    const AttentionInputs inputs = draw(s);
    const AttentionOutputs both = compute(make_plan(s), inputs);
    s.pass = Pass::backward;
    const AttentionOutputs alone = compute(make_plan(s), inputs);
    CHECK(alone.d_q == both.d_q);
    CHECK(alone.d_k == both.d_k);
    CHECK(alone.d_v == both.d_v);
  }
}

TEST_CASE("masked entries have no gradient and poison none, even when they are NaN") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::string& name : names_with_backward()) {
    Scenario s = scenario(name, 70, 8, Dtype::fp32);
    if (!takes(s)) continue;
    s.shape.mask.padding = 6;
    AttentionInputs inputs = draw(s);
    const AttentionOutputs clean = compute(make_plan(s), inputs);
    for (std::size_t n = 64 * 8; n < 70 * 8; ++n) inputs.k[n] = inputs.v[n] = nan;
    const AttentionOutputs got = compute(make_plan(s), inputs);
    INFO(name);
    const auto near = [](const std::vector<float>& a, const std::vector<float>& b) {
      const std::vector<double> expected(b.begin(), b.end());
      return check_values(a, expected).max_rel_error < 1e-5;
    };
    CHECK(near(got.d_q, clean.d_q));
    CHECK(near(got.d_k, clean.d_k));
    CHECK(near(got.d_v, clean.d_v));
    for (std::size_t n = 64 * 8; n < 70 * 8; ++n) CHECK((got.d_k[n] == 0.0f && got.d_v[n] == 0.0f));
  }
}

TEST_CASE("a row that sees nothing has gradient 0") {
  for (const std::string& name : names_with_backward()) {
    Scenario s = scenario(name, 1, 8, Dtype::fp32);
    if (!takes(s)) continue;
    s.shape = {1, 1, 1, 70, 40, 8, {true, 0, {}}};  // the first 30 queries see no key
    const AttentionOutputs got = compute(make_plan(s), draw(s));
    INFO(name);
    for (std::size_t n = 0; n < 30 * 8; ++n) CHECK(got.d_q[n] == 0.0f);
    for (const float value : got.d_k) CHECK(std::isfinite(value));
  }
}

TEST_CASE("a backward pass without dO is an error that names it") {
  Scenario s = scenario("flash2", 16, 8, Dtype::fp32);
  const AttentionInputs without = draw_inputs(s.shape, s.dtype, 1);
  CHECK_THROWS_WITH(compute(make_plan(s), without), Catch::Contains("a backward pass needs dO, 128 values like O"));
}
