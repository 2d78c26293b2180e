#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/base/attention.h"

namespace sim {

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

}  // namespace sim
