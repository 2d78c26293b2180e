// The dropout mask: its frequency, and that it depends only on its position.
#include "sim/base/dropout.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/attention.h"

using namespace sim;

namespace {

std::vector<float> row(const Dropout& dropout, std::int64_t head, std::int64_t query, Interval keys) {
  std::vector<float> keep(static_cast<std::size_t>(keys.size()), -1);
  keep_row(dropout, head, query, keys, keep);
  return keep;
}

double dropped_fraction(const Dropout& dropout, std::int64_t rows, std::int64_t keys) {
  std::int64_t dropped = 0;
  for (std::int64_t query = 0; query < rows; ++query) {
    for (const float keep : row(dropout, 3, query, {0, keys})) dropped += keep == 0 ? 1 : 0;
  }
  return static_cast<double>(dropped) / static_cast<double>(rows * keys);
}

}  // namespace

TEST_CASE("dropout drops its fraction of two million entries, within 1 % of it") {
  for (const double p : {0.1, 0.25, 0.5, 0.9}) {
    CHECK(dropped_fraction({p, 17}, 1000, 2000) == Approx(p).epsilon(0.01));
  }
}

TEST_CASE("every entry is 1 or 0, and with probability 0 every entry is kept") {
  for (const float keep : row({0.5, 1}, 0, 0, {0, 100})) CHECK((keep == 0 || keep == 1));
  for (const float keep : row({0, 1}, 0, 0, {0, 100})) CHECK(keep == 1);
}

TEST_CASE("some heads of a problem drop the same entries as in the whole problem") {
  CHECK(row({0.5, 1, 5}, 2, 3, {0, 100}) == row({0.5, 1}, 7, 3, {0, 100}));
  CHECK(row({0.5, 1, 5}, 2, 3, {0, 100}) != row({0.5, 1}, 2, 3, {0, 100}));
}

TEST_CASE("a row of the dropout mask is the same however it is cut") {
  const Dropout dropout{0.4, 99};
  const std::vector<float> whole = row(dropout, 2, 5, {0, 61});
  for (std::int64_t begin = 0; begin < 61; ++begin) {
    for (std::int64_t end = begin; end <= 61; ++end) {
      const std::vector<float> part = row(dropout, 2, 5, {begin, end});
      REQUIRE(std::equal(part.begin(), part.end(), whole.begin() + begin));
    }
  }
}

TEST_CASE("other seeds, heads and queries draw other dropout masks, equal in about half of their entries at p = 0.5") {
  const std::int64_t keys = 100'000;
  const std::vector<float> first = row({0.5, 1}, 0, 0, {0, keys});
  const auto agreement = [&](const std::vector<float>& other) {
    std::int64_t same = 0;
    for (std::size_t k = 0; k < other.size(); ++k) same += first[k] == other[k] ? 1 : 0;
    return static_cast<double>(same) / static_cast<double>(keys);
  };
  // standard deviation 0.0016
  CHECK(agreement(row({0.5, 2}, 0, 0, {0, keys})) == Approx(0.5).margin(0.01));
  CHECK(agreement(row({0.5, std::uint64_t{1} << 32 | 1}, 0, 0, {0, keys})) == Approx(0.5).margin(0.01));
  CHECK(agreement(row({0.5, 1}, 1, 0, {0, keys})) == Approx(0.5).margin(0.01));
  CHECK(agreement(row({0.5, 1}, 0, 1, {0, keys})) == Approx(0.5).margin(0.01));
}

TEST_CASE("a larger probability drops the same entries and more") {
  const std::vector<float> few = row({0.2, 4}, 0, 0, {0, 5000}), many = row({0.6, 4}, 0, 0, {0, 5000});
  for (std::size_t k = 0; k < few.size(); ++k) CHECK(many[k] <= few[k]);
}

TEST_CASE("dropout's layout of counters is fixed: kernels rebuild it") {
  // Philox4x32-10 with key 0: counter (0, 0, 0, 1) gives 2dce73e5 1348e23f fcf8e0ec a287aadb, (1, 0, 0, 1) e9535be3 ...
  const std::vector<float> keep = row({0.5, 0}, 0, 0, {0, 8});
  CHECK(keep == std::vector<float>{0, 0, 1, 1, 1, 0, 0, 1});
}

TEST_CASE("a dropout probability below 0, or 1 and more, is refused") {
  for (const double p : {-0.1, 1.0, 2.0, std::nan("")}) {
    CHECK_THROWS_WITH(row({p, 0}, 0, 0, {0, 4}), Catch::Contains("is not in [0, 1)"));
  }
}

TEST_CASE("the mean of O over many dropout masks is O without dropout, and L is always the same") {
  const Shape shape{.seqlen_q = 3, .seqlen_k = 20, .head_dim = 2};
  const AttentionInputs inputs = draw_inputs(shape, Dtype::fp32, 6);
  const AttentionReference plain = attention_reference(shape, 0.7, inputs);
  constexpr int masks = 4000;
  std::vector<double> sum(plain.o.size()), squares(plain.o.size());
  for (std::uint64_t seed = 0; seed < masks; ++seed) {
    const AttentionReference dropped = attention_reference(shape, 0.7, inputs, {0.3, seed});
    REQUIRE(dropped.log_sum_exp == plain.log_sum_exp);
    for (std::size_t n = 0; n < sum.size(); ++n) {
      sum[n] += dropped.o[n];
      squares[n] += dropped.o[n] * dropped.o[n];
    }
  }
  for (std::size_t n = 0; n < sum.size(); ++n) {
    const double mean = sum[n] / masks, deviation = std::sqrt((squares[n] / masks - mean * mean) / masks);
    CHECK(std::abs(mean - plain.o[n]) < 5 * deviation);
  }
}
