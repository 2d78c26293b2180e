// Wavefronts of accesses to the banks of shared memory, in closed form.
#include "sim/machine/warp_access.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "sim/catalogue/run_values.h"
#include "tests/support/takes.h"

using namespace sim;

namespace {

constexpr SmemLayout layouts[] = {SmemLayout::plain, SmemLayout::padded, SmemLayout::swizzled};

}  // namespace

TEST_CASE("ldmatrix takes 4 x gcd(row bytes / 16, 8) wavefronts from plain and padded rows, and 4 from swizzled ones") {
  for (int columns = 32; columns <= 512; columns += 32) {
    for (const Quarters order : {Quarters::rows_first, Quarters::columns_first}) {
      for (const SmemLayout layout : layouts) {
        INFO(columns << " columns, layout " << static_cast<int>(layout));
        // Row r of 8 is at r x row bytes: chunks that are a multiple of 128 bytes apart conflict.
        const int meeting =
            layout == SmemLayout::swizzled ? 1 : std::gcd(smem_row_bytes(layout, columns) / chunk_bytes, 8);
        const Wavefronts passes = wavefronts(matrix_load(layout, columns, order));
        CHECK(passes.taken == 4 * meeting);
        CHECK(passes.ideal == 4);
      }
    }
  }
}

TEST_CASE("chunks of a tile never share bytes, in any layout") {
  for (const SmemLayout layout : layouts) {
    for (int columns = 32; columns <= 256; columns += 32) {
      std::set<int> seen;
      for (int row = 0; row < 64; ++row) {
        for (int chunk = 0; chunk < columns / 8; ++chunk) {
          const int offset = chunk_offset(layout, columns, row, chunk);
          CHECK(offset % chunk_bytes == 0);
          CHECK(offset < 64 * smem_row_bytes(layout, columns));
          CHECK(seen.insert(offset).second);
        }
      }
    }
  }
}

TEST_CASE("every word of an access is in one wavefront, whose words are all in different banks") {
  for (const SmemLayout layout : layouts) {
    const WarpAccess access = matrix_load(layout, 64, Quarters::columns_first);
    std::set<std::pair<std::int64_t, std::uintptr_t>> taken;
    const auto visit = [&](const LaneAddress&, std::uintptr_t word, std::int64_t wavefront) {
      CHECK(taken.insert({wavefront, word % smem_banks}).second);
    };
    const Wavefronts passes = each_word(std::span<const LaneAddress>(access), visit);
    CHECK(taken.size() == std::size_t{warp_lanes} * 4);
    CHECK(taken.rbegin()->first == passes.taken - 1);
  }
}

TEST_CASE("a run reports the wavefronts of its head dimension, and none where kernels have no such tiles") {
  for (const std::int64_t d : {32, 40, 64, 96, 128, 256}) {
    Scenario s;
    s.shape = {4, 32, 32, 2048, 2048, d, {}};
    if (!takes(s)) continue;
    const auto values = values_of(simulate(s));
    INFO("d " << d);
    const auto has = [&](std::string_view path) {
      return std::any_of(values.begin(), values.end(), [&](const PathValue& v) { return v.path == path; });
    };
    CHECK(has("banks.ldmatrix.plain") == (d % 32 == 0));
    if (d % 32 != 0) continue;
    const double meeting = static_cast<double>(std::gcd(d / 8, std::int64_t{8}));
    CHECK(number_at(values, "banks.ldmatrix.plain") == 4 * meeting);
    CHECK(number_at(values, "banks.ldmatrix.padded") == 4);
    CHECK(number_at(values, "banks.ldmatrix.swizzled") == number_at(values, "banks.ldmatrix.least"));
    CHECK(number_at(values, "banks.store.swizzled") == 1);
  }
}
