#include "viz/model/values/tile_values.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "tests/support/worked_example.h"

namespace {

using explorer::RowHistory;
using explorer::TileStep;
using explorer::TileValues;
using sim::Tensor;
using sim::Verb;

/// Results of a replay with values in one tile of a head: the last value that a verb gave a tensor.
class Replayed {
 public:
  Replayed(const explorer::Run& run, std::size_t kernel, sim::CtaPlace place) {
    const sim::Plan& plan = run.simulation.plan;
    const sim::AttentionInputs inputs = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
    trace_ = sim::replay(plan, plan.launches[kernel], place, &inputs);
  }

  /// Returns the values of the `iteration`-th event of a verb and tensor in tile (row, col).
  std::vector<float> value(Verb verb, Tensor tensor, std::int64_t row, std::int64_t col,
                           std::int64_t iteration = 0) const {
    std::int64_t now = -1;
    for (const sim::Event& event : trace_.events) {
      if (event.verb == Verb::gemm && event.tensor == Tensor::S) now = event.cols.index;
      if (event.verb != verb || event.tensor != tensor || event.rows.index != row || now != col) continue;
      if (iteration-- == 0) return trace_.values[static_cast<std::size_t>(event.value)].values;
    }
    return {};
  }

 private:
  sim::Trace trace_;
};

/// Compares bits, so that -inf equals itself and 0 differs from -0.
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), 4 * a.size()) == 0;
}

/// Returns the newest layer of a tensor, or the first that a verb made.
std::vector<float> layer(const TileStep& step, Tensor tensor, Verb verb = Verb::load) {
  for (const explorer::TileLayer& made : step.layers.all) {
    if (verb != Verb::load && made.tensor == tensor && made.verb == verb) return made.values;
  }
  const explorer::TileLayer* const newest = step.layers.newest(tensor);
  return newest == nullptr ? std::vector<float>{} : newest->values;
}

TileStep values_at(const std::shared_ptr<RowHistory>& history, std::int64_t step) {
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

std::shared_ptr<sim::DrawnInputs> inputs_of(const explorer::Run& run, std::int64_t head) {
  return std::make_shared<sim::DrawnInputs>(run.simulation.plan, head);
}

std::shared_ptr<RowHistory> history_of(const std::shared_ptr<const explorer::Run>& run, std::int64_t head,
                                       std::int64_t row, std::int64_t part = 0) {
  return std::make_shared<RowHistory>(
      explorer::RowSteps(explorer::plan_of(run), 0, head, row, part, inputs_of(*run, head)));
}

void check_step(const explorer::Run& run, const TileStep& step, const Replayed& replay, std::int64_t row) {
  const bool flash1 = run.simulation.plan.scenario.algorithm == "flash1";
  const sim::Shape& shape = run.simulation.plan.problem.shape;
  const bool masked = !shape.full_keys(step.layers.queries).contains(step.layers.keys);
  const std::int64_t col = step.col;
  CHECK(same_bits(layer(step, Tensor::S), replay.value(masked ? Verb::mask : Verb::scale, Tensor::S, row, col)));
  CHECK(same_bits(layer(step, Tensor::P, Verb::exp), replay.value(Verb::exp, Tensor::P, row, col)));
  CHECK(same_bits(step.alpha, replay.value(Verb::exp, Tensor::alpha, row, col)));
  CHECK(same_bits(step.after.m, replay.value(Verb::max, Tensor::m, row, col, flash1 ? 1 : 0)));
  CHECK(same_bits(step.after.l, replay.value(Verb::sum, Tensor::l, row, col, flash1 ? 1 : 0)));
  if (flash1) return;
  CHECK(same_bits(step.O, replay.value(Verb::gemm, Tensor::O, row, col)));
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
        const auto history = history_of(run, 7, row);
        REQUIRE(history->block.steps() > 2);
        for (std::int64_t n = 0; n < history->block.steps(); ++n) check_step(*run, values_at(history, n), replay, row);
      }
    }
  }
}

TEST_CASE("each part of the keys has its own online softmax") {
  sim::Scenario scenario = scenario_of("flash-decoding", sim::Dtype::fp16);
  scenario.own["splits"] = 3;
  const auto run = explorer::make_run(scenario);
  const std::int64_t row = 5;
  std::int64_t steps = 0;
  for (std::int64_t part = 0; part < 3; ++part) {
    INFO("part " << part);
    const Replayed replay(*run, 0, {1, 3, row, part});
    const auto history = history_of(run, 7, row, part);
    for (std::int64_t n = 0; n < history->block.steps(); ++n) check_step(*run, values_at(history, n), replay, row);
    steps += history->block.steps();
  }
  const sim::Launch& launch = run->simulation.plan.launches[0];
  CHECK(steps == sim::visit_keys(run->simulation.plan.problem.shape, launch.grid, row).live.size());
}

