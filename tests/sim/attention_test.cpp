#include "sim/base/attention.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "sim/base/check.h"
#include "sim/base/worked_example.h"
#include "sim/model/simulation.h"

namespace sim {
namespace {

using Doubles = std::vector<double>;

/// max |a - b|; infinite when only one of two values is NaN or infinite.
double difference(const Doubles& a, const Doubles& b) {
  require(a.size() == b.size(), "different lengths");
  double worst = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    if (a[n] == b[n] || (std::isnan(a[n]) && std::isnan(b[n]))) continue;
    worst = std::max(worst, std::isfinite(a[n] - b[n]) ? std::abs(a[n] - b[n]) : INFINITY);
  }
  return worst;
}

/// Computes one query by the definition, with loops: two passes over its visible keys.
void naive_row(const Shape& s, double scale, const float* q, const float* k, const float* v, std::int64_t query,
               double* o, double& log_sum_exp) {
  const std::int64_t d = s.head_dim;
  const auto score = [&](std::int64_t key) {
    double sum = 0;
    for (std::int64_t c = 0; c < d; ++c) sum += double{q[c]} * double{k[key * d + c]};
    return scale * sum;
  };
  double m = -INFINITY, l = 0;
  for (std::int64_t key = 0; key < s.seqlen_k; ++key)
    if (s.visible(query, key)) m = std::max(m, score(key));
  for (std::int64_t key = 0; key < s.seqlen_k; ++key) {
    if (!s.visible(query, key)) continue;
    const double p = std::exp(score(key) - m);
    l += p;
    for (std::int64_t c = 0; c < d; ++c) o[c] += p * v[key * d + c];
  }
  log_sum_exp = m + std::log(l);
  for (std::int64_t c = 0; c < d && l > 0; ++c) o[c] /= l;
}

AttentionReference naive(const Shape& s, double scale, const AttentionInputs& in) {
  AttentionReference result{Doubles(in.q.size()), Doubles(in.q.size() / static_cast<std::size_t>(s.head_dim))};
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t h = 0; h < s.heads; ++h)
      for (std::int64_t i = 0; i < s.seqlen_q; ++i) {
        const std::int64_t row = (b * s.heads + h) * s.seqlen_q + i;
        const std::int64_t kv = (b * s.kv_heads + h / (s.heads / s.kv_heads)) * s.seqlen_k * s.head_dim;
        naive_row(s, scale, &in.q[static_cast<std::size_t>(row * s.head_dim)], in.k.data() + kv, in.v.data() + kv, i,
                  &result.o[static_cast<std::size_t>(row * s.head_dim)],
                  result.log_sum_exp[static_cast<std::size_t>(row)]);
      }
  return result;
}

void check_against_naive(const Shape& shape) {
  CAPTURE(shape.seqlen_q, shape.seqlen_k, shape.mask.causal, shape.mask.padding, shape.mask.window.value_or(-1));
  const AttentionInputs inputs = draw_inputs(shape, Dtype::fp32, 3);
  const auto expected = naive(shape, 0.3, inputs), found = attention_reference(shape, 0.3, inputs);
  CHECK(difference(found.o, expected.o) < 1e-12);
  CHECK(difference(found.log_sum_exp, expected.log_sum_exp) < 1e-12);
}

/// The worked example: N = 4, d = 2, small integers.
const Shape example_shape{.seqlen_q = 4, .seqlen_k = 4, .head_dim = 2};
const AttentionInputs example = worked_example::inputs();

Shape causal(Shape shape) {
  shape.mask.causal = true;
  return shape;
}

/// S of the worked example, recovered from the reference: with one visible key L is the score itself.
Doubles example_scores(double scale) {
  Doubles scores;
  for (std::size_t query = 0; query < 4; ++query)
    for (std::size_t key = 0; key < 4; ++key) {
      const AttentionInputs pair{
          {example.q[2 * query], example.q[2 * query + 1]}, {example.k[2 * key], example.k[2 * key + 1]}, {0, 0}};
      scores.push_back(attention_reference({.seqlen_q = 1, .seqlen_k = 1, .head_dim = 2}, scale, pair).log_sum_exp[0]);
    }
  return scores;
}

Doubles row_max(const Doubles& scores) {
  Doubles m;
  for (auto row = scores.begin(); row != scores.end(); row += 4) m.push_back(*std::max_element(row, row + 4));
  return m;
}

/// l = exp(L - m).
Doubles row_sum(const Doubles& log_sum_exp, const Doubles& m) {
  Doubles l;
  for (std::size_t i = 0; i < m.size(); ++i) l.push_back(std::exp(log_sum_exp[i] - m[i]));
  return l;
}

}  // namespace

