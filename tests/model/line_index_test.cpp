#include "viz/model/listing/line_index.h"

#include <catch2/catch.hpp>
#include <set>

#include "tests/model/replay_of.h"

namespace {

/// Searches all events for the first of a line that begins after a time; if there is none, its first of all.
sim::Cycles next_begin(const sim::Trace& trace, int line, sim::Cycles time) {
  std::optional<sim::Cycles> after, first;
  for (const sim::Event& event : trace.events) {
    if (event.line != line) continue;
    if (!first || event.begin < *first) first = event.begin;
    if (event.begin > time && (!after || event.begin < *after)) after = event.begin;
  }
  return after ? *after : *first;
}

}  // namespace

TEST_CASE("the events of a line are those that a search over all events finds") {
  for (const char* algorithm : {"flash1", "flash2", "standard"}) {
    const auto replay = replay_of(algorithm, 384);
    const auto& events = replay->trace.events;
    std::set<int> lines;
    for (const sim::Event& event : events) lines.insert(event.line);
    for (const int line : lines) {
      sim::Cycles busy;
      std::size_t count = 0;
      for (const sim::Event& event : events) {
        if (event.line != line) continue;
        busy += event.released - event.begin;
        ++count;
      }
      CHECK(replay->lines.busy(line) == busy);
      CHECK(replay->lines.events(line).size() == count);
      for (std::int64_t n = 0; n <= 100; ++n) {
        const sim::Cycles time(replay->index.end().count() * n / 100);
        const std::int32_t next = replay->lines.next(line, time), running = replay->lines.running(line, time);
        REQUIRE(next >= 0);
        CHECK(events[static_cast<std::size_t>(next)].line == line);
        CHECK(events[static_cast<std::size_t>(next)].begin == next_begin(replay->trace, line, time));
        sim::Cycles newest(-1), end;
        for (const sim::Event& event : events) {
          if (event.line != line || event.begin > time || event.begin < newest) continue;
          newest = event.begin;
          end = event.end;
        }
        CHECK((running >= 0) == (newest.count() >= 0 && end > time));
        if (running >= 0) CHECK(events[static_cast<std::size_t>(running)].begin == newest);
      }
    }
  }
}

TEST_CASE("a line without events has an empty index entry") {
  const auto replay = replay_of("flash2", 384);
  CHECK(replay->lines.events(1).empty());
  CHECK(replay->lines.next(1, {}) == -1);
  CHECK(replay->lines.running(1, {}) == -1);
  CHECK(replay->lines.busy(1) == sim::Cycles{});
}
