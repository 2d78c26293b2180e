#include "viz/model/trace_index.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/model/replay_of.h"

TEST_CASE("the index finds at any time what a search over all events finds") {
  for (const char* algorithm : {"flash1", "flash2", "standard"}) {
    const auto replay = replay_of(algorithm, 512);
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
  const auto replay = replay_of("flash2", 512);
  const auto& visits = replay->index.visits();
  REQUIRE(visits.size() == 6);
  for (std::size_t n = 0; n < visits.size(); ++n) {
    CHECK(visits[n].row == 5);
    CHECK(visits[n].col == static_cast<std::int64_t>(n));
    CHECK(visits[n].masked == (n == 5));
    CHECK(visits[n].end > visits[n].begin);
  }
}
