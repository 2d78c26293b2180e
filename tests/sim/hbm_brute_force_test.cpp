// HBM traffic after L2 against the brute force: random kernels at every capacity, and drawn ones that were once wrong.
#include <catch2/catch.hpp>

#include "sim/model/hbm_traffic.h"
#include "tests/support/brute_force_l2.h"
#include "tests/support/kernel_traffic.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

constexpr std::int64_t warp_specialised = 2;  // the third word of --schedule

/// Random shapes with tiles of at least `least` rows.
Scenario random_with_tiles(Dice& dice, const Limits& most, std::int64_t least) {
  Scenario s = random_scenario(dice, most);
  s.tiling = TilingRule::kernel;
  s.sram.reset();
  s.own.erase("splits");  // drawn for other tiles
  const bool by_row = s.algorithm == "memory-efficient";
  s.br = by_row ? dice.between(1, 4) : dice.between(least, most.block);
  s.bc = dice.between(least, most.block);
  if (s.algorithm == "flash3") {
    s.own["schedule"] = warp_specialised;  // V of the tile of K, not of the last one
    if (dice.one_in(2)) s.own["grid"] = 1;
  }
  if (s.algorithm == "fmha" || s.algorithm == "flash3") return within_limits(s);
  while (!tiles_fit(s, *s.br, *s.bc)) s.bc = (*s.bc + 1) / 2;
  if (s.algorithm == "flash-decoding") split_keys(dice, s);
  return s;
}

/// L2 capacities from none to endless: fractions of the `once` bytes touched, all of them, and the L2 of two GPUs.
std::vector<std::int64_t> capacities(Dice& dice, std::int64_t once) {
  return {0,
          once / 50,
          once / 10,
          once / 4,
          once / 2,
          dice.between(1, once),
          once + 1,
          4'194'304,
          37'224'448,
          endless,
          dice.between(1, std::max<std::int64_t>(1, once / 20))};
}

/// Bytes by which the model may misplace the capacity at which something begins to fit. It leaves out block maps, which
/// take a byte for each tile; and reads Q before K and V, where flash3 reads it after the first K.
std::int64_t edge_of(const Plan& plan, const Launch& launch, const ByTensor& exact) {
  std::int64_t edge =
      launch.products == Products::wgmma ? product(launch.tiling.br, plan.problem.shape.head_dim, 2) : 0;
  for (const auto& [tensor, moved] : exact) edge += is_block_map(tensor) ? moved.total().count() : 0;
  return edge;
}

/// Checks that the model and the brute force agree within 2 % of the bytes, at one capacity.
void check_at(std::int64_t capacity, const Plan& plan, const Launch& launch, const Trace& trace,
              std::int64_t in_flight) {
  const ByTensor found = hbm_traffic(plan.problem, launch, trace, in_flight, capacity);
  const auto exact_at = [&](std::int64_t at) { return brute_force_hbm(plan, launch, in_flight, at); };
  const auto bytes = [](const ByTensor& traffic) { return static_cast<double>(sum_of(traffic).total().count()); };
  const ByTensor exact = exact_at(capacity);
  if (capacity == 0 || capacity == endless) REQUIRE(found == exact);
  if (bytes(found) == Approx(bytes(exact)).epsilon(0.02).margin(0.5)) return;
  const std::int64_t edge = edge_of(plan, launch, exact);
  REQUIRE(bytes(found) >= 0.98 * bytes(exact_at(capacity + edge)) - 0.5);
  REQUIRE(bytes(found) <= 1.02 * bytes(exact_at(std::max<std::int64_t>(0, capacity - edge))) + 0.5);
}

/// Checks the model against the brute force at every capacity.
void check_against_brute_force(Dice& dice, const Plan& plan, const Launch& launch, const Trace& trace) {
  const std::int64_t in_flight = dice.one_in(2) ? dice.between(1, 300) : 132 * dice.between(1, 4);
  INFO("CTAs in flight " << in_flight);
  const Bytes once = sum_of(hbm_traffic(plan.problem, launch, trace, in_flight, endless)).total();
  if (once == Bytes{}) return;  // every key is hidden
  for (const std::int64_t capacity : capacities(dice, once.count())) {
    INFO("capacity " << capacity << " of " << once.count() << " bytes touched");
    check_at(capacity, plan, launch, trace, in_flight);
  }
}

