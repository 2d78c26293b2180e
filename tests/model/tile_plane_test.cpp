// The plane of tile sizes, of which every cell is compared with its own simulation.
#include "viz/model/tiles/tile_plane.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"

namespace {

using State = explorer::TilePlane::State;

sim::Scenario scenario(const sim::OptionValues& options) { return sim::scenario_from(options, sim::built_in_gpu); }

explorer::TilePlane finished(const sim::Scenario& s) {
  explorer::TilePlane plane(s);
  while (plane.advance()) {
  }
  return plane;
}

sim::Scenario with_tiles(sim::Scenario s, std::int64_t br, std::int64_t bc) {
  s.tiling = sim::TilingRule::kernel;
  s.br = br;
  s.bc = bc;
  return s;
}

const std::vector<sim::OptionValues> cases = {
    {{"seqlen", "512"}, {"head-dim", "128"}, {"causal", "1"}},
    {{"algorithm", "flash1"}, {"pass", "backward"}, {"seqlen", "300"}},
    {{"algorithm", "standard"}, {"pass", "forward+backward"}, {"seqlen", "256"}, {"gpu", "t4"}},
    {{"algorithm", "memory-efficient"}, {"seqlen", "200"}},
    {{"seqlen-q", "100"}, {"seqlen-k", "900"}, {"dtype", "fp32"}, {"heads", "8"}, {"kv-heads", "2"}},
    {{"algorithm", "flash1"}, {"tiling", "paper"}, {"seqlen", "512"}, {"br", "48"}, {"bc", "48"}}};

}  // namespace

TEST_CASE("every cell of the tile plane has the cost that simulate predicts for its tiles") {
  for (const sim::OptionValues& options : cases) {
    const sim::Scenario s = scenario(options);
    const explorer::TilePlane plane = finished(s);
    REQUIRE(plane.done());
    for (std::size_t n = 0; n < plane.cells(); n += 5) {
      const std::size_t row = n / plane.cols().size(), col = n % plane.cols().size();
      const std::int64_t br = plane.rows()[row], bc = plane.cols()[col];
      const explorer::TilePlane::Cell& cell = plane.cell(row, col);
      INFO(s.algorithm << " br " << br << " bc " << bc);
      REQUIRE((cell.state == State::fits) == sim::tiles_fit(with_tiles(s, 1, 1), br, bc));
      if (cell.state != State::fits) continue;
      const sim::Simulation told = sim::simulate(with_tiles(s, br, bc));
      CHECK(cell.tiles.tile_traffic == told.totals.total.total());
      CHECK(cell.tiles.hbm_traffic == told.hbm.total());
      CHECK(cell.tiles.microseconds == told.microseconds);
      CHECK(cell.tiles.smem == told.memory.peak_sram);
      CHECK(cell.tiles.ctas_per_sm == told.longest_kernel().ctas_per_sm);
      CHECK(cell.tiles.bound_by == told.bound_by);
    }
  }
}

TEST_CASE("the best cells of the tile plane have the least bytes, and the least time of tiles that have a kernel") {
  for (const sim::OptionValues& options : cases) {
    const explorer::TilePlane plane = finished(scenario(options));
    double least_bytes = 1e300, least_time = 1e300, most_time = 0;
    std::size_t fitting = 0;
    for (std::size_t row = 0; row < plane.rows().size(); ++row) {
      for (std::size_t col = 0; col < plane.cols().size(); ++col) {
        const explorer::TilePlane::Cell& cell = plane.cell(row, col);
        if (cell.state != State::fits) continue;
        ++fitting;
        least_bytes = std::min(least_bytes, static_cast<double>(cell.tiles.tile_traffic.count()));
        if (cell.tiles.compiled != false) least_time = std::min(least_time, cell.tiles.microseconds);
        most_time = std::max(most_time, cell.tiles.microseconds);
      }
    }
    REQUIRE(fitting == plane.fitting());
    REQUIRE(fitting > 0);
    CHECK(explorer::cost(*plane.best(sim::Goal::bytes), sim::Goal::bytes) == least_bytes);
    CHECK(explorer::cost(*plane.best(sim::Goal::time), sim::Goal::time) == least_time);
    CHECK(plane.most(sim::Goal::time) == most_time);
  }
}

TEST_CASE("the tile plane extends one size beyond the largest that fits, or to the end of the problem") {
  const explorer::TilePlane wide = finished(scenario({{"seqlen", "4096"}, {"head-dim", "128"}}));
  CHECK(wide.cell(0, wide.cols().size() - 1).state == State::too_large);
  CHECK(wide.cell(0, wide.cols().size() - 2).state == State::fits);
  CHECK(wide.cell(wide.rows().size() - 1, 0).state == State::too_large);
  CHECK(wide.cell(wide.rows().size() - 2, 0).state == State::fits);
  CHECK_THAT(wide.refusal(0, wide.cols().size() - 1).text(), Catch::Contains("KiB"));
  const explorer::TilePlane small = finished(scenario({{"seqlen", "50"}}));
  CHECK(small.cols() == std::vector<std::int64_t>{16, 32, 48, 64});
  CHECK(small.rows() == small.cols());
}

TEST_CASE("where 16 x 16 does not fit the tile plane tries smaller powers of two") {
  const explorer::TilePlane plane = finished(scenario({{"head-dim", "256"}, {"dtype", "fp32"}, {"sram", "10000"}}));
  REQUIRE(plane.fitting() > 0);
  CHECK(plane.rows().front() == 1);
  CHECK(plane.best(sim::Goal::bytes)->br < 16);
}

TEST_CASE("a tile plane where nothing fits has no best cell") {
  const explorer::TilePlane plane = finished(scenario({{"head-dim", "256"}, {"sram", "64"}}));
  CHECK(plane.done());
  CHECK(plane.fitting() == 0);
  CHECK(plane.best(sim::Goal::time) == nullptr);
}

TEST_CASE("the tile plane is filled in slices that only add cells") {
  explorer::TilePlane plane(scenario({{"seqlen", "2048"}}));
  int slices = 1;
  for (std::size_t before = 0; plane.advance(); ++slices) {
    REQUIRE(plane.tried() > before);
    before = plane.tried();
  }
  CHECK(slices > 3);
  CHECK_FALSE(plane.advance());
}

TEST_CASE("the resource that limits the CTAs of an SM has capacity for exactly that number") {
  for (const sim::OptionValues& options : cases) {
    const sim::Scenario s = scenario(options);
    if (s.algorithm != "flash2") continue;  // one kernel, so its SMEM and registers equal those of the cell
    const explorer::TilePlane plane = finished(s);
    for (std::size_t row = 0; row < plane.rows().size(); ++row) {
      const explorer::TilePlane::Cell& cell = plane.cell(row, 0);
      if (cell.state != State::fits) continue;
      const std::string& limit = cell.tiles.occupancy_limit;
      const std::int64_t room = limit == "SMEM"        ? s.gpu->smem_bytes_per_sm / cell.tiles.smem.count()
                                : limit == "registers" ? s.gpu->register_bytes_per_sm / cell.tiles.registers.count()
                                : limit == "threads"   ? s.gpu->threads_per_sm / 128
                                                       : s.gpu->ctas_per_sm;
      CHECK(room == cell.tiles.ctas_per_sm);
    }
  }
}
