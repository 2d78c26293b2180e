// Products of tiles equal Eigen's bit for bit, for every size and processor.
#include "sim/machine/tile_product.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "sim/base/eigen.h"
#include "sim/machine/tile_math.h"
#include "tests/support/random_scenario.h"

namespace {

using sim::math::Values;
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using View = Eigen::Map<const Matrix>;

struct Sizes {
  std::int64_t m, n, k;
};

Values random_values(sim::Dice& dice, std::int64_t count) {
  Values values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(dice.between(-1'000'000, 1'000'000)) * 1e-6f;
  return values;
}

bool same_bits(const Values& a, const Matrix& b) {
  return static_cast<std::int64_t>(a.size()) == b.size() && std::memcmp(a.data(), b.data(), 4 * a.size()) == 0;
}

void check_like_eigen(sim::Dice& dice, const Sizes& of) {
  const auto [m, n, k] = of;
  INFO("m " << m << " n " << n << " k " << k);
  const Values a = random_values(dice, m * k), b = random_values(dice, k * n), c = random_values(dice, m * n);
  Values nt = c, nn = c, tn = c;
  sim::math::gemm_nt(nt, a, b, m, n, k, true);
  sim::math::gemm_nn(nn, a, b, m, n, k, true, false);
  sim::math::gemm_tn(tn, a, b, m, n, k, false);
  Matrix with_nt = View(c.data(), m, n), with_nn = with_nt, with_tn = with_nt;
  with_nt.noalias() += View(a.data(), m, k) * View(b.data(), n, k).transpose();
  with_nn.noalias() += View(a.data(), m, k) * View(b.data(), k, n);
  with_tn.noalias() += View(a.data(), k, m).transpose() * View(b.data(), k, n);
  CHECK(same_bits(nt, with_nt));
  CHECK(same_bits(nn, with_nn));
  CHECK(same_bits(tn, with_tn));
}

}  // namespace

TEST_CASE("products of tiles equal Eigen's bit for bit, for the sizes of blocks and for any others") {
  sim::Dice dice(1);
  for (const Sizes& of : {Sizes{128, 64, 128},
                          {64, 128, 64},
                          {128, 128, 256},
                          {1, 64, 64},
                          {2, 16, 1},
                          {16, 16, 512},
                          {16, 16, 513},
                          {5, 32, 1100},
                          {64, 40, 48}})
    check_like_eigen(dice, of);
  for (int n = 0; n < 300; ++n)
    check_like_eigen(dice, {dice.near_an_end(1, 70), dice.near_an_end(1, 9) * (dice.one_in(2) ? 16 : 7),
                            dice.near_an_end(1, dice.one_in(5) ? 600 : 130)});
}

TEST_CASE("an ordered sum adds each term in the order of k, and then C") {
  sim::Dice dice(2);
  for (const auto [m, n, k] : {Sizes{7, 32, 40}, {64, 64, 64}, {130, 16, 512}}) {
    INFO("m " << m << " n " << n << " k " << k);
    const Values a = random_values(dice, m * k), b = random_values(dice, k * n), c = random_values(dice, m * n);
    Values product = c;
    if (!sim::math::add_product_in_order(product.data(), {a.data(), k, 1}, {b.data(), n, 1}, m, n, k)) {
      CHECK(product == c);  // unsupported on this processor: no change
      continue;
    }
    const View left(a.data(), m, k), right(b.data(), k, n);
    Matrix expected = View(c.data(), m, n);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::int64_t t = 0; t < k; ++t) sum += left(i, t) * right(t, j);
        expected(i, j) += sum;
      }
    }
    CHECK(same_bits(product, expected));
  }
}

TEST_CASE("sizes that are not summed in order are left alone") {
  Values a(16 * 600, 1.0f), b(16 * 600, 1.0f), c(16 * 16, 0.0f);
  for (const auto [m, n, k] : {Sizes{1, 16, 16}, {16, 15, 16}, {16, 16, 513}}) {
    CHECK_FALSE(sim::math::add_product_in_order(c.data(), {a.data(), k, 1}, {b.data(), n, 1}, m, n, k));
    CHECK(c == Values(16 * 16, 0.0f));
  }
}