TEST_CASE("HBM traffic of small kernels is that of a brute-force L2 within 2 percent, at every capacity") {
  Dice dice(101);
  for (int n = 0; n < 60; ++n) {
    for_kernels(random_with_tiles(dice, {96, 64, 48, 3, 3}, 8), [&](const Plan& plan, const Launch& l, const Trace& t) {
      check_against_brute_force(dice, plan, l, t);
    });
  }
}

TEST_CASE("with the heads of a block issued together HBM traffic is that of the brute force as well") {
  Dice dice(112);
  for (int n = 0; n < 40; ++n) {
    for_kernels(random_with_tiles(dice, {64, 64, 32, 2, 3}, 8), [&](Plan plan, Launch launch, const Trace& trace) {
      launch.grid.raster = Raster::block_outermost;
      check_against_brute_force(dice, plan, launch, trace);
    });
  }
}

TEST_CASE("HBM traffic of kernels up to 2,048 tokens is that of a brute-force L2 within 2 percent", "[slow]") {
  Dice dice(103);
  for (int n = 0; n < 60; ++n) {
    for_kernels(random_with_tiles(dice, {2048, 128, 160, 3, 4}, 32),
                [&](const Plan& plan, const Launch& launch, const Trace& trace) {
                  if (make_grid(plan.problem.shape, launch.grid).ctas() > 20'000) return;
                  check_against_brute_force(dice, plan, launch, trace);
                });
  }
}

/// Returns a scenario of what was drawn.
Scenario drawn(const std::string& algorithm, Dtype dtype, const Shape& shape, std::optional<std::int64_t> br,
               std::optional<std::int64_t> bc, decltype(Scenario::own) own) {
  Scenario s;
  s.algorithm = algorithm;
  s.dtype = dtype;
  s.shape = shape;
  s.br = br;
  s.bc = bc;
  s.own = std::move(own);
  return s;
}

/// Checks the first kernel of the pass at one capacity.
void check_drawn(Scenario s, Pass pass, std::int64_t in_flight, std::int64_t capacity) {
  s.pass = pass;
  const Plan plan = make_plan(s);
  INFO(describe(s));
  check_at(capacity, plan, plan.launches[0], count(plan, plan.launches[0]), in_flight);
}

TEST_CASE("HBM traffic of drawn kernels that was once 3 to 43 percent off is that of a brute-force L2") {
  // A short last block of queries had the rows of a whole one.
  check_drawn(drawn("flash-decoding", Dtype::fp32, {3, 2, 1, 62, 62, 44, {false, 0, 95}}, 42, 36, {{"splits", 2}}),
              Pass::forward, 396, 48'725);
  check_drawn(drawn("flash-decoding", Dtype::bf16, {1, 2, 1, 72, 72, 62, {false, 0, 2}}, 35, 14, {{"splits", 1}}),
              Pass::forward, 528, 18'000);
  // dS is written after dO was read.
  check_drawn(drawn("fmha", Dtype::bf16, {1, 2, 1, 86, 96, 64, {true, 0, {}}}, 32, {}, {}), Pass::backward, 396,
              103'059);
  // 18 CTAs in flight, of nine heads, in an L2 that holds half of what they read.
  check_drawn(drawn("flash3", Dtype::fp16, {3, 3, 3, 93, 54, 29, {true, 12, {}}}, 64, 16,
                    {{"schedule", warp_specialised}, {"grid", 1}}),
              Pass::forward, 120, 75'276);
}

/// K that the first kernel of flash3 reads from HBM, in keys of one head, at 128 columns.
double keys_read(std::int64_t n, std::optional<std::int64_t> window, std::int64_t capacity) {
  Scenario s;
  s.algorithm = "flash3";
  s.shape = {1, 1, 1, n, n, 128, {true, 0, window}};
  const Plan plan = make_plan(s);
  const Trace trace = count(plan, plan.launches[0]);
  return static_cast<double>(
             hbm_traffic(plan.problem, plan.launches[0], trace, 132, capacity).at(Tensor::K).read.count()) /
         256;
}

TEST_CASE("of a million keys flash3 reads each once under a window that fits, else those of each wave of CTAs") {
  constexpr std::int64_t n = 1 << 20, wave = 132 * 128;
  CHECK(keys_read(n, 4096, 37'224'448) == n);
  double waves = 0;  // the last of n / 132 / 128 waves has the first rows, and they see few keys
  for (std::int64_t first = n; first > 0; first -= wave) waves += static_cast<double>(first);
  CHECK(keys_read(n, {}, 25'000'000) == Approx(waves).epsilon(0.005));
  CHECK(keys_read(n, {}, 2 * n * 256 + 20'000'000) == n);
}

}  // namespace
}  // namespace sim
