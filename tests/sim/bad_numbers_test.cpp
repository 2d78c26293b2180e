// Bad numbers and bad arguments of dropout and of the reference gradients: what must not spread, and what is rejected.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <span>

#include "sim/base/attention.h"
#include "tests/support/says.h"

namespace sim {
namespace {

using Doubles = std::vector<double>;
using Gradients = AttentionGradients<double>;

AttentionInputs drawn(const Shape& shape, Dtype dtype, std::uint64_t seed) {
  AttentionInputs inputs = draw_inputs(shape, dtype, seed);
  inputs.d_o = draw_output_gradient(shape, dtype, seed);
  return inputs;
}

/// max |a - b|; infinite when only one of two values is NaN or infinite.
double difference(const Doubles& a, const Doubles& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    if (a[n] == b[n] || (std::isnan(a[n]) && std::isnan(b[n]))) continue;
    worst = std::max(worst, std::isfinite(a[n] - b[n]) ? std::abs(a[n] - b[n]) : INFINITY);
  }
  return worst;
}

double difference(const Gradients& a, const Gradients& b) {
  return std::max({difference(a.d_q, b.d_q), difference(a.d_k, b.d_k), difference(a.d_v, b.d_v)});
}

bool all_zero(const auto& values) {
  return std::all_of(values.begin(), values.end(), [](auto value) { return value == 0; });
}

using Words = std::array<std::uint32_t, 4>;

/// Philox4x32-10 written out from its definition: pins the layout of the counter without the library.
Words philox(Words x, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * x[0], b = std::uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return x;
}

std::vector<float> kept(const Dropout& dropout, std::int64_t head, std::int64_t query, Interval keys) {
  std::vector<float> keep(static_cast<std::size_t>(keys.size()), -1.0f);
  keep_row(dropout, head, query, keys, keep);
  return keep;
}

}  // namespace

TEST_CASE("the gradients of a wholly masked problem are zero, whatever the inputs are") {
  const Shape shape{.seqlen_q = 2, .seqlen_k = 3, .head_dim = 1, .mask = {.padding = 3}};
  const AttentionInputs bad{{NAN, 1}, {INFINITY, 1, NAN}, {NAN, 1, 2}, {INFINITY, NAN}};
  const Gradients found = attention_reference_backward(shape, 1, bad);
  CHECK((all_zero(found.d_q) && all_zero(found.d_k) && all_zero(found.d_v)));
}

TEST_CASE("a query whose scores are all -inf adds nothing to the gradients") {
  const Shape shape{.seqlen_q = 1, .seqlen_k = 2, .head_dim = 1};
  const Gradients found = attention_reference_backward(shape, 1, {{-1}, {INFINITY, INFINITY}, {NAN, 7}, {3}});
  CHECK((all_zero(found.d_q) && all_zero(found.d_k) && all_zero(found.d_v)));
}

TEST_CASE("hidden NaN and infinite keys and values do not poison gradients") {
  const Shape shape{
      .heads = 2, .seqlen_q = 140, .seqlen_k = 140, .head_dim = 4, .mask = {.causal = true, .padding = 3, .window = 5}};
  const AttentionInputs inputs = drawn(shape, Dtype::fp32, 8);
  const Gradients clean = attention_reference_backward(shape, 0.5, inputs, {0.2, 1});
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    AttentionInputs poisoned = inputs;
    std::fill(poisoned.k.end() - 12, poisoned.k.end(), bad);
    std::fill(poisoned.v.end() - 12, poisoned.v.end(), bad);
    CHECK(difference(attention_reference_backward(shape, 0.5, poisoned, {0.2, 1}), clean) < 1e-13);
  }
}

TEST_CASE("a NaN query or output gradient touches only what it sees") {
  const Shape shape{.seqlen_q = 9, .seqlen_k = 9, .head_dim = 2, .mask = {.causal = true, .window = 2}};
  const AttentionInputs inputs = drawn(shape, Dtype::fp32, 8);
  const Gradients clean = attention_reference_backward(shape, 0.5, inputs);
  for (const auto tensor : {&AttentionInputs::q, &AttentionInputs::d_o}) {
    AttentionInputs poisoned = inputs;
    (poisoned.*tensor)[8] = NAN;  // row 4 of 2 values: query 4 sees the keys 2, 3 and 4
    const Gradients found = attention_reference_backward(shape, 0.5, poisoned);
    for (std::size_t n = 0; n < 18; ++n) {
      const std::size_t row = n / 2;
      CHECK(std::isnan(found.d_q[n]) == (row == 4));
      CHECK(std::isnan(found.d_k[n]) == (row >= 2 && row <= 4));
      if (row < 2 || row > 4) CHECK(found.d_v[n] == Approx(clean.d_v[n]).epsilon(1e-14));
    }
    CHECK(std::isnan(found.d_v[4]));
  }
}

