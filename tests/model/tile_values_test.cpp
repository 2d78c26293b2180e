#include "viz/model/tile_values.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

namespace {

using explorer::RowValues;
using explorer::TileStep;
using explorer::TileValues;
using sim::Tensor;
using sim::Verb;

/// What a replay with values left behind in one tile of a head: the last value that a verb gave a tensor there.
class Replayed {
 public:
  Replayed(const explorer::Run& run, std::size_t kernel, sim::CtaPlace place) {
    const sim::Plan& plan = run.simulation.plan;
    const sim::AttentionInputs inputs = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
    trace_ = sim::replay(plan, plan.launches[kernel], place, &inputs);
  }

  /// Of the tile (row, col) the values of the `turn`-th event of that kind.
  std::vector<float> value(Verb verb, Tensor tensor, std::int64_t row, std::int64_t col, std::int64_t turn = 0) const {
    std::int64_t now = -1;
    for (const sim::Event& event : trace_.events) {
      if (event.verb == Verb::gemm && event.tensor == Tensor::S) now = event.cols.index;
      if (event.verb != verb || event.tensor != tensor || event.rows.index != row || now != col) continue;
      if (turn-- == 0) return trace_.values[static_cast<std::size_t>(event.value)].values;
    }
    return {};
  }

 private:
  sim::Trace trace_;
};

/// Bits, so that -inf equals itself and 0 does not equal -0.
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), 4 * a.size()) == 0;
}

TileStep values_at(const std::shared_ptr<explorer::RowHistory>& history, std::int64_t step) {
  TileValues task(history, step);
  while (task.advance()) {
  }
  REQUIRE(task.found() != nullptr);
  return *task.found();
}

sim::Scenario scenario_of(const std::string& algorithm, sim::Dtype dtype) {
  sim::Scenario scenario;
  scenario.algorithm = algorithm;
  scenario.dtype = dtype;
  scenario.shape = {2, 4, 2, 200, 232, 24, {true, 8, 150}};
  scenario.br = algorithm == "memory-efficient" ? 1 : 32;
  scenario.bc = 48;
  scenario.seed = 7;
  return scenario;
}

void check_step(const explorer::Run& run, const TileStep& step, const Replayed& replay, std::int64_t row) {
  const bool flash1 = run.simulation.plan.scenario.algorithm == "flash1";
  const sim::Shape& shape = run.simulation.plan.problem.shape;
  const bool masked = !shape.full_keys(step.queries).contains(step.keys);
  const std::int64_t col = step.col;
  CHECK(same_bits(step.S, replay.value(masked ? Verb::mask : Verb::scale, Tensor::S, row, col)));
  CHECK(same_bits(step.P, replay.value(Verb::exp, Tensor::P, row, col)));
  CHECK(same_bits(step.alpha, replay.value(Verb::exp, Tensor::alpha, row, col)));
  CHECK(same_bits(step.after.m, replay.value(Verb::max, Tensor::m, row, col, flash1 ? 1 : 0)));
  CHECK(same_bits(step.after.l, replay.value(Verb::sum, Tensor::l, row, col, flash1 ? 1 : 0)));
  if (flash1) return;
  CHECK(same_bits(step.after.O, replay.value(Verb::gemm, Tensor::O, row, col)));
}

}  // namespace

TEST_CASE("the values of every tile are those of a replay with values, bit for bit") {
  for (const std::string algorithm : {"flash1", "flash2"}) {
    for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16, sim::Dtype::fp32}) {
      for (const double dropout : {0.0, 0.3}) {
        INFO(algorithm << " " << name_of(dtype) << " dropout " << dropout);
        sim::Scenario scenario = scenario_of(algorithm, dtype);
        scenario.dropout = dropout;
        const auto run = explorer::make_run(scenario);
        const std::int64_t row = 5;
        const Replayed replay(*run, 0, {1, 3, algorithm == "flash1" ? 0 : row, 0});
        RowValues sweep(run, 0, 1, 3, row);
        REQUIRE(sweep.block().steps() > 2);
        for (std::int64_t n = 0; n < sweep.block().steps(); ++n)
          check_step(*run, values_at(sweep.history(), n), replay, row);
      }
    }
  }
}
