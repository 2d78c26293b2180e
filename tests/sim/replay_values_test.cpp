// A CTA replayed with values stores those of its own head, whatever ran before it.
#include <catch2/catch.hpp>

#include "sim/programs/drawn_rows.h"
#include "sim/programs/run.h"

namespace {

using sim::Tensor;

sim::Plan plan_of(const std::string& algorithm, sim::Pass pass) {
  sim::Scenario s;
  s.algorithm = algorithm;
  s.pass = pass;
  s.dtype = sim::Dtype::fp32;
  s.shape = {.batch = 2, .heads = 4, .kv_heads = 2, .seqlen_q = 24, .seqlen_k = 24, .head_dim = 8};
  s.dropout = 0.25;  // the dropout mask differs between heads
  s.br = s.bc = 8;
  return sim::make_plan(s);
}

/// The blocks of a tensor that a CTA stored, concatenated.
std::vector<float> stored(const sim::Trace& trace, Tensor tensor) {
  std::vector<float> all;
  for (const sim::Event& event : trace.events) {
    if (event.tensor != tensor || !event.moves(sim::Direction::write) || event.value < 0) continue;
    const sim::TileValues& tile = trace.values[static_cast<std::size_t>(event.value)];
    all.insert(all.end(), tile.values.begin(), tile.values.end());
  }
  return all;
}

}  // namespace

TEST_CASE("a CTA replayed with values stores the values of its head in the whole run") {
  const sim::Plan plan = plan_of("flash2", sim::Pass::forward);
  const sim::AttentionInputs inputs = sim::inputs_of(plan.scenario);
  const std::vector<float> o = sim::compute(plan, inputs).o;
  const std::ptrdiff_t block = 8 * 8, head_size = 24 * 8;
  for (std::int64_t batch = 0; batch < 2; ++batch) {
    for (std::int64_t head = 0; head < 4; ++head) {
      const sim::Trace trace = sim::replay(plan, plan.launches[0], {batch, head, 1, 0}, &inputs);
      const auto begin = o.begin() + (batch * 4 + head) * head_size + block;
      CHECK(stored(trace, Tensor::O) == std::vector<float>(begin, begin + block));
    }
  }
}

TEST_CASE("a kernel is identified by its name: a copy of it replays the same values") {
  for (const std::string algorithm : {"standard", "flash2"}) {
    const sim::Plan plan = plan_of(algorithm, sim::Pass::forward_backward);
    const sim::AttentionInputs inputs = sim::inputs_of(plan.scenario);
    for (const sim::Launch& launch : plan.launches) {
      const sim::Launch copy = launch;
      const sim::Trace first = sim::replay(plan, launch, {}, &inputs), second = sim::replay(plan, copy, {}, &inputs);
      INFO(launch.name);
      REQUIRE(first.values.size() == second.values.size());
      for (std::size_t n = 0; n < first.values.size(); ++n) CHECK(first.values[n].values == second.values[n].values);
    }
  }
}
