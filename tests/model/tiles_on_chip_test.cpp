// Tiles that a CTA holds on chip and touches in HBM, against walks over all events.
#include "viz/model/tiles/tiles_on_chip.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "sim/catalogue/options.h"
#include "tests/support/random_scenario.h"
#include "viz/model/run.h"

namespace {

using explorer::ChipTile;
using sim::Cycles;

/// Calls use(plan, replay) for a CTA of each kernel of random scenarios.
template <class Use>
void each_random_cta(Use use) {
  sim::Dice dice(5);
  for (int n = 0; n < 60; ++n) {
    const sim::Scenario scenario = sim::random_scenario(dice, {60, 12, 16, 1, 2});
    INFO("scenario " << n << " " << scenario.algorithm << " " << sim::name_of(scenario.pass));
    std::shared_ptr<const explorer::Run> run;
    try {
      run = explorer::make_run(scenario);
    } catch (const sim::Error&) {  // tiles that do not fit
      continue;
    }
    for (std::size_t kernel = 0; kernel < run->simulation.plan.launches.size(); ++kernel) {
      const sim::CtaPlace place{0, dice.between(0, 3), dice.between(0, 9), dice.between(0, 9)};
      use(run->simulation.plan, *explorer::make_replay(run->simulation, kernel, place));
    }
  }
}

bool overlap(const ChipTile& a, const ChipTile& b) {
  return a.begin < b.end && b.begin < a.end && a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

}  // namespace

TEST_CASE("tiles in the same memory never overlap") {
  each_random_cta([](const sim::Plan&, const explorer::Replay& replay) {
    const auto& tiles = replay.memory.tiles.tiles();
    bool clear = true;
    for (std::size_t a = 0; a < tiles.size(); ++a) {
      for (std::size_t b = tiles[a].is_vector ? a : 0; b < a; ++b) {
        if (!tiles[b].is_vector && tiles[a].in_registers == tiles[b].in_registers)
          clear = clear && !overlap(tiles[a], tiles[b]);
      }
    }
    CHECK(clear);
  });
}

TEST_CASE("the tiles at a time are those that a search over all finds") {
  each_random_cta([](const sim::Plan&, const explorer::Replay& replay) {
    const auto& tiles = replay.memory.tiles.tiles();
    const std::int64_t end = replay.index.end().count();
    for (std::int64_t n = 0; n <= 12; ++n) {
      const Cycles from(end * n / 12), to(from + Cycles(1 + end * (n % 3) / 5));
      std::vector<std::int32_t> found;
      for (std::size_t t = 0; t < tiles.size(); ++t) {
        if (tiles[t].begin < to && tiles[t].end > from) found.push_back(static_cast<std::int32_t>(t));
      }
      CHECK(replay.memory.tiles.within(from, to) == found);
    }
  });
}

/// Bytes of the tiles at a time, in shared memory and in registers.
std::pair<std::int64_t, std::int64_t> held_at(const explorer::Replay& replay, Cycles time) {
  std::pair<std::int64_t, std::int64_t> held;
  for (const std::int32_t t : replay.memory.tiles.at(time)) {
    const ChipTile& tile = replay.memory.tiles.tiles()[static_cast<std::size_t>(t)];
    if (!tile.is_vector) (tile.in_registers ? held.second : held.first) += tile.bytes;
  }
  return held;
}

TEST_CASE("tiles of flash3 never take more than the ledger does, and a stage of a ring stays at its place") {
  for (const char* schedule : {"overlapped", "ping-pong", "warp-specialised", "serial"}) {
    for (const char* d : {"64", "128"}) {  // P in shared memory, and in registers
      const auto run = explorer::make_run(sim::scenario_from(
          {{"algorithm", "flash3"}, {"seqlen", "1500"}, {"head-dim", d}, {"schedule", schedule}}, sim::built_in_gpu));
      const auto replay = explorer::make_replay(run->simulation, 0, {0, 0, 1, 0});
      INFO(schedule << ", d " << d);
      sim::Bytes held_by_roles;  // at the worst together
      for (const sim::TraceRole& role : replay->trace.roles) held_by_roles += role.held;
      for (std::int64_t n = 0; n <= 400; ++n) {
        const auto [smem, registers] = held_at(*replay, Cycles(replay->index.end().count() * n / 400));
        CHECK(smem <= replay->trace.peak_smem.count());
        CHECK(registers <= held_by_roles.count());
      }
      std::map<std::int16_t, std::set<std::int64_t>> places;
      for (const ChipTile& tile : replay->memory.tiles.tiles()) {
        const sim::Event& event = replay->trace.events[static_cast<std::size_t>(tile.event)];
        if (event.verb == sim::Verb::load) places[event.sync.barrier].insert(tile.address);
      }
      CHECK(places.size() == 5);
      for (const auto& [barrier, addresses] : places) CHECK(addresses.size() == 1);
    }
  }
}

TEST_CASE("tiles of flash3 in e4m3 never take more than the ledger does, and scales take no shared memory") {
  const auto run = explorer::make_run(sim::scenario_from(
      {{"algorithm", "flash3"}, {"dtype", "e4m3"}, {"seqlen", "1500"}, {"head-dim", "128"}}, sim::built_in_gpu));
  const auto replay = explorer::make_replay(run->simulation, 0, {0, 0, 1, 0});
  sim::Bytes held_by_roles;
  for (const sim::TraceRole& role : replay->trace.roles) held_by_roles += role.held;
  for (std::int64_t n = 0; n <= 400; ++n) {
    const auto [smem, registers] = held_at(*replay, Cycles(replay->index.end().count() * n / 400));
    CHECK(smem <= replay->trace.peak_smem.count());
    CHECK(registers <= held_by_roles.count());
  }
  for (const ChipTile& tile : replay->memory.tiles.tiles()) {
    const sim::Event& event = replay->trace.events[static_cast<std::size_t>(tile.event)];
    if (is_per_block(event.tensor)) CHECK(tile.is_vector);
  }
}

TEST_CASE("the tiles on chip add up to the memory that the ledger allocates") {
  each_random_cta([](const sim::Plan&, const explorer::Replay& replay) {
    if (!replay.trace.roles.empty()) return;  // rings are allocated once and filled again and again
    sim::Bytes smem, registers, last_smem, last_registers;
    for (const sim::OccupancySample& sample : replay.trace.occupancy) {
      if (sample.smem > last_smem) smem += sample.smem - last_smem;
      if (sample.registers > last_registers) registers += sample.registers - last_registers;
      last_smem = sample.smem;
      last_registers = sample.registers;
    }
    for (const ChipTile& tile : replay.memory.tiles.tiles()) {
      if (!tile.is_vector) (tile.in_registers ? registers : smem) += sim::Bytes(-tile.bytes);
    }
    CHECK(smem == sim::Bytes{});
    CHECK(registers == sim::Bytes{});
  });
}

TEST_CASE("the tiles of the kernels fit into the memories at all times") {
  for (const char* algorithm : {"standard", "flash1", "flash2"}) {
    for (const sim::Pass pass : {sim::Pass::forward, sim::Pass::backward}) {
      sim::Scenario scenario;
      scenario.algorithm = algorithm;
      scenario.pass = pass;
      scenario.shape.seqlen_q = scenario.shape.seqlen_k = 1000;
      scenario.shape.head_dim = 128;
      scenario.dropout = 0.1;
      const auto run = explorer::make_run(scenario);
      for (std::size_t kernel = 0; kernel < run->simulation.plan.launches.size(); ++kernel) {
        const auto replay = explorer::make_replay(run->simulation, kernel, {0, 0, 3, 3});
        INFO(replay->trace.kernel);
        CHECK(replay->memory.tiles.smem_extent() <= run->simulation.plan.capacity.smem.count());
        CHECK(replay->memory.tiles.register_extent() <= run->simulation.plan.capacity.registers.count());
        CHECK(replay->memory.tiles.smem_extent() >= replay->trace.peak_smem.count());
      }
    }
  }
}

TEST_CASE("S becomes P in its registers, and O stays where it was cleared") {
  sim::Scenario scenario;
  scenario.shape.mask.causal = true;
  const auto run = explorer::make_run(scenario);
  const auto replay = explorer::make_replay(run->simulation, 0, {0, 0, 3, 0});
  const explorer::TilesOnChip& tiles = replay->memory.tiles;
  std::int64_t scores = 0, outputs = 0;
  for (std::size_t t = 0; t < tiles.tiles().size(); ++t) {
    const ChipTile& tile = tiles.tiles()[t];
    const auto event_of = [&](std::int32_t n) { return replay->trace.events[static_cast<std::size_t>(n)]; };
    const sim::Tensor made = event_of(tile.event).tensor;
    const sim::Event last = event_of(tiles.writer(static_cast<std::int32_t>(t), tile.end));
    if (tile.is_vector) continue;
    CHECK(tile.in_registers == (made == sim::Tensor::S || made == sim::Tensor::O));
    if (made == sim::Tensor::S) {
      ++scores;
      CHECK(last.verb == sim::Verb::exp);
      CHECK(event_of(tiles.writer(static_cast<std::int32_t>(t), tile.begin)).verb == sim::Verb::gemm);
    }
    if (made == sim::Tensor::O) {
      ++outputs;
      CHECK(last.verb == sim::Verb::divide);
    }
  }
  CHECK(outputs == 1);
  CHECK(scores == static_cast<std::int64_t>(replay->index.visits().size()));
}

TEST_CASE("cells of HBM are touched from the first to the last event on them") {
  each_random_cta([](const sim::Plan&, const explorer::Replay& replay) {
    for (const explorer::HbmStrip& strip : replay.memory.strips) {
      std::vector<explorer::HbmCell> expected(strip.cells.size());
      for (const sim::Event& event : replay.trace.events) {
        if (event.tensor != strip.tensor || event.direction == sim::Direction::none) continue;
        const std::int64_t per_head = sim::ceil_div(strip.rows, strip.cell_rows);
        for (std::int64_t r = event.rows.begin; r < event.rows.begin + event.rows.size; ++r) {
          for (std::int64_t c = event.cols.begin; c < event.cols.begin + event.cols.size; ++c) {
            const std::int64_t row = r / strip.cell_rows + (strip.heads > 1 ? event.head : 0) * per_head;
            auto& cell =
                expected[static_cast<std::size_t>(strip.is_matrix() ? row * strip.across + c / strip.cell_cols : row)];
            if (cell.event < 0 || event.begin < cell.begin) cell.begin = event.begin;
            cell.event = 0;
            cell.end = std::max(cell.end, event.end);
          }
        }
      }
      bool same = true;
      for (std::size_t n = 0; n < expected.size(); ++n) {
        const explorer::HbmCell &cell = strip.cells[n], &wanted = expected[n];
        same = same && (cell.event >= 0) == (wanted.event >= 0) && cell.begin == wanted.begin && cell.end == wanted.end;
      }
      CHECK(same);
    }
  });
}
