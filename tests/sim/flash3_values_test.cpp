// Values of single tiles of flash3, as the explorer shows them, against those of flash2 in the same order of keys.
#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"
#include "sim/model/softmax_row.h"

using namespace sim;

namespace {

std::shared_ptr<const Plan> plan_of(OptionValues values) {
  return std::make_shared<const Plan>(make_plan(scenario_from(values, built_in_gpu)));
}

/// The problem by flash2, with the same order of keys and the same tiles.
std::shared_ptr<const Plan> as_flash2(const Plan& plan) {
  Scenario other = with_algorithm(plan.scenario, "flash2");
  other.br = plan.problem.tiling.br;
  other.bc = plan.problem.tiling.bc;
  other.own["keys"] = 1;
  return std::make_shared<const Plan>(make_plan(other));
}

/// All steps of row block 1, with all values or with numbers alone.
std::vector<TileStep> steps_of(const std::shared_ptr<const Plan>& plan, RowSteps::Keep keep) {
  RowSteps rows(plan, 0, 1, 1, 0, std::make_shared<DrawnInputs>(*plan, 1));
  std::vector<TileStep> steps;
  RowState state = rows.start();
  for (std::int64_t n = 0; n < rows.steps(); ++n) {
    steps.push_back(rows.step(n, std::move(state), keep));
    state = steps.back().after;
  }
  return steps;
}

std::vector<SoftmaxTile> tiles_of(const std::shared_ptr<const Plan>& plan, std::int64_t query) {
  SoftmaxRow row(plan, 1, query);
  row.finish();
  return row.tiles();
}

const std::vector<std::string> schedules = {"overlapped", "ping-pong", "warp-specialised", "serial"};

OptionValues values_of_schedule(const std::string& schedule, const std::string& head_dim) {
  return {
      {"algorithm", "flash3"}, {"heads", "2"},         {"seqlen", "500"}, {"head-dim", head_dim}, {"causal", "1"},
      {"seed", "5"},           {"schedule", schedule}, {"br", "128"},     {"bc", "48"},           {"padding", "100"}};
}

}  // namespace

TEST_CASE("m, l, alpha and O after each tile of flash3 are those of flash2 from the last key block, bit for bit") {
  for (const std::string& schedule : schedules) {
    const auto plan = plan_of(values_of_schedule(schedule, "64"));
    for (const RowSteps::Keep keep : {RowSteps::Keep::all, RowSteps::Keep::numbers}) {
      const std::vector<TileStep> mine = steps_of(plan, keep), other = steps_of(as_flash2(*plan), keep);
      REQUIRE(mine.size() == other.size());
      REQUIRE(mine.size() > 3);
      for (std::size_t n = 0; n < mine.size(); ++n) {
        INFO(schedule << ", tile " << n);
        CHECK(mine[n].col == other[n].col);
        CHECK(mine[n].before.m == other[n].before.m);
        CHECK(mine[n].after.m == other[n].after.m);
        CHECK(mine[n].after.l == other[n].after.l);
        CHECK(mine[n].alpha == other[n].alpha);
        CHECK(mine[n].O == other[n].O);
        CHECK(mine[n].reads_values == other[n].reads_values);
        CHECK(mine[n].visit.masked == other[n].visit.masked);
      }
    }
  }
}

TEST_CASE("scores, weights and O of a query in each warpgroup of flash3 are those of flash2, tile by tile") {
  for (const std::string& schedule : schedules) {
    const auto plan = plan_of(values_of_schedule(schedule, "40"));
    for (const std::int64_t query : {0, 70, 200, 499}) {
      const std::vector<SoftmaxTile> mine = tiles_of(plan, query), other = tiles_of(as_flash2(*plan), query);
      REQUIRE(mine.size() == other.size());
      for (std::size_t n = 0; n < mine.size(); ++n) {
        INFO(schedule << ", query " << query << ", tile " << n);
        CHECK(mine[n].scores == other[n].scores);
        CHECK(mine[n].weights == other[n].weights);
        CHECK(mine[n].m == other[n].m);
        CHECK(mine[n].l == other[n].l);
        CHECK(mine[n].O_before == other[n].O_before);
        CHECK(mine[n].O == other[n].O);
      }
    }
  }
}

TEST_CASE("a part of flash3 keeps the values of its own iterations alone, and writes O at the end") {
  const auto plan = plan_of(values_of_schedule("overlapped", "64"));
  RowWindow window(*plan, 1, {128, 256}, std::make_shared<DrawnInputs>(*plan, 1));
  const Launch& launch = plan->launches[0];
  const GridAxes axes = grid_axes(plan->problem.shape, launch.grid);
  const CtaPart part = window.resume(launch, axes.row(1), axes.col(0), {2, {}, {}}, 4, KeepValues::all);
  CHECK_FALSE(part.finished);
  CHECK(part.next.iteration == 4);
  for (const Event& event : part.trace.events) {
    CHECK(event.direction != Direction::write);
    CHECK(event.iteration < 4);
    if (event.iteration == 1) CHECK(event.value == -1);
  }
  for (const float value : window.stored(Tensor::O)) REQUIRE(value == 0);
  CHECK(window.resume(launch, axes.row(1), axes.col(0), {4, {}, {}}, 1000, KeepValues::none).finished);
  const auto stored = window.stored(Tensor::O);
  CHECK(std::any_of(stored.begin(), stored.end(), [](float value) { return value != 0; }));
}
