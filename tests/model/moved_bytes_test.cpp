// Bytes that cross the boundaries of the memory hierarchy, against sums over all events and over all CTAs.
#include "viz/model/moved_bytes.h"

#include <catch2/catch.hpp>

#include "viz/model/run.h"

namespace {

using sim::Bytes;
using sim::Cycles;
using sim::Direction;

sim::Scenario small(const std::string& algorithm, sim::Pass pass) {
  sim::Scenario scenario;
  scenario.algorithm = algorithm;
  scenario.pass = pass;
  scenario.shape = {.batch = 1, .heads = 2, .kv_heads = 1, .seqlen_q = 80, .seqlen_k = 80, .head_dim = 16};
  scenario.shape.mask.causal = true;
  scenario.dropout = 0.1;
  if (algorithm != "memory-efficient") scenario.br = 32;
  scenario.bc = 16;
  return scenario;
}

template <class Use>
void each_small_run(Use use) {
  for (const char* algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    for (const sim::Pass pass : {sim::Pass::forward, sim::Pass::backward}) {
      INFO(algorithm << " " << sim::name_of(pass));
      use(explorer::make_run(small(algorithm, pass))->simulation);
    }
  }
}

/// Calls use(replay) for every CTA of a kernel.
template <class Use>
void each_cta(const sim::Simulation& simulation, std::size_t kernel, Use use) {
  const sim::CtaPlace size = explorer::grid_of(simulation, kernel);
  for (std::int64_t head = 0; head < size.batch * size.head; ++head) {
    for (std::int64_t row = 0; row < size.row; ++row) {
      for (std::int64_t col = 0; col < size.col; ++col)
        use(*explorer::make_replay(simulation, kernel, {head / size.head, head % size.head, row, col}));
    }
  }
}

void add(sim::Traffic& sum, const sim::Event& event, bool reads, bool writes) {
  if (reads && event.direction != Direction::write) sum.read += Bytes(event.bytes);
  if (writes && event.direction != Direction::read) sum.written += Bytes(event.bytes);
}

/// Computes the bytes moved by a walk over all events.
explorer::Crossed arrived(const explorer::Replay& replay, Cycles time) {
  explorer::Crossed sum;
  for (std::size_t n = 0; n < replay.trace.events.size(); ++n) {
    const sim::Event& event = replay.trace.events[n];
    if (event.end > time) continue;
    sum.operands += Bytes(event.smem_bytes);
    if (event.direction == Direction::none) continue;
    const auto id = static_cast<std::int32_t>(n);
    const explorer::CopySources& sources = replay.memory.sources;
    add(sum.tile, event, true, true);
    add(sum.hbm, event, sources.read_from_hbm(id), sources.written_to_hbm(id));
  }
  return sum;
}

sim::Traffic hbm_of(const sim::KernelMeters& kernel) {
  sim::Traffic sum;
  for (const auto& [tensor, traffic] : kernel.hbm) sum += traffic;
  return sum;
}

}  // namespace

TEST_CASE("bytes that a CTA has moved are the sums over the events that have ended") {
  each_small_run([](const sim::Simulation& simulation) {
    for (std::size_t kernel = 0; kernel < simulation.plan.launches.size(); ++kernel) {
      const auto replay = explorer::make_replay(simulation, kernel, {0, 1, 1, 1});
      for (std::int64_t n = -1; n <= 20; ++n) {
        const Cycles time(replay->index.end().count() * n / 20);
        CHECK(replay->memory.moved.at(time) == arrived(*replay, time));
      }
    }
  });
}

TEST_CASE("the bytes moved by all CTAs of a grid sum to the kernel's tile traffic") {
  each_small_run([](const sim::Simulation& simulation) {
    sim::Traffic all;
    for (std::size_t kernel = 0; kernel < simulation.plan.launches.size(); ++kernel) {
      sim::Traffic tile;
      each_cta(simulation, kernel,
               [&](const explorer::Replay& replay) { tile += replay.memory.moved.at(replay.index.end()).tile; });
      CHECK(tile == simulation.kernels[kernel].totals.total);
      all += tile;
    }
    CHECK(all == simulation.totals.total);
  });
}

TEST_CASE("the bytes that all CTAs of a grid move to and from HBM sum to the L2 model's count") {
  each_small_run([](const sim::Simulation& simulation) {
    for (std::size_t kernel = 0; kernel < simulation.plan.launches.size(); ++kernel) {
      INFO(simulation.kernels[kernel].name);
      sim::Traffic hbm;
      each_cta(simulation, kernel,
               [&](const explorer::Replay& replay) { hbm += replay.memory.moved.at(replay.index.end()).hbm; });
      CHECK(hbm.read.count() == hbm_of(simulation.kernels[kernel]).read.count());
      CHECK(hbm.written.count() == hbm_of(simulation.kernels[kernel]).written.count());
    }
  });
}

TEST_CASE("CTAs whose L2 holds only a part of the data move nearly the bytes of the L2 model") {
  sim::Scenario scenario = small("flash2", sim::Pass::forward);
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 640;
  scenario.l2 = 16384;
  scenario.gpu = sim::built_in_gpu("toy");
  const auto run = explorer::make_run(scenario);
  const sim::KernelMeters& kernel = run->simulation.kernels[0];
  std::int64_t read = 0;
  each_cta(run->simulation, 0, [&](const explorer::Replay& replay) {
    read += replay.memory.moved.at(replay.index.end()).hbm.read.count();
  });
  const auto model = static_cast<double>(hbm_of(kernel).read.count());
  CHECK(hbm_of(kernel).read > kernel.compulsory.read);
  CHECK(hbm_of(kernel).read < kernel.totals.total.read);
  CHECK(static_cast<double>(read) == Approx(model).epsilon(0.1));
}

TEST_CASE("all bytes of a CTA move to or from HBM if there is no L2") {
  sim::Scenario scenario = small("flash2", sim::Pass::backward);
  scenario.l2 = 0;
  const auto run = explorer::make_run(scenario);
  for (std::size_t kernel = 0; kernel < 3; ++kernel) {
    const auto replay = explorer::make_replay(run->simulation, kernel, {0, 1, 2, 1});
    const explorer::Crossed moved = replay->memory.moved.at(replay->index.end());
    CHECK(moved.tile.read > Bytes{});
    CHECK(moved.hbm == moved.tile);
  }
}
