#include "viz/model/trace_index.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"
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

TEST_CASE("lanes of flash3 are of one role each, and every role computes, waits or does nothing at any time") {
  for (const char* schedule : {"overlapped", "ping-pong", "warp-specialised", "serial"}) {
    INFO(schedule);
    const auto run = explorer::make_run(
        sim::scenario_from({{"algorithm", "flash3"}, {"seqlen", "1500"}, {"schedule", schedule}}, sim::built_in_gpu));
    const auto replay = explorer::make_replay(run->simulation, 0, {0, 0, 1, 0});
    const explorer::TraceIndex& index = replay->index;
    const auto& events = replay->trace.events;
    CHECK(index.roles() == replay->trace.roles.size());
    CHECK(index.visits().size() == 8);  // 1,500 keys in blocks of 192
    CHECK(index.visits().front().col == 7);
    for (const explorer::Lane& lane : index.lanes()) {
      sim::Cycles end;
      for (const std::int32_t n : lane.events) {
        const sim::Event& event = events[static_cast<std::size_t>(n)];
        CHECK(event.role == lane.role);
        CHECK(event.begin >= end);
        end = event.released;
      }
    }
    for (std::int64_t n = 0; n <= 200; ++n) {
      const sim::Cycles time(index.end().count() * n / 200);
      bool computes = false;
      for (std::uint8_t role = 0; role < index.roles(); ++role) {
        const std::int32_t wait = index.wait_at(time, role), now = index.current(time, role);
        if (wait >= 0) {
          const sim::WaitSpan& span = replay->trace.waits[static_cast<std::size_t>(wait)];
          CHECK((span.begin <= time && time < span.end));
          CHECK(events[static_cast<std::size_t>(span.event)].role == role);
        }
        const sim::Event* const event = now < 0 ? nullptr : &events[static_cast<std::size_t>(now)];
        computes = computes || (event != nullptr && event->begin <= time && time < event->end);
      }
      if (computes) CHECK(index.wait_at(time) == -1);
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