TEST_CASE("the tiles of the worked example have the values of its steps") {
  for (const std::string algorithm : {"flash1", "flash2"}) {
    const auto run = explorer::make_run(example::scenario(algorithm.c_str(), 1));
    const auto& steps = algorithm == "flash1" ? example::golden[0].flash1 : example::golden[0].flash2;
    for (std::size_t row = 0; row < 2; ++row) {
      const auto history = history_of(run, 0, static_cast<std::int64_t>(row));
      for (std::size_t col = 0; col < 2; ++col) {
        INFO(algorithm << " row block " << row << " column block " << col);
        const example::Step& step = steps[algorithm == "flash1" ? 2 * col + row : 2 * row + col];
        const TileStep found = values_at(history, static_cast<std::int64_t>(col));
        const std::vector<float> P = layer(found, Tensor::P, Verb::exp);
        REQUIRE(P.size() == 4);
        for (std::size_t n = 0; n < 4; ++n) CHECK(P[n] == Approx(step.P[n / 2][n % 2]).margin(1e-6));
        for (std::size_t n = 0; n < 2; ++n) CHECK(found.after.l[n] == Approx(step.l[n]).margin(1e-6));
      }
    }
  }
}

TEST_CASE("both passes of memory-efficient attention have the values of its replay") {
  const auto run = explorer::make_run(scenario_of("memory-efficient", sim::Dtype::fp16));
  const std::int64_t row = 171;
  const Replayed replay(*run, 0, {0, 2, row, 0});
  const auto history = history_of(run, 2, row);
  const std::int64_t tiles = history->block.tiles();
  REQUIRE(tiles > 2);
  for (std::int64_t n = 0; n < tiles; ++n) {
    const TileStep first = values_at(history, n), second = values_at(history, n + tiles);
    CHECK(first.col == second.col);
    CHECK(same_bits(layer(first, Tensor::P), replay.value(Verb::exp, Tensor::P, row, first.col)));
    CHECK(same_bits(first.after.m, replay.value(Verb::max, Tensor::m, row, first.col)));
    CHECK(same_bits(first.after.l, replay.value(Verb::sum, Tensor::l, row, first.col)));
    CHECK(same_bits(layer(second, Tensor::P), replay.value(Verb::exp, Tensor::P, row, first.col, 1)));
    CHECK(same_bits(second.after.l, replay.value(Verb::sum, Tensor::l, row, first.col, 1)));
    CHECK((first.max_runs && first.sum_runs && !first.of_log_sum));
    CHECK((!second.max_runs && second.sum_runs && second.of_log_sum));  // l is summed again, with L instead of m
    CHECK(same_bits(second.O, replay.value(Verb::gemm, Tensor::O, row, first.col)));
  }
}

TEST_CASE("a tile deep in a long row block is computed from kept states, within their memory limit") {
  sim::Scenario scenario;
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 16384;
  scenario.shape.head_dim = 128;
  scenario.br = scenario.bc = 128;
  const auto run = explorer::make_run(scenario);
  const auto history = history_of(run, 0, 100);
  REQUIRE(history->block.steps() == 128);
  values_at(history, 58);
  TileValues jump(history, 59);
  CHECK_FALSE(jump.advance());  // one step from the preceding state
  const TileStep direct = values_at(history_of(run, 0, 100), 59);
  REQUIRE(jump.found() != nullptr);
  CHECK(same_bits(layer(*jump.found(), Tensor::P), layer(direct, Tensor::P)));
  CHECK(same_bits(jump.found()->O, direct.O));
  CHECK(history->bytes() <= RowHistory::most_bytes);
}

TEST_CASE("states of a row block of 131,072 keys stay within their memory") {
  sim::Scenario scenario;
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 131072;
  scenario.shape.head_dim = 128;
  scenario.br = scenario.bc = 128;
  const auto run = explorer::make_run(scenario);
  RowHistory history(explorer::RowSteps(explorer::plan_of(run), 0, 0, 1000, 0, inputs_of(*run, 0)));
  const explorer::RowState state = history.block.step(0, history.block.start()).after;
  CHECK(state.bytes() <= 128 * 132 * 4);  // O, and a few numbers per row
  for (std::int64_t n = 1; n < history.block.steps(); ++n) history.keep(n, state);
  CHECK(history.steps_per_state() > 1);
  CHECK(history.bytes() <= RowHistory::most_bytes);
  CHECK(3 * history.bytes() > RowHistory::most_bytes);
}

TEST_CASE("a part of a tensor is drawn with the same values as the whole") {
  const sim::Shape shape{2, 3, 3, 17, 17, 7, {}};
  const auto inputs = sim::draw_inputs(shape, sim::Dtype::fp16, 11);
  for (const sim::Interval part : {sim::Interval{0, 714}, sim::Interval{3, 5}, sim::Interval{129, 401}}) {
    const auto drawn = sim::draw_elements(part, sim::Dtype::fp16, 11, sim::DrawnTensor::V);
    CHECK(same_bits(drawn, {inputs.v.begin() + part.begin, inputs.v.begin() + part.end}));
  }
}

TEST_CASE("a kernel that does not make O along the keys has no steps") {
  sim::Scenario scenario;
  scenario.algorithm = "standard";
  const auto run = explorer::make_run(scenario);
  CHECK_FALSE(explorer::is_fused_forward(run->simulation.plan.launches[0]));
  CHECK_THROWS_AS(explorer::RowSteps(explorer::plan_of(run), 0, 0, 0, 0, inputs_of(*run, 0)), sim::Error);
}
