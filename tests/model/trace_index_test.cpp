#include "viz/model/trace_index.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "viz/model/run.h"

namespace {

std::shared_ptr<const explorer::Replay> replay_of(const char* algorithm) {
  sim::Scenario scenario;
  scenario.algorithm = algorithm;
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 512;
  scenario.shape.mask.causal = true;
  scenario.br = scenario.bc = 64;
  return explorer::make_replay(explorer::make_run(scenario)->simulation, 0, {0, 0, 5, 0});
}

}  // namespace

TEST_CASE("what the index finds at a time is what a search over all events finds") {
  for (const char* algorithm : {"flash1", "flash2", "standard"}) {
    const auto replay = replay_of(algorithm);
    const auto& events = replay->trace.events;
    const explorer::TraceIndex& index = replay->index;
    for (std::int64_t n = 0; n <= 500; ++n) {
      const sim::Cycles time(index.end().count() * n / 500);
      for (const explorer::Lane& lane : index.lanes()) {
        std::int32_t found = -1;
        for (std::size_t e = 0; e < events.size(); ++e) {
          if (events[e].engine == lane.engine && events[e].begin <= time && events[e].released > time)
            found = static_cast<std::int32_t>(e);
        }
        CHECK(index.at(lane, time) == found);
      }
    }
  }
}

TEST_CASE("a CTA of flash2 visits the tiles of its row up to the diagonal, in order") {
  const auto replay = replay_of("flash2");
  const auto& visits = replay->index.visits();
  REQUIRE(visits.size() == 6);
  for (std::size_t n = 0; n < visits.size(); ++n) {
    CHECK(visits[n].row == 5);
    CHECK(visits[n].col == static_cast<std::int64_t>(n));
    CHECK(visits[n].masked == (n == 5));
    CHECK(visits[n].end > visits[n].begin);
  }
}

TEST_CASE("tiles in shared memory never lie on each other nor take more than the CTA held") {
  for (const char* algorithm : {"flash1", "flash2"}) {
    const auto replay = replay_of(algorithm);
    const auto& residents = replay->index.residents();
    for (std::size_t a = 0; a < residents.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (residents[a].in_registers || residents[b].in_registers) continue;
        const bool together = residents[a].begin < residents[b].end && residents[b].begin < residents[a].end;
        const bool overlap = residents[a].address < residents[b].address + residents[b].bytes &&
                             residents[b].address < residents[a].address + residents[a].bytes;
        CHECK_FALSE((together && overlap));
      }
    }
    for (std::int64_t n = 0; n <= 100; ++n) {
      const sim::Cycles time(replay->index.end().count() * n / 100);
      std::vector<std::int32_t> alive;
      for (std::size_t r = 0; r < residents.size(); ++r) {
        if (residents[r].begin <= time && residents[r].end > time) alive.push_back(static_cast<std::int32_t>(r));
      }
      CHECK(replay->index.residents_at(time) == alive);
    }
  }
}
