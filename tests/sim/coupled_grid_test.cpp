// The brute force of a grid in time (tests/support/coupled_grid.h) on twelve fixed grids, whose bytes and cycles an
// independent program computed; and the laws that any such machine obeys.
#include "tests/support/coupled_grid.h"

#include <catch2/catch.hpp>

#include "tests/support/fixed_grids.h"

namespace coupled_grid {
namespace {

/// Bytes read with a soft and with a sharp edge, bytes written, and cycles, all without noise; then bytes in both
/// directions and cycles with noise, the mean of five seeds.
struct Expected {
  double lockstep, soft, sharp, written, cycles, noisy_bytes, noisy_cycles;
};

constexpr Expected expected[] = {
    {10485760, 10485760, 10485760, 2097152, 526380, 12582912, 527060},
    {6291456, 6291456, 6291456, 2097152, 517558, 8388608, 518287},
    {12582912, 58678711, 59932672, 2097152, 682752, 59141325, 668909},
    {12582912, 57004130, 57901056, 2097152, 673891, 59718256, 682957},
    {12582912, 46886912, 27688960, 2097152, 2422989, 40838485, 2015710},
    {11403264, 6312911, 6291456, 2097152, 281524, 8429178, 281322},
    {16777216, 46178304, 44990464, 4194304, 602669, 45838570, 599019},
    {12189696, 11993998, 11960320, 2097152, 294375, 14117443, 294745},
    {6946816, 20951625, 20709376, 1966080, 241400, 22901711, 239866},
    {38273024, 38273024, 38273024, 17301504, 555805, 55574528, 556828},
    {11079680, 13997510, 10088960, 8001205, 290393, 19407284, 290838},
    {9437184, 9437184, 9437184, 8388608, 220216, 17857243, 220186},
};

Chip sharp(Chip chip) {
  chip.begins = chip.whole = 1;
  return chip;
}

TEST_CASE("without noise a coupled grid moves the bytes and takes the cycles of the fixed cases") {
  const std::vector<FixedGrid> cases = fixed_grids();
  REQUIRE(cases.size() == std::size(expected));
  for (std::size_t n = 0; n < cases.size(); ++n) {
    INFO("case " << n + 1);
    const auto& [grid, chip] = cases[n];
    const Outcome soft = run(grid, chip, {});
    CHECK(soft.read == Approx(expected[n].soft).margin(1));
    CHECK(soft.written == Approx(expected[n].written).margin(1));
    CHECK(soft.cycles == Approx(expected[n].cycles).margin(1));
    CHECK(run(grid, sharp(chip), {}).read == Approx(expected[n].sharp).margin(1));
    CHECK(run(grid, sharp(chip), {Pace::lockstep}).read == Approx(expected[n].lockstep).margin(1));
  }
}

TEST_CASE("with noise a coupled grid moves the bytes of the fixed cases within 5 percent, or 10 if HBM is saturated") {
  const std::vector<FixedGrid> cases = fixed_grids();
  for (std::size_t n = 0; n < cases.size(); ++n) {
    INFO("case " << n + 1);
    double bytes = 0, cycles = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Outcome noisy = run(cases[n].grid, cases[n].chip, {Pace::coupled, 0.05, seed});
      bytes += noisy.hbm_bytes() / 5;
      cycles += noisy.cycles / 5;
    }
    const bool saturated = n + 1 == 5;
    CHECK(bytes == Approx(expected[n].noisy_bytes).epsilon(saturated ? 0.1 : 0.05));
    CHECK(cycles == Approx(expected[n].noisy_cycles).epsilon(saturated ? 0.1 : 0.05));
  }
}

TEST_CASE("a coupled grid reads each item once from an endless L2, and every tile without one") {
  for (const auto& [grid, chip] : fixed_grids()) {
    double once = 0;
    Chip changed = chip;
    changed.capacity = 1e12;
    const Outcome all_fits = run(grid, changed, {});
    changed.capacity = 1;
    const Outcome none_fits = run(grid, changed, {});
    for (const Axis& axis : grid.axes) {
      std::int64_t of_head = 0;
      for (const std::int64_t bytes : axis.item_bytes) of_head += bytes;
      std::int32_t heads = 0;
      for (const Cta& cta : grid.ctas) heads = std::max(heads, 1 + (axis.per_kv_head ? cta.kv_head : cta.head));
      once += static_cast<double>(of_head) * heads;
    }
    CHECK(all_fits.hbm_bytes() >= once);  // dQ is read and written
    CHECK(all_fits.hbm_bytes() <= 2 * once);
    CHECK(none_fits.hbm_bytes() == Approx(none_fits.tile));
    CHECK(none_fits.cycles >= 0.999999 * none_fits.hbm_bytes() / chip.hbm);
  }
}

}  // namespace
}  // namespace coupled_grid