TEST_CASE("the worked example with scale 1") {
  const AttentionReference found = attention_reference(example_shape, 1.0, example);
  const Doubles s = example_scores(1.0), m = row_max(s);
  CHECK(difference(s, {1, 0, 1, 2, 1, 2, 0, 1, 3, 2, 2, 5, 3, 4, 1, 4}) < 1e-6);
  CHECK(difference(m, {2, 2, 5, 4}) < 1e-6);
  CHECK(difference(row_sum(found.log_sum_exp, m), {1.871094, 1.871094, 1.234909, 2.417667}) < 1e-6);
  CHECK(difference(found.o, {1.124282, 1.337835, 0.537883, 1, 1, 1.700185, 0.606971, 1.261459}) < 1e-6);
  CHECK(difference(found.log_sum_exp, {2.626523, 2.626523, 5.210998, 4.882803}) < 1e-6);
}

TEST_CASE("the worked example with scale 1/sqrt(2)") {
  const double scale = 1 / std::numbers::sqrt2;
  const AttentionReference found = attention_reference(example_shape, scale, example);
  const Doubles s = example_scores(scale), m = row_max(s);
  CHECK(difference(s, {0.707107, 0, 0.707107, 1.414214, 0.707107, 1.414214, 0, 0.707107, 2.121320, 1.414214, 1.414214,
                       3.535534, 2.121320, 2.828427, 0.707107, 2.828427}) < 1e-6);
  CHECK(difference(m, {1.414214, 1.414214, 3.535534, 2.828427}) < 1e-6);
  CHECK(difference(row_sum(found.log_sum_exp, m), {2.229254, 2.229254, 1.482863, 2.612942}) < 1e-6);
  CHECK(difference(found.o, {1.112124, 1.227400, 0.660477, 1, 1, 1.510420, 0.663166, 1.194008}) < 1e-6);
  CHECK(difference(found.log_sum_exp, {2.215881, 2.215881, 3.929509, 3.788904}) < 1e-6);
}

TEST_CASE("the worked example with a causal mask") {
  const AttentionReference one = attention_reference(causal(example_shape), 1.0, example);
  CHECK(difference(one.o, {1, 0, 0.268941, 0.731059, 1, 0.423883, 0.606971, 1.261459}) < 1e-6);
  CHECK(difference(one.log_sum_exp, {1, 2.313262, 3.551445, 4.882803}) < 1e-6);
  const AttentionReference scaled = attention_reference(causal(example_shape), 1 / std::numbers::sqrt2, example);
  CHECK(difference(scaled.o, {1, 0, 0.330238, 0.669762, 1, 0.496510, 0.663166, 1.194008}) < 1e-6);
  CHECK(difference(scaled.log_sum_exp, {0.707107, 1.815047, 2.807512, 3.788904}) < 1e-6);
}

TEST_CASE("two wrong ways to merge softmax blocks do not give the reference") {
  const Doubles o = attention_reference(example_shape, 1.0, example).o;
  CHECK(difference(o, {2, 2, 1.537883, 2.462117, 1.778484, 2.221516, 1.316367, 2.683633}) > 0.1);         // their sum
  CHECK(difference(o, {1, 1, 0.768941, 1.231059, 0.889242, 1.110758, 0.658184, 1.341816}) > 0.1);         // their mean
  CHECK(difference(o, {2.380447, 1.799952, 0.537883, 1, 6.873889, 3.861068, 0.606971, 1.261459}) > 0.1);  // inverse
}

TEST_CASE("the reference agrees with the definition for batches, groups of heads and masks") {
  check_against_naive({.batch = 2, .heads = 6, .kv_heads = 2, .seqlen_q = 37, .seqlen_k = 41, .head_dim = 8});
  check_against_naive({.batch = 1, .heads = 4, .kv_heads = 1, .seqlen_q = 300, .seqlen_k = 5, .head_dim = 3});
  for (const std::int64_t nq : {1, 20, 45, 140})
    for (const bool is_causal : {false, true})
      for (const std::int64_t padding : {0, 7, 45})
        for (const std::optional<std::int64_t> window : {std::optional<std::int64_t>{}, {0}, {9}})
          check_against_naive({.heads = 2,
                               .kv_heads = 2,
                               .seqlen_q = nq,
                               .seqlen_k = 45,
                               .head_dim = 5,
                               .mask = {.causal = is_causal, .padding = padding, .window = window}});
}

TEST_CASE("splitting long rows into blocks changes nothing") {
  check_against_naive({.seqlen_q = 130, .seqlen_k = 5000, .head_dim = 2, .mask = {.causal = true}});
}

