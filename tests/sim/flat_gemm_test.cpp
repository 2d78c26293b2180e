// Flat products: intensity, parallelism, used rows and roofline times of three implementations.
#include <catch2/catch.hpp>

#include "sim/model/sparse_weights.h"

namespace sim {
namespace {

constexpr FlatRates a100{1.555e12, 312e12, 19.5e12};
constexpr FlatRows cuda = FlatRows::cuda_cores, by_8 = FlatRows::padded_to_8, by_64 = FlatRows::padded_to_64;

TEST_CASE("8 rows of 4,096 elements have the reference's FLOPs per element and CTAs for each width of a CTA") {
  const FlatGemm gemm{8, 12'288, 4096};
  const std::pair<std::int64_t, double> ratios[] = {{8, 7.992}, {32, 12.780}, {128, 15.031}, {512, 15.724}};
  const std::int64_t ctas[] = {1536, 384, 96, 24};
  for (std::size_t n = 0; n < 4; ++n) {
    CHECK(flops_per_element(gemm, ratios[n].first) == Approx(ratios[n].second).margin(5e-4));
    CHECK(ctas_of_columns(gemm, ratios[n].first) == ctas[n]);
  }
}

TEST_CASE("rows padded to 8 and to 64 are used to the reference's shares") {
  for (const auto& [m, to_8, to_64] :
       {std::tuple{1, 0.125, 0.015625}, std::tuple{4, 0.5, 0.0625}, std::tuple{8, 1.0, 0.125},
        std::tuple{16, 1.0, 0.25}, std::tuple{64, 1.0, 1.0}}) {
    CHECK(share_of_rows(m, by_8) == to_8);
    CHECK(share_of_rows(m, by_64) == to_64);
    CHECK(share_of_rows(m, cuda) == 1);
  }
}

TEST_CASE("roofline times of an A100 are the reference's for its four sizes of weights") {
  struct Golden {
    std::int64_t n, k;
    double times[6][3];
  };
  const std::int64_t rows[] = {1, 8, 16, 64, 128, 256};
  const Golden goldens[] = {{12'288,
                             4096,
                             {{64.8, 64.8, 64.8},
                              {64.9, 64.9, 64.9},
                              {82.6, 65.1, 65.1},
                              {330.4, 66.1, 66.1},
                              {660.8, 67.4, 67.4},
                              {1321.5, 82.6, 82.6}}},
                            {4096,
                             4096,
                             {{21.6, 21.6, 21.6},
                              {21.7, 21.7, 21.7},
                              {27.5, 21.7, 21.7},
                              {110.1, 22.3, 22.3},
                              {220.3, 22.9, 22.9},
                              {440.5, 27.5, 27.5}}},
                            {11'008,
                             4096,
                             {{58.0, 58.0, 58.0},
                              {58.1, 58.1, 58.1},
                              {74.0, 58.3, 58.3},
                              {296.0, 59.2, 59.2},
                              {591.9, 60.5, 60.5},
                              {1183.9, 74.0, 74.0}}},
                            {4096,
                             11'008,
                             {{58.0, 58.0, 58.0},
                              {58.1, 58.1, 58.1},
                              {74.0, 58.3, 58.3},
                              {296.0, 59.2, 59.2},
                              {591.9, 60.5, 60.5},
                              {1183.9, 74.0, 74.0}}}};
  for (const Golden& golden : goldens) {
    for (std::size_t r = 0; r < 6; ++r) {
      const FlatGemm gemm{rows[r], golden.n, golden.k};
      INFO(golden.n << " x " << golden.k << ", M " << rows[r]);
      CHECK(least_microseconds(gemm, cuda, a100) == Approx(golden.times[r][0]).margin(0.051));
      CHECK(least_microseconds(gemm, by_8, a100) == Approx(golden.times[r][1]).margin(0.051));
      CHECK(least_microseconds(gemm, by_64, a100) == Approx(golden.times[r][2]).margin(0.051));
    }
    const FlatGemm weights{1, golden.n, golden.k};
    CHECK(first_slower(weights, cuda, by_8, a100, 4096) == 13);
  }
}

TEST_CASE("padding 8 rows to 64 is no slower on a roofline, and a first number of rows at which it is lies near 200") {
  const FlatGemm weights{1, 12'288, 4096};
  CHECK(least_microseconds({8, 12'288, 4096}, by_64, a100) == least_microseconds({8, 12'288, 4096}, by_8, a100));
  const auto first = first_slower(weights, by_64, by_8, a100, 4096);
  REQUIRE(first.has_value());
  CHECK(*first > 192);
  CHECK(*first < 230);
  const FlatRates twice{1.555e12, 312e12, 78e12};  // half2 on CUDA cores
  CHECK(first_slower(weights, cuda, by_8, twice, 4096).value() == Approx(52).margin(2));
}

TEST_CASE("rates of a device are those of its roofline") {
  const FlatRates rates = flat_rates(device("a100-sxm-40gb"));
  CHECK(rates.hbm == Approx(a100.hbm).epsilon(0.01));
  CHECK(rates.tensor == Approx(a100.tensor).epsilon(0.01));
  CHECK(rates.fp32 == Approx(a100.fp32).epsilon(0.01));
}

TEST_CASE(
    "a tenth of the weights in blocks of 32 has the reference's FLOPs and bytes, and the L2 takes most of the gain") {
  const FlatGemm gemm{4096, 16'384, 4096};
  const SparseWork work = sparse_work(gemm, {32, 0.1});
  CHECK(work.blocks == 6554);  // 6,553.6 rounded up
  CHECK(work.flops == 54'978'936'832);
  CHECK(work.x_tile_bytes == 1'718'091'776);
  CHECK(work.w_tile_bytes == 429'522'944);
  CHECK(work.index_bytes == 4 * 32 * 6554);
  const DeviceSpec& gpu = device("a100-sxm-40gb");
  const auto without_l2 = [&](std::int64_t m) { return sparse_gain({m, 16'384, 4096}, {32, 0.1}, gpu).without_l2; };
  CHECK(without_l2(4096) == Approx(10).margin(0.005));
  CHECK(without_l2(512) == Approx(9.96).margin(0.005));
  CHECK(without_l2(16) == Approx(9.58).margin(0.005));
  DeviceSpec slower = gpu;
  slower.l2_bytes_per_second = 5'000'000'000'000;
  CHECK(sparse_gain(gemm, {32, 0.1}, slower).with_l2 == Approx(4.1).margin(0.05));
  CHECK(sparse_gain(gemm, {32, 1}, gpu).without_l2 == Approx(1));
}

TEST_CASE("blocks that do not divide the weights, and shares beyond 0 to 1, are refused") {
  CHECK_THROWS_WITH(sparse_work({1, 100, 64}, {32, 0.5}),
                    Catch::Contains("blocks of 32 do not divide weights of 64 x 100"));
  for (const double density : {0.0, -0.1, 1.5})
    CHECK_THROWS_WITH(sparse_work({1, 64, 64}, {32, density}), Catch::Contains("above 0 and at most 1"));
}

}  // namespace
}  // namespace sim
