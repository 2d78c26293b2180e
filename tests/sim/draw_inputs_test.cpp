#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "sim/base/attention.h"
#include "sim/base/box_muller.h"
#include "sim/programs/drawn_rows.h"

namespace sim {
namespace {

/// std::bit_cast, which emscripten's library lacks.
std::uint32_t pattern_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }

}  // namespace

TEST_CASE("drawn inputs depend on seed, tensor and element only") {
  const Shape small{.seqlen_q = 3, .seqlen_k = 5, .head_dim = 7}, large{.heads = 2, .kv_heads = 2, .seqlen_q = 64};
  const AttentionInputs a = draw_inputs(small, Dtype::fp32, 9), b = draw_inputs(large, Dtype::fp32, 9);
  CHECK(std::equal(a.q.begin(), a.q.end(), b.q.begin()));
  CHECK(std::equal(a.k.begin(), a.k.end(), b.k.begin()));
  CHECK(std::equal(a.v.begin(), a.v.end(), b.v.begin()));
  CHECK(a.k != a.v);
  CHECK(draw_inputs(small, Dtype::fp32, std::uint64_t{9} << 32).q != a.q);
  CHECK(a.q.size() == 21);
  CHECK(a.v.size() == 35);
}

TEST_CASE("16 MiB of a long input stay in memory, and a dropped page is drawn again with equal values") {
  Scenario s;
  s.shape.seqlen_q = s.shape.seqlen_k = 20'000;
  s.shape.head_dim = 256;
  DrawnRows rows(make_plan(s), 0, DrawnTensor::K);
  const std::vector<float> first(rows.row(0), rows.row(0) + 256);
  for (std::int64_t row = 0; row < 20'000; row += DrawnRows::page_rows) rows.row(row);
  CHECK(rows.bytes() == DrawnRows::most_bytes);
  CHECK(rows.drawn() == 20'000 * 256);
  CHECK(std::equal(first.begin(), first.end(), rows.row(0)));
  CHECK(rows.drawn() == (20'000 + DrawnRows::page_rows) * 256);
  CHECK(rows.bytes() == DrawnRows::most_bytes);
}

TEST_CASE("normal numbers generated in batches equal those generated one by one, bit for bit") {
  std::mt19937 random(1);
  NormalPairs pairs;
  for (std::uint32_t batch = 0; batch < 4000; ++batch) {
    for (std::size_t n = 0; n < NormalPairs::count; ++n) {
      const auto edge = batch / 8 - 250 + static_cast<std::uint32_t>(n / 8);  // from -250 to 250, past 0
      pairs.radius_words[n] = n % 4 == 0 ? edge : static_cast<std::uint32_t>(random());
      pairs.angle_words[n] = n % 4 == 1 ? (static_cast<std::uint32_t>(n / 4) << 28) + edge  // by eighths of 2 pi
                                        : static_cast<std::uint32_t>(random());
    }
    pairs.make();
    for (std::size_t n = 0; n < NormalPairs::count; ++n) {
      const std::array<float, 2> one = box_muller(pairs.radius_words[n], pairs.angle_words[n]);
      INFO("words " << pairs.radius_words[n] << " " << pairs.angle_words[n]);
      REQUIRE(pattern_of(pairs.cosines[n]) == pattern_of(one[0]));
      REQUIRE(pattern_of(pairs.sines[n]) == pattern_of(one[1]));
    }
  }
}

// The polynomials' last terms matter most there: half a term more is 2e-11, enough to change one value in 10,000.
TEST_CASE("normal numbers at eighths of a circle and far from 0 equal those generated one by one, bit for bit") {
  std::mt19937 random(2);
  NormalPairs pairs;
  for (int batch = 0; batch < 8000; ++batch) {
    for (std::size_t n = 0; n < NormalPairs::count; ++n) {
      pairs.radius_words[n] = static_cast<std::uint32_t>(random()) >> 12;
      const std::uint32_t eighth = static_cast<std::uint32_t>(2 * n + 1) << 29;
      pairs.angle_words[n] = eighth + static_cast<std::uint32_t>(random() >> 6) - (1u << 25);
    }
    pairs.make();
    for (std::size_t n = 0; n < NormalPairs::count; ++n) {
      const std::array<float, 2> one = box_muller(pairs.radius_words[n], pairs.angle_words[n]);
      const bool same =
          pattern_of(pairs.cosines[n]) == pattern_of(one[0]) && pattern_of(pairs.sines[n]) == pattern_of(one[1]);
      if (!same) FAIL("words " << pairs.radius_words[n] << " " << pairs.angle_words[n]);
    }
  }
}

TEST_CASE("the first four elements are the published Philox words transformed by Box and Muller") {
  // Random123's kat_vectors: philox4x32 10, counter 0, key 0.
  const double word[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  const AttentionInputs inputs = draw_inputs({.seqlen_q = 1, .seqlen_k = 1, .head_dim = 4}, Dtype::fp32, 0);
  for (std::size_t pair = 0; pair < 2; ++pair) {
    const double radius = std::sqrt(-2 * std::log((word[2 * pair] + 0.5) / 4294967296.0));
    const double angle = 2 * std::numbers::pi * word[2 * pair + 1] / 4294967296.0;
    CHECK(inputs.q[2 * pair] == Approx(radius * std::cos(angle)).epsilon(1e-7));
    CHECK(inputs.q[2 * pair + 1] == Approx(radius * std::sin(angle)).epsilon(1e-7));
  }
}

TEST_CASE("drawn inputs are standard normal and rounded to the dtype") {
  const Shape shape{.seqlen_q = 1000, .seqlen_k = 1000, .head_dim = 100};
  const AttentionInputs inputs = draw_inputs(shape, Dtype::bf16, 0);
  const std::vector<double> x(inputs.v.begin(), inputs.v.end());
  const auto moment = [&](int power) {
    return std::accumulate(x.begin(), x.end(), 0.0, [=](double sum, double v) { return sum + std::pow(v, power); }) /
           1e5;
  };
  CHECK(moment(1) == Approx(0).margin(0.02));
  CHECK(moment(2) == Approx(1).margin(0.03));
  CHECK(moment(4) == Approx(3).margin(0.2));
  for (const float value : inputs.q) REQUIRE(value == round_to(Dtype::bf16, value));
}

TEST_CASE("drawing refuses absurd sizes before it takes memory") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(draw_inputs({.seqlen_q = std::int64_t{1} << 30, .head_dim = 64}, Dtype::fp16, 0),
                    Contains("68719476736 elements"));
}

TEST_CASE("outliers are one in a thousand, about ten times as large, and depend on their element and the seed alone") {
  const std::int64_t count = 1'000'000;
  const auto drawn = draw_elements({0, count}, Dtype::fp32, 4, DrawnTensor::K);
  const auto with = draw_with_outliers({0, count}, Dtype::fp32, 4, DrawnTensor::K);
  std::int64_t changed = 0;
  double squares = 0;
  for (std::size_t n = 0; n < drawn.size(); ++n) {
    if (drawn[n] == with[n]) continue;
    ++changed;
    squares += std::pow(static_cast<double>(with[n] - drawn[n]), 2);
  }
  CHECK(changed > 880);
  CHECK(changed < 1120);
  CHECK(squares / static_cast<double>(changed) == Approx(100).epsilon(0.15));
  const auto part = draw_with_outliers({777'003, 790'000}, Dtype::fp32, 4, DrawnTensor::K);
  CHECK(std::equal(part.begin(), part.end(), with.begin() + 777'003));
  CHECK(draw_with_outliers({0, 1000}, Dtype::bf16, 4, DrawnTensor::K)[5] == round_to(Dtype::bf16, with[5]));
}

}  // namespace sim
