// The worked example: every intermediate value, step by step.
#include "tests/support/worked_example.h"

#include <catch2/catch.hpp>

#include "tests/support/takes.h"

using namespace sim;
using example::golden;
using example::Matrix;
using example::values_of;

namespace {

constexpr double tolerance = 1e-6;

Matrix column(const std::vector<double>& values) {
  Matrix matrix;
  for (const double value : values) matrix.push_back({value});
  return matrix;
}

void check_same(const Matrix& got, const Matrix& want) {
  REQUIRE(got.size() == want.size());
  for (std::size_t r = 0; r < got.size(); ++r) {
    REQUIRE(got[r].size() == want[r].size());
    for (std::size_t c = 0; c < got[r].size(); ++c) CHECK(got[r][c] == Approx(want[r][c]).margin(tolerance));
  }
}

Matrix minus(const Matrix& a, const Matrix& b) {
  Matrix difference = a;
  for (std::size_t r = 0; r < a.size(); ++r) {
    for (std::size_t c = 0; c < a[r].size(); ++c) difference[r][c] -= b[r][c];
  }
  return difference;
}

}  // namespace

TEST_CASE("flash1 goes through every intermediate of the worked example") {
  for (const example::Golden& expected : golden) {
    const Plan plan = make_plan(example::scenario("flash1", expected.scale));
    const AttentionInputs inputs = inputs_of(plan.scenario);
    const Trace trace = replay(plan, plan.launches[0], {}, &inputs);
    const auto S = values_of(trace, Verb::scale, Tensor::S);
    const auto P = values_of(trace, Verb::exp, Tensor::P);
    const auto maxima = values_of(trace, Verb::max, Tensor::m);  // m~ and m' alternate
    const auto sums = values_of(trace, Verb::sum, Tensor::l);    // l~ and l' alternate
    const auto alpha = values_of(trace, Verb::exp, Tensor::alpha), beta = values_of(trace, Verb::exp, Tensor::beta);
    const auto PV = values_of(trace, Verb::gemm, Tensor::PV), O = values_of(trace, Verb::rescale, Tensor::O);
    REQUIRE(S.size() == 4);
    REQUIRE(maxima.size() == 8);
    for (std::size_t n = 0; n < 4; ++n) {
      const example::Step& step = expected.flash1[n];
      check_same(S[n], step.S);
      check_same(maxima[2 * n], column(step.m_tilde));
      check_same(P[n], step.P);
      check_same(sums[2 * n], column(step.l_tilde));
      check_same(maxima[2 * n + 1], column(step.m));
      check_same(alpha[n], column(step.alpha));
      check_same(beta[n], column(step.beta));
      check_same(sums[2 * n + 1], column(step.l));
      check_same(PV[n], step.PV);
      check_same(O[n], step.O);
    }
  }
}

TEST_CASE("flash2 goes through every intermediate of the worked example") {
  for (const example::Golden& expected : golden) {
    const Plan plan = make_plan(example::scenario("flash2", expected.scale));
    const AttentionInputs inputs = inputs_of(plan.scenario);
    for (std::size_t i = 0; i < 2; ++i) {
      const Trace trace = replay(plan, plan.launches[0], {0, 0, static_cast<std::int64_t>(i), 0}, &inputs);
      const auto S = values_of(trace, Verb::scale, Tensor::S), P = values_of(trace, Verb::exp, Tensor::P);
      const auto m = values_of(trace, Verb::max, Tensor::m), l = values_of(trace, Verb::sum, Tensor::l);
      const auto alpha = values_of(trace, Verb::exp, Tensor::alpha);
      const auto rescaled = values_of(trace, Verb::rescale, Tensor::O), O = values_of(trace, Verb::gemm, Tensor::O);
      REQUIRE(O.size() == 2);
      for (std::size_t j = 0; j < 2; ++j) {
        const example::Step& step = expected.flash2[2 * i + j];
        check_same(S[j], step.S);
        check_same(m[j], column(step.m));
        check_same(P[j], step.P);
        check_same(alpha[j], column(step.alpha));
        check_same(l[j], column(step.l));
        check_same(minus(O[j], rescaled[j]), step.PV);
        check_same(O[j], step.O);
      }
      const Matrix L = values_of(trace, Verb::log, Tensor::L).at(0);
      check_same(L, {{expected.L[2 * i]}, {expected.L[2 * i + 1]}});
    }
  }
}

