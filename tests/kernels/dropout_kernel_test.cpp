// The dropout mask of the kernels against that of the simulator, entry by entry.
#include <catch2/catch.hpp>

#include "kernels/emulator/device.h"
#include "kernels/tile/dropout_fragment.h"
#include "kernels/verify/run.h"

namespace {

constexpr std::int32_t queries = 5, keys = 37;  // neither is a multiple of the four keys of a draw

/// The mask that the kernels' dropout draws for rows `i` and keys `j` of a head, as bytes.
std::vector<std::uint8_t> drawn(const kernels::Arguments& a, std::int64_t head, kernels::Range i, kernels::Range j) {
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(i.size()) * static_cast<std::size_t>(j.size()), 2);
  emulator::EmulatedDevice device({.workers = 1});
  std::uint8_t* const at = mask.data();
  device.run({"mask", 1, 32, 0, false}, [=] {
    kernels::keep_mask(kernels::Tile<std::uint8_t>{at, i.size(), j.size()}, a, head, i, j);
  });
  return mask;
}

std::vector<std::uint8_t> expected(const sim::Dropout& dropout, std::int64_t head, kernels::Range i, kernels::Range j) {
  std::vector<std::uint8_t> mask;
  std::vector<float> row(static_cast<std::size_t>(j.size()));
  for (std::int32_t query = i.begin; query < i.end; ++query) {
    sim::keep_row(dropout, head, query, {j.begin, j.end}, row);
    mask.insert(mask.end(), row.begin(), row.end());
  }
  return mask;
}

/// Bytes that a warp draws for its accumulators (16 m, 8 n), rows from `query` and keys from `key` on, as bytes.
template <int m, int n, int max_draws = 8>
std::vector<std::uint8_t> drawn_in_lanes(const kernels::Arguments& a, std::int64_t head, std::int32_t query,
                                         std::int32_t key) {
  std::vector<std::uint8_t> mask(16 * m * 8 * n, 2);
  emulator::EmulatedDevice device({.workers = 1});
  std::uint8_t* const at = mask.data();
  device.run({"fragment", 1, 32, 0, false}, [=] {
    const int lane = kernels::lane_number();
    kernels::each_drawn<m, n, max_draws>(a, head, query, key, [=](int i, int j, int r, bool kept) {
      const int row = 16 * i + lane / 4 + r / 2 * 8, col = 8 * j + lane % 4 * 2 + r % 2;
      at[row * 8 * n + col] = kept ? 1 : 0;
    });
  });
  return mask;
}

kernels::Arguments arguments_of(const sim::Dropout& dropout) {
  sim::Scenario scenario;
  scenario.dropout = dropout.probability;
  scenario.seed = dropout.seed;
  const sim::Plan plan = sim::make_plan(scenario);
  return kernels::arguments_of(plan, plan.launches.front());
}

}  // namespace

TEST_CASE("kernels draw the dropout mask of the simulator") {
  constexpr std::uint64_t seed = 0x123456789abcdef0;
  for (const double probability : {1e-9, 0.1, 0.5, 0.9, 1 - 0x1p-33, 1 - 0x1p-34}) {
    const sim::Dropout dropout{probability, seed};
    for (const std::int64_t head : {std::int64_t{0}, std::int64_t{31}, (std::int64_t{1} << 32) - 1}) {
      const kernels::Range i = {3, 3 + queries}, j = {5, 5 + keys};
      CHECK(drawn(arguments_of(dropout), head, i, j) == expected(dropout, head, i, j));
    }
  }
}

TEST_CASE("warps draw the dropout mask of the simulator for their accumulators, whatever part of a tile these are") {
  for (const double probability : {0x1p-32, 0.1, 0.5, 1 - 0x1p-33, 1 - 0x1p-34}) {
    const sim::Dropout dropout{probability, 0x123456789abcdef0};
    const kernels::Arguments a = arguments_of(dropout);
    for (const std::int64_t head : {std::int64_t{7}, (std::int64_t{1} << 32) - 1}) {
      const auto check = [&]<int m, int n>(std::integral_constant<int, m>, std::integral_constant<int, n>) {
        const kernels::Range i = {48, 48 + 16 * m}, j = {64, 64 + 8 * n};
        CHECK(drawn_in_lanes<m, n>(a, head, i.begin, j.begin) == expected(dropout, head, i, j));
        CHECK(drawn_in_lanes<m, n, 4>(a, head, i.begin, j.begin) == expected(dropout, head, i, j));
      };
      check(std::integral_constant<int, 1>(), std::integral_constant<int, 4>());
      check(std::integral_constant<int, 1>(), std::integral_constant<int, 16>());
      check(std::integral_constant<int, 2>(), std::integral_constant<int, 4>());
      check(std::integral_constant<int, 2>(), std::integral_constant<int, 8>());
      check(std::integral_constant<int, 4>(), std::integral_constant<int, 2>());
    }
  }
}

TEST_CASE("a dropout that drops nothing runs the kernels without one") {
  CHECK_FALSE(arguments_of({0x1p-34, 1}).dropout);
  CHECK(arguments_of({0x1p-34, 1}).keep_factor == 1);
  CHECK(arguments_of({0x1p-32, 1}).dropout);
}

TEST_CASE("where dropout rounds to all of the words a kernel keeps nothing") {
  const sim::Dropout dropout{1 - 0x1p-34, 1};
  const kernels::Arguments a = arguments_of(dropout);
  CHECK(a.keep_from == std::uint64_t{1} << 32);
  for (const std::uint8_t kept : drawn(a, 0, {0, queries}, {0, keys})) CHECK(kept == 0);
}

TEST_CASE("the standard kernels write the dropout mask of the simulator to HBM in all heads") {
  sim::Scenario s;
  s.algorithm = "standard";
  s.dtype = sim::Dtype::fp32;
  s.dropout = 0.4;
  s.seed = 9;
  s.shape = {2, 2, 1, queries, keys, 8, {}};
  s.br = s.bc = 16;
  const sim::Plan plan = sim::make_plan(s);
  const sim::Launch& launch = plan.launches.at(2);
  REQUIRE(launch.name == "dropout");
  emulator::EmulatedDevice device;
  kernels::Arguments a = kernels::arguments_of(plan, launch);
  const std::int64_t entries = std::int64_t{4} * queries * keys;
  const std::vector<float> ones(static_cast<std::size_t>(entries), 1.0f);
  a.P = device.allocate("P", entries * 4);
  a.P_dropped = device.allocate("P_dropped", entries * 4);
  a.mask = device.allocate("mask", entries);
  device.upload(a.P, ones.data(), entries * 4);
  kernels::find_kernel(device.flavour(), "standard", "dropout")->run(device.stream(), a);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(entries)), all;
  device.download(mask.data(), a.mask, entries);
  for (std::int64_t head = 0; head < 4; ++head) {
    const std::vector<std::uint8_t> of_head = expected(plan.problem.dropout, head, {0, queries}, {0, keys});
    all.insert(all.end(), of_head.begin(), of_head.end());
  }
  CHECK(mask == all);
}
