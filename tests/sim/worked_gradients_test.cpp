// The worked example's backward pass, step by step.
#include "tests/support/worked_gradients.h"

#include <catch2/catch.hpp>

#include "tests/support/random_scenario.h"

using namespace sim;
using example::golden_backward;
using example::Matrix;
using example::values_of;

namespace {

constexpr double tolerance = 1e-6;

Scenario backward(const std::string& algorithm, double scale, bool causal = false) {
  Scenario s = example::scenario(algorithm.c_str(), scale, causal);
  s.pass = Pass::backward;
  return s;
}

/// Rows [2 i, 2 i + 2) and columns [2 j, 2 j + 2).
Matrix tile_of(const Matrix& whole, std::size_t i, std::size_t j) {
  Matrix tile;
  for (std::size_t r = 2 * i; r < 2 * i + 2; ++r) tile.push_back({whole[r][2 * j], whole[r][2 * j + 1]});
  return tile;
}

void check_same(const Matrix& got, const Matrix& want) {
  REQUIRE(got.size() == want.size());
  for (std::size_t r = 0; r < got.size(); ++r) {
    REQUIRE(got[r].size() == want[r].size());
    for (std::size_t c = 0; c < got[r].size(); ++c) CHECK(got[r][c] == Approx(want[r][c]).margin(tolerance));
  }
}

void check_same(const std::vector<float>& got, const Matrix& want) {
  REQUIRE(got.size() == want.size() * 2);
  for (std::size_t n = 0; n < got.size(); ++n) CHECK(got[n] == Approx(want[n / 2][n % 2]).margin(tolerance));
}

}  // namespace

TEST_CASE("flash1 backward goes through dP, D and dS of the worked example") {
  for (const example::GoldenBackward& expected : golden_backward) {
    const Plan plan = make_plan(backward("flash1", expected.scale));
    const AttentionInputs inputs = inputs_of(plan.scenario);
    const Trace trace = replay(plan, plan.launches[0], {}, &inputs);
    const auto dP = values_of(trace, Verb::gemm, Tensor::dP), dS = values_of(trace, Verb::jacobian, Tensor::dS);
    const auto D = values_of(trace, Verb::dot, Tensor::D);
    REQUIRE(dP.size() == 4);
    for (std::size_t n = 0; n < 4; ++n) {  // (j, i) = 00, 01, 10, 11
      const std::size_t j = n / 2, i = n % 2;
      check_same(dP[n], tile_of(expected.dP, i, j));
      check_same(D[n], {{expected.D[2 * i]}, {expected.D[2 * i + 1]}});
      check_same(dS[n], tile_of(expected.dS, i, j));
    }
  }
}

TEST_CASE("flash2 backward goes through D, dP and dS of the worked example") {
  for (const example::GoldenBackward& expected : golden_backward) {
    const Plan plan = make_plan(backward("flash2", expected.scale));
    const AttentionInputs inputs = inputs_of(plan.scenario);
    for (std::size_t i = 0; i < 2; ++i) {
      const Trace prepare = replay(plan, plan.launches[0], {0, 0, static_cast<std::int64_t>(i), 0}, &inputs);
      check_same(values_of(prepare, Verb::dot, Tensor::D).at(0), {{expected.D[2 * i]}, {expected.D[2 * i + 1]}});
    }
    for (std::size_t j = 0; j < 2; ++j) {
      const Trace trace = replay(plan, plan.launches[1], {0, 0, 0, static_cast<std::int64_t>(j)}, &inputs);
      const auto dP = values_of(trace, Verb::gemm, Tensor::dP), dS = values_of(trace, Verb::jacobian, Tensor::dS);
      REQUIRE(dP.size() == 2);
      for (std::size_t i = 0; i < 2; ++i) {
        check_same(dP[i], tile_of(expected.dP, i, j));
        check_same(dS[i], tile_of(expected.dS, i, j));
      }
    }
  }
}

TEST_CASE("every algorithm gives the worked example's dQ, dK and dV, with and without the causal mask") {
  for (const example::GoldenBackward& expected : golden_backward) {
    for (const std::string& name : names_with_backward()) {
      for (const bool causal : {false, true}) {
        INFO(name << " scale " << expected.scale << (causal ? " causal" : ""));
        const Scenario s = backward(name, expected.scale, causal);
        if (!takes(s)) continue;
        const Plan plan = make_plan(s);
        const AttentionOutputs got = compute(plan, inputs_of(plan.scenario));
        const example::Gradients& want = causal ? expected.causal : expected.plain;
        check_same(got.d_q, want.dQ);
        check_same(got.d_k, want.dK);
        check_same(got.d_v, want.dV);
      }
    }
  }
}

TEST_CASE("the scale is not a transpose: dV of the worked example is not the scaled P dO") {
  const Plan plan = make_plan(backward("flash2", 1));
  const AttentionOutputs got = compute(plan, inputs_of(plan.scenario));
  CHECK(std::abs(got.d_v[0] - 0.988) > 0.1);  // row 1 of P dO, which the misprinted line 17 would give
}