TEST_CASE("the order of the keys does not matter") {
  const Shape shape{.seqlen_q = 9, .seqlen_k = 16, .head_dim = 4};
  const AttentionInputs inputs = draw_inputs(shape, Dtype::fp32, 1);
  AttentionInputs reversed = inputs;
  for (std::size_t key = 0; key < 16; ++key)
    for (std::size_t c = 0; c < 4; ++c) {
      reversed.k[(15 - key) * 4 + c] = inputs.k[key * 4 + c];
      reversed.v[(15 - key) * 4 + c] = inputs.v[key * 4 + c];
    }
  const auto a = attention_reference(shape, 0.5, inputs), b = attention_reference(shape, 0.5, reversed);
  CHECK(difference(a.o, b.o) < 1e-13);
  CHECK(difference(a.log_sum_exp, b.log_sum_exp) < 1e-13);
}

TEST_CASE("a constant added to every score leaves O as it is and moves L by the constant") {
  const Shape shape{.seqlen_q = 6, .seqlen_k = 10, .head_dim = 4};
  AttentionInputs inputs = draw_inputs(shape, Dtype::fp32, 2);
  for (std::size_t row = 0; row < 6; ++row) inputs.q[row * 4 + 3] = 1;  // column 3 adds k[j][3] to every score of key j
  for (std::size_t row = 0; row < 10; ++row) inputs.k[row * 4 + 3] = 0;
  const AttentionReference before = attention_reference(shape, 1.0, inputs);
  for (std::size_t row = 0; row < 10; ++row) inputs.k[row * 4 + 3] = 2000;  // exp(2000) overflows: the maximum must go
  const AttentionReference after = attention_reference(shape, 1.0, inputs);
  CHECK(difference(before.o, after.o) < 1e-11);
  for (std::size_t row = 0; row < 6; ++row) CHECK(after.log_sum_exp[row] == Approx(before.log_sum_exp[row] + 2000));
}

TEST_CASE("rows that see nothing give O = 0 and L = -inf") {
  const Shape shape = causal({.seqlen_q = 5, .seqlen_k = 2, .head_dim = 3});
  const AttentionInputs inputs = draw_inputs(shape, Dtype::fp32, 4);
  const auto found = attention_reference(shape, 1.0, inputs);
  const auto plain = attention_plain(shape, 1.0f, Dtype::fp32, inputs);
  for (std::size_t row = 0; row < 3; ++row) CHECK(found.log_sum_exp[row] == -INFINITY);
  for (std::size_t n = 0; n < 9; ++n) CHECK((found.o[n] == 0 && plain[n] == 0));
  CHECK(check_values(plain, found.o).max_abs_error < 1e-5);
}

TEST_CASE("a visible NaN score makes its row NaN and no other") {
  AttentionInputs inputs = example;
  inputs.k[2 * 2] = NAN;  // key 2 is visible to queries 2 and 3
  const AttentionReference found = attention_reference(causal(example_shape), 1.0, inputs);
  const AttentionReference clean = attention_reference(causal(example_shape), 1.0, example);
  for (std::size_t row = 0; row < 4; ++row) {
    CHECK(std::isnan(found.log_sum_exp[row]) == (row >= 2));
    CHECK(std::isnan(found.o[2 * row]) == (row >= 2));
    CHECK(std::isnan(found.o[2 * row + 1]) == (row >= 2));
  }
  for (std::size_t row = 0; row < 2; ++row) CHECK(found.log_sum_exp[row] == clean.log_sum_exp[row]);
}

TEST_CASE("a score of +inf gives NaN, scores of -inf drop out") {
  const Shape shape{.seqlen_q = 3, .seqlen_k = 2, .head_dim = 1};
  const AttentionInputs inputs{{1, -1, 0.5f}, {INFINITY, 2}, {3, 7}};
  const AttentionReference found = attention_reference(shape, 1.0, inputs);
  CHECK((std::isnan(found.o[0]) && std::isnan(found.log_sum_exp[0])));
  CHECK((found.o[1] == 7 && found.log_sum_exp[1] == -2));
  CHECK((std::isnan(found.o[2]) && std::isnan(found.log_sum_exp[2])));
  CHECK(std::isnan(attention_reference(shape, 1.0, {{1, 1, 1}, {-INFINITY, NAN}, {3, 7}}).log_sum_exp[0]));
}

TEST_CASE("scores of -inf only give O = 0 and L = -inf, whatever the values are") {
  const Shape shape{.seqlen_q = 1, .seqlen_k = 2, .head_dim = 1};
  const AttentionReference found = attention_reference(shape, 1.0, {{-1}, {INFINITY, INFINITY}, {NAN, 7}});
  CHECK((found.o[0] == 0 && found.log_sum_exp[0] == -INFINITY));
  CHECK(attention_plain(shape, 1.0f, Dtype::fp32, {{-1}, {INFINITY, INFINITY}, {3, 7}})[0] == 0);
}