TEST_CASE("dropout compares with p 2^32 down to the last 32-bit word") {
  const Words words = philox({0, 0, 0, 1}, {5, 0});
  for (std::size_t n = 0; n < 4; ++n) {
    const double word = words[n];
    const Interval key{static_cast<std::int64_t>(n), static_cast<std::int64_t>(n) + 1};
    CHECK(kept({word * 0x1p-32, 5}, 0, 0, key)[0] == 1);
    CHECK(kept({(word + 1) * 0x1p-32, 5}, 0, 0, key)[0] == 0);
  }
}

TEST_CASE("keep_row writes the requested keys and nothing after them") {
  std::vector<float> keep(10, 7.0f);
  keep_row({0.5, 1}, 0, 0, {3, 9}, keep);
  for (std::size_t n = 0; n < 10; ++n) CHECK((keep[n] == 7) == (n >= 6));
  std::fill(keep.begin(), keep.end(), 7.0f);
  keep_row({0.5, 1}, 0, 0, {7, 5}, keep);  // an empty interval
  CHECK(keep == std::vector<float>(10, 7.0f));
}

TEST_CASE("dropout of 0 keeps everything, p just below 1 drops everything") {
  CHECK(kept({0, 3}, 0, 0, {0, 100}) == std::vector<float>(100, 1.0f));
  CHECK((Dropout{}.factor() == 1 && !Dropout{}.any()));
  CHECK(Dropout{0.75, 0}.factor() == 4);
  const Dropout almost_all{std::nextafter(1.0, 0.0), 3};
  CHECK(kept(almost_all, 0, 0, {0, 100}) == std::vector<float>(100, 0.0f));
  CHECK(almost_all.factor() == 0x1p53f);
}

TEST_CASE("dropout refuses p below 0 or from 1 on and coordinates beyond its counter") {
  std::vector<float> keep(4);
  const auto row = [&](double p, std::int64_t head, std::int64_t query, Interval keys) {
    keep_row({p, 0}, head, query, keys, keep);
  };
  const std::int64_t range = std::int64_t{1} << 32;
  CHECK_THROWS_MATCHES(row(1, 0, 0, {0, 4}), Error, Says("dropout: {} is not in [0, 1)", "1"));
  CHECK_THROWS_MATCHES(row(-0.5, 0, 0, {0, 4}), Error, Says("dropout: {} is not in [0, 1)", "-0.5"));
  CHECK_THROWS_MATCHES(row(std::nan(""), 0, 0, {0, 4}), Error, Says("dropout: {} is not in [0, 1)", "nan"));
  CHECK_THROWS_MATCHES(row(0.1, range, 0, {0, 4}), Error,
                       Says("dropout: head {} is not in 0 to {}", "4294967296", "4294967295"));
  CHECK_THROWS_MATCHES(row(0.1, 0, -1, {0, 4}), Error, Says("dropout: query {} is not in 0 to {}", "-1", "4294967295"));
  CHECK_THROWS_WITH(row(0.1, 0, 0, {4 * range - 2, 4 * range + 1}), Catch::Contains("are not in 0 to 17179869184"));
  CHECK_THROWS_WITH(row(0.1, 0, 0, {-1, 3}), Catch::Contains("keys -1 to 3"));
  CHECK_THROWS_MATCHES(row(0.1, 0, 0, {0, 5}), Error, Says("dropout: keep has space for {} of {}", 4, 5));
}

TEST_CASE("the reference and the plain formula refuse p below 0 or from 1 on") {
  const Shape shape{.seqlen_q = 2, .seqlen_k = 2, .head_dim = 2};
  AttentionInputs inputs = draw_inputs(shape, Dtype::fp32, 0);
  inputs.d_o.resize(4);
  CHECK_THROWS_MATCHES(attention_reference(shape, 1, inputs, {1, 0}), Error, Says("dropout: {} is not in [0, 1)", "1"));
  CHECK_THROWS_MATCHES(attention_plain(shape, 1, Dtype::fp32, inputs, {NAN, 0}), Error,
                       Says("dropout: {} is not in [0, 1)", "nan"));
  CHECK_THROWS_MATCHES(attention_reference_backward(shape, 1, inputs, {-1, 0}), Error,
                       Says("dropout: {} is not in [0, 1)", "-1"));
  CHECK_THROWS_MATCHES(attention_plain_backward(shape, 1, Dtype::fp32, inputs, {2, 0}), Error,
                       Says("dropout: {} is not in [0, 1)", "2"));
}

}  // namespace sim