TEST_CASE("every algorithm gives the worked example's O and L, with and without the causal mask") {
  for (const example::Golden& expected : golden) {
    for (const std::string& name : names_with_queries()) {
      for (const bool causal : {false, true}) {
        INFO(name << " scale " << expected.scale << (causal ? " causal" : ""));
        const Scenario s = example::scenario(name.c_str(), expected.scale, causal);
        if (!takes(s)) continue;
        const Plan plan = make_plan(s);
        const AttentionOutputs got = compute(plan, inputs_of(plan.scenario));
        const Matrix& O = causal ? expected.causal_O : expected.O;
        const std::vector<double>& L = causal ? expected.causal_L : expected.L;
        for (std::size_t n = 0; n < 8; ++n) CHECK(got.o[n] == Approx(O[n / 2][n % 2]).margin(tolerance));
        if (name == "standard" || name == "flash1-q-outer") continue;  // stores no L
        REQUIRE(got.log_sum_exp.size() == 4);
        for (std::size_t n = 0; n < 4; ++n) CHECK(got.log_sum_exp[n] == Approx(L[n]).margin(tolerance));
      }
    }
  }
}

TEST_CASE("code that reads inputs row by row or in parts reads those of the worked example") {
  Scenario scenario = example::scenario("flash2", 1);
  scenario.pass = Pass::backward;
  const AttentionInputs whole = inputs_of(scenario);
  DrawnInputs rows(make_plan(scenario), 0);
  const auto check = [&](const std::vector<float>& values, DrawnRows& read, DrawnTensor tensor) {
    REQUIRE(values.size() == 8);
    for (std::int64_t n = 0; n < 8; ++n) CHECK(read.row(n / 2)[n % 2] == values[static_cast<std::size_t>(n)]);
    CHECK(input_elements(scenario, {2, 4}, tensor) == std::vector<float>{values[2], values[3]});
  };
  check(whole.q, rows.Q, DrawnTensor::Q);
  check(whole.k, rows.K, DrawnTensor::K);
  check(whole.v, rows.V, DrawnTensor::V);
  check(whole.d_o, rows.dO, DrawnTensor::dO);
  CHECK_THROWS_WITH(input_elements(scenario, {6, 9}, DrawnTensor::K), Catch::Contains("outside the worked example"));
  scenario.pass = Pass::forward;
  CHECK(inputs_of(scenario).d_o.empty());
}

TEST_CASE("drawn inputs are those of the seed, and dO comes with a backward pass") {
  Scenario scenario;
  scenario.shape.seqlen_q = 3;
  scenario.seed = 5;
  CHECK(inputs_of(scenario).k == draw_inputs(scenario.shape, scenario.dtype, 5).k);
  CHECK(inputs_of(scenario).d_o.empty());
  scenario.pass = Pass::backward;
  CHECK(inputs_of(scenario).d_o == draw_output_gradient(scenario.shape, scenario.dtype, 5));
}

TEST_CASE("the worked example has one size, and an error names the options that give it") {
  const auto refused = [](auto change) {
    Scenario scenario = example::scenario("flash1", 1);
    change(scenario);
    try {
      make_plan(scenario);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto says = [](const std::string& others) {
    return "inputs: worked is one head with --seqlen 4 --head-dim 2, here is " + others +
           ": change that, or use --inputs drawn";
  };
  CHECK(refused([](Scenario&) {}).empty());
  CHECK(refused([](Scenario& s) { s.shape = Shape{}; }) == says("seqlen-q 1024, seqlen-k 1024, head-dim 64"));
  CHECK(refused([](Scenario& s) { s.shape.seqlen_q = 3; }) == says("seqlen-q 3"));
  CHECK(refused([](Scenario& s) { s.shape.seqlen_k = 5; }) == says("seqlen-k 5"));
  CHECK(refused([](Scenario& s) { s.shape.batch = 2; }) == says("batch 2"));
  CHECK(refused([](Scenario& s) { s.shape.heads = s.shape.kv_heads = 4; }) == says("heads 4"));
}

TEST_CASE("known wrong answers to the worked example stay wrong") {
  const Plan plan = make_plan(example::scenario("flash2", 1));
  const AttentionOutputs got = compute(plan, inputs_of(plan.scenario));
  CHECK(std::abs(got.o[0] - 2.380447) > 0.1);  // the inverse printed in the FlashAttention-2 paper
  CHECK(std::abs(got.o[0] - 2.0) > 0.1);       // adding the outputs of separate softmaxes
  CHECK(std::abs(got.o[0] - 1.0) > 0.1);       // or their mean
}
