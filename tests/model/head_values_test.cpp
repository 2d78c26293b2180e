// Cache of the values of a head.
#include "viz/model/values/head_values.h"

#include <catch2/catch.hpp>

#include "tests/model/kernel_cases.h"

TEST_CASE("the values of flash1 resume from the cached state of the previous column") {
  for (const sim::TilingRule tiling : {sim::TilingRule::kernel, sim::TilingRule::released}) {
    sim::Scenario scenario;
    scenario.algorithm = "flash1";
    scenario.tiling = tiling;
    scenario.shape.seqlen_q = 256;
    scenario.shape.seqlen_k = 4096;
    const auto run = explorer::make_run(scenario);
    const auto blocks = sim::ceil_div(std::int64_t{256}, run->simulation.plan.launches[0].grid.br);
    explorer::HeadValues head(run, 0, 0);
    const std::int64_t columns = head.row(0)->block.steps();
    REQUIRE(columns >= 16);
    for (std::int64_t col = 0; col < columns; ++col) {
      for (std::int64_t row = 0; row < blocks; ++row) {
        explorer::TileValues tile(head.row(row), col);
        CHECK_FALSE(tile.advance());  // one slice, that is one step, is enough
        REQUIRE(tile.found() != nullptr);
        CHECK(head.row(row)->nearest(col + 1).first == std::min(col + 1, columns - 1));
      }
    }
    explorer::TileValues direct(head.row(1), columns - 1);
    explorer::HeadValues fresh(run, 0, 0);
    explorer::TileValues again(fresh.row(1), columns - 1);
    CHECK_FALSE(direct.advance());
    while (again.advance()) {
    }
    CHECK(same_bits(direct.found()->O, again.found()->O));
  }
}

TEST_CASE("the cached values of a head stay within their memory limit") {
  sim::Scenario scenario;
  scenario.algorithm = "flash1";
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 16384;
  scenario.shape.head_dim = 128;
  const auto run = explorer::make_run(scenario);
  explorer::HeadValues head(run, 0, 0);
  const std::int64_t blocks = 16384 / run->simulation.plan.launches[0].grid.br;
  auto& first = head.row(0)->block;
  const explorer::RowState state = first.step(0, first.start()).after;
  for (std::int64_t row = 0; row < blocks; ++row) {
    const auto history = head.row(row);
    for (std::int64_t step = 1; step < history->block.steps(); step += 7) history->look(step, state);
  }
  CHECK(head.bytes() <= explorer::HeadValues::most_bytes);
  CHECK(4 * head.bytes() > explorer::HeadValues::most_bytes);
}

TEST_CASE("the least recently used entry is evicted first") {
  struct Large {
    std::int64_t size;
    std::int64_t bytes() const { return size; }
  };
  explorer::Recent<Large> recent(100);
  const auto make = [] { return std::make_shared<Large>(Large{40}); };
  const auto first = recent.get(1, make);
  const auto second = recent.get(2, make);
  CHECK(recent.get(1, make) == first);
  recent.get(3, make);
  CHECK(recent.size() == 2);
  CHECK(recent.get(1, make) == first);
  CHECK(recent.get(2, make) != second);
}
