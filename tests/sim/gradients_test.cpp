// The reference's gradients against finite differences of its forward pass, and the plain formula's against the former.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/model/simulation.h"

using namespace sim;

namespace {

struct Case {
  Shape shape;
  Dropout dropout = {};
};

AttentionInputs draw(const Shape& shape, Dtype dtype, std::uint64_t seed) {
  AttentionInputs inputs = draw_inputs(shape, dtype, seed);
  inputs.d_o = draw_output_gradient(shape, dtype, seed);
  return inputs;
}

/// The loss whose gradient with respect to O is dO: sum of O o dO.
double loss(const Case& problem, double scale, const AttentionInputs& inputs) {
  const std::vector<double> o = attention_reference(problem.shape, scale, inputs, problem.dropout).o;
  double sum = 0;
  for (std::size_t n = 0; n < o.size(); ++n) sum += o[n] * static_cast<double>(inputs.d_o[n]);
  return sum;
}

/// Checks by central differences. The step is 2^-10, exact in fp32 for values on a grid of 2^-12; the error is step^2 /
/// 6 times a third derivative, of order 10 for inputs of order 1: 2e-6.
void check_gradient(const Case& problem, double scale, const AttentionInputs& inputs,
                    std::vector<float> AttentionInputs::*member, const std::vector<double>& gradient) {
  constexpr float step = 0x1p-10f;
  AttentionInputs moved = inputs;
  REQUIRE(gradient.size() == (inputs.*member).size());
  for (std::size_t n = 0; n < gradient.size(); ++n) {
    (moved.*member)[n] = (inputs.*member)[n] + step;
    const double above = loss(problem, scale, moved);
    (moved.*member)[n] = (inputs.*member)[n] - step;
    const double below = loss(problem, scale, moved);
    (moved.*member)[n] = (inputs.*member)[n];
    CHECK(gradient[n] == Approx((above - below) / (2 * static_cast<double>(step))).margin(2e-5));
  }
}

void round_to_grid(std::vector<float>& values) {
  for (float& x : values) x = std::round(x * 0x1p12f) * 0x1p-12f;
}

}  // namespace

TEST_CASE("the reference's gradients are finite differences, under every mask, grouped heads and dropout") {
  const Mask masks[] = {{}, {true, 0, {}}, {false, 2, {}}, {true, 1, 3}, {false, 0, 1}};
  std::uint64_t seed = 40;
  for (const Mask& mask : masks) {
    for (const double dropout : {0.0, 0.3}) {
      for (const auto& [nq, nk] : {std::pair<std::int64_t, std::int64_t>{5, 5}, {3, 7}, {7, 4}}) {
        const Case problem{{1, 2, 1, nq, nk, 3, mask}, {dropout, ++seed}};
        INFO("Nq " << nq << " Nk " << nk << " causal " << mask.causal << " padding " << mask.padding << " dropout "
                   << dropout);
        AttentionInputs inputs = draw(problem.shape, Dtype::fp32, seed);
        for (std::vector<float>* values : {&inputs.q, &inputs.k, &inputs.v}) round_to_grid(*values);
        const auto gradients = attention_reference_backward(problem.shape, 0.6, inputs, problem.dropout);
        check_gradient(problem, 0.6, inputs, &AttentionInputs::q, gradients.d_q);
        check_gradient(problem, 0.6, inputs, &AttentionInputs::k, gradients.d_k);
        check_gradient(problem, 0.6, inputs, &AttentionInputs::v, gradients.d_v);
      }
    }
  }
}

TEST_CASE("the plain formula's gradients are the reference's up to the rounding of its dtype") {
  Shape shape{.heads = 4, .kv_heads = 2, .seqlen_q = 70, .seqlen_k = 90, .head_dim = 16};
  for (const bool masked : {false, true}) {
    if (masked) shape.mask = {.causal = true, .padding = 11, .window = 30};
    for (const auto& [dtype, tolerance] :
         {std::pair{Dtype::fp32, 5e-6}, std::pair{Dtype::fp16, 4e-3}, std::pair{Dtype::bf16, 4e-2}}) {
      const AttentionInputs inputs = draw(shape, dtype, 5);
      const Dropout dropout{0.2, 3};
      const auto plain = attention_plain_backward(shape, 0.25f, dtype, inputs, dropout);
      const auto exact = attention_reference_backward(shape, 0.25, inputs, dropout);
      const auto check = [&, dtype = dtype, tolerance = tolerance](const std::vector<float>& got,
                                                                   const std::vector<double>& want) {
        const ValueCheck error = check_values(got, want);
        CHECK(error.max_rel_error < tolerance);
        if (size_of(dtype) == 2) CHECK(error.max_rel_error > 1e-5);  // rounding happens
      };
      check(plain.d_q, exact.d_q);
      check(plain.d_k, exact.d_k);
      check(plain.d_v, exact.d_v);
    }
  }
}

TEST_CASE("rows that see nothing give zero gradients, and hidden NaN keys and values do not poison any") {
  const Shape shape{.seqlen_q = 30, .seqlen_k = 20, .head_dim = 4, .mask = {.causal = true, .padding = 3}};
  const AttentionInputs inputs = draw(shape, Dtype::fp32, 8);
  AttentionInputs poisoned = inputs;
  std::fill(poisoned.k.end() - 12, poisoned.k.end(), NAN);
  std::fill(poisoned.v.end() - 12, poisoned.v.end(), NAN);
  const auto a = attention_reference_backward(shape, 0.5, inputs);
  const auto b = attention_reference_backward(shape, 0.5, poisoned);
  const auto difference = [](const std::vector<double>& x, const std::vector<double>& y) {
    double most = 0;
    for (std::size_t n = 0; n < x.size(); ++n) most = std::max(most, std::abs(x[n] - y[n]));
    for (const double value : y) REQUIRE(std::isfinite(value));
    return most;
  };
  CHECK(difference(a.d_q, b.d_q) < 1e-14);
  CHECK(difference(a.d_k, b.d_k) < 1e-14);
  CHECK(difference(a.d_v, b.d_v) < 1e-14);
  for (std::size_t n = 0; n < 10 * 4; ++n) CHECK(a.d_q[n] == 0);  // the first 10 queries see no key
  for (std::size_t n = 17 * 4; n < 20 * 4; ++n) CHECK((a.d_k[n] == 0 && a.d_v[n] == 0));
}

TEST_CASE("a gradient of the wrong size is an error that names it") {
  const Shape shape{.seqlen_q = 4, .seqlen_k = 4, .head_dim = 2};
  AttentionInputs inputs = draw(shape, Dtype::fp32, 1);
  inputs.d_o.pop_back();
  CHECK_THROWS_WITH(attention_reference_backward(shape, 1, inputs), "attention: d_o has 7 values, its shape needs 8");
}