TEST_CASE("an infinite or NaN value touches only the rows that see its key") {
  for (const float bad : {INFINITY, -INFINITY, NAN}) {
    AttentionInputs inputs = example;
    inputs.v[2 * 3] = bad;  // key 3 is visible to query 3 only
    const Doubles found = attention_reference(causal(example_shape), 1.0, inputs).o;
    const Doubles clean = attention_reference(causal(example_shape), 1.0, example).o;
    for (std::size_t n = 0; n < 6; ++n) CHECK(found[n] == Approx(clean[n]).epsilon(1e-15));
    CHECK((std::isnan(bad) ? std::isnan(found[6]) : found[6] == bad));
    CHECK(found[7] == Approx(clean[7]).epsilon(1e-15));
  }
}

TEST_CASE("hidden NaN keys and values do not poison padded or windowed rows") {
  Shape shape{.seqlen_q = 40, .seqlen_k = 40, .head_dim = 4, .mask = {.causal = true, .padding = 3, .window = 5}};
  const AttentionInputs inputs = draw_inputs(shape, Dtype::fp32, 8);
  AttentionInputs poisoned = inputs;
  std::fill(poisoned.k.end() - 12, poisoned.k.end(), NAN);
  std::fill(poisoned.v.end() - 12, poisoned.v.end(), NAN);
  const auto a = attention_reference(shape, 0.5, inputs), b = attention_reference(shape, 0.5, poisoned);
  CHECK(difference(a.o, b.o) < 1e-14);
  CHECK(difference(a.log_sum_exp, b.log_sum_exp) < 1e-14);
}

TEST_CASE("the plain formula is the reference up to the rounding of its dtype") {
  Shape shape{.heads = 4, .kv_heads = 2, .seqlen_q = 70, .seqlen_k = 90, .head_dim = 16};
  for (const bool masked : {false, true}) {
    if (masked) shape.mask = {.causal = true, .padding = 11, .window = 30};
    for (const auto& [dtype, tolerance] :
         {std::pair{Dtype::fp32, 2e-6}, std::pair{Dtype::fp16, 4e-3}, std::pair{Dtype::bf16, 4e-2}}) {
      const AttentionInputs inputs = draw_inputs(shape, dtype, 5);
      const std::vector<float> plain = attention_plain(shape, 0.25f, dtype, inputs);
      const double error = check_values(plain, attention_reference(shape, 0.25, inputs).o).max_abs_error;
      CHECK(error < tolerance);
      CHECK(error > tolerance / 400);  // it does round
      for (const float value : plain) REQUIRE(value == round_to(dtype, value));
    }
  }
}

TEST_CASE("the plain formula keeps NaN and gives exactly 0 for a score of -inf") {
  const Shape shape{.seqlen_q = 2, .seqlen_k = 16, .head_dim = 1};
  AttentionInputs inputs{{1, NAN}, std::vector<float>(16, -INFINITY), std::vector<float>(16, 1e38f)};
  inputs.k[0] = 0;
  inputs.v[0] = 5;
  const std::vector<float> o = attention_plain(shape, 1.0f, Dtype::bf16, inputs);
  CHECK(o[0] == 5);
  CHECK(std::isnan(o[1]));
}

TEST_CASE("the plain formula rounds S and P to the dtype") {
  // fp16 has no 2049: both scores become 2048.
  CHECK(attention_plain({.seqlen_q = 1, .seqlen_k = 2, .head_dim = 2}, 1.0f, Dtype::fp16,
                        {{1, 1}, {2048, 0, 2048, 1}, {2, 2, 4, 4}})[0] == 3);
  // 1/11 becomes 1489/16384, and 11 of them 2047.375/2048.
  const AttentionInputs equal{{0}, std::vector<float>(11, 1.0f), std::vector<float>(11, 1.0f)};
  CHECK(attention_plain({.seqlen_q = 1, .seqlen_k = 11, .head_dim = 1}, 1.0f, Dtype::fp16, equal)[0] == 2047.0f / 2048);
}

TEST_CASE("inputs of the wrong length and absurd scores are refused") {
  AttentionInputs inputs = example;
  inputs.k.pop_back();
  CHECK_THROWS_WITH(attention_reference(example_shape, 1.0, inputs), "attention: k has 7 values, its shape needs 8");
  CHECK_THROWS_WITH(attention_plain(example_shape, 1.0f, Dtype::fp32, inputs), Catch::Contains("k has 7 values"));
  const Shape wide{.seqlen_q = 65536, .seqlen_k = 65536, .head_dim = 1};
  const std::vector<float> ones(65536, 1.0f);
  CHECK_THROWS_WITH(attention_plain(wide, 1.0f, Dtype::fp32, {ones, ones, ones}),
                    Catch::Contains("4294967296 elements"));
}

}  // namespace sim
