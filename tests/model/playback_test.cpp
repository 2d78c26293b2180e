// The playhead: loops, stills, bookmarks, speed.
#include <catch2/catch.hpp>

#include "viz/model/model.h"

namespace {

explorer::Model model_at(std::string_view link) {
  explorer::Model model([](const std::string& name) { return sim::built_in_gpu(name); });
  model.follow(link);
  return model;
}

constexpr std::string_view causal = "#seqlen=512&head-dim=128&causal=1&br=64&bc=64&cta=0,0,5,0";

}  // namespace

TEST_CASE("a CTA plays at speed 1 for one second per tile") {
  explorer::Model model = model_at(causal);
  model.play(true);
  int ticks = 0;
  while (model.world.time() < model.world.replay().index.end()) {
    REQUIRE(model.tick(1. / 64));
    ++ticks;
  }
  CHECK(ticks == 6 * 64);
  CHECK(model.tick(1. / 64));
  CHECK(model.world.replay().place.row == 6);
}

TEST_CASE("a loop stays within its step and returns to its start") {
  explorer::Model model = model_at(std::string(causal) + "&loop=1&unit=tile");
  const auto& visits = model.world.replay().index.visits();
  model.seek(visits[2].begin + sim::Cycles(1));
  model.play(true);
  int returns = 0;
  for (int n = 0; n < 300; ++n) {
    const sim::Cycles before = model.world.time();
    REQUIRE(model.tick(0.02));
    CHECK(model.world.time() >= visits[2].begin);
    CHECK(model.world.time() < visits[3].begin);
    returns += model.world.time() < before;
  }
  CHECK(returns > 3);
}

TEST_CASE("the playhead without animation stops only at the starts of steps") {
  explorer::Model model = model_at(std::string(causal) + "&still=1&unit=line");
  const auto& stops = model.world.replay().index.stops(explorer::TraceIndex::Unit::line);
  model.play(true);
  for (std::size_t n = 1; n < 10; ++n) {
    for (int part = 0; part < 4; ++part) {
      CHECK(model.world.time() == stops[n - 1]);
      model.tick(0.25);
    }
    CHECK(model.world.time() == stops[n]);
    CHECK(model.playing());
  }
}

TEST_CASE("bookmarks are kept in the order of the run and are part of the link") {
  explorer::Model model = model_at(causal);
  const auto mark = [&](std::int64_t row, std::int64_t ticks) {
    model.look_at(0, {0, 0, row, 0});
    model.seek(sim::Cycles(ticks));
    model.toggle_bookmark();
  };
  mark(5, 700'001);
  mark(2, 300);
  mark(5, 1000);
  explorer::Model other = model_at(model.link());
  REQUIRE(other.state.look.bookmarks.size() == 3);
  CHECK(other.link_errors.empty());
  other.look_at(0, {});
  other.seek({});
  const std::int64_t expected[] = {300, 1000, 700'001, 300};
  for (const std::int64_t ticks : expected) {
    other.go_to_bookmark(1);
    CHECK(other.world.time() == sim::Cycles(ticks));
  }
  other.go_to_bookmark(-1);
  CHECK(other.world.time() == sim::Cycles(700'001));
  CHECK(other.world.replay().place.row == 5);
  other.toggle_bookmark();
  CHECK(other.state.look.bookmarks.size() == 2);
}

TEST_CASE("a bookmark of a larger scenario is clamped to the grid of this one") {
  explorer::Model model = model_at("#seqlen=512&bookmarks=7:0,0,400,0:123456789/0:0,0,0,0:5");
  REQUIRE(model.state.look.bookmarks.size() == 2);
  for (int n = 0; n < 4; ++n) model.go_to_bookmark(1);
  for (const explorer::Bookmark& mark : model.state.look.bookmarks) {
    CHECK(mark.kernel == 0);
    CHECK(mark.place.row < 4);
  }
  CHECK(model.at_bookmark());
}

TEST_CASE("an invalid bookmark of a link is reported") {
  for (const char* bad : {"x", "0:1,2:3", "0:0,0,0,0", "0:0,0,0,0:-1", "-1:0,0,0,0:1", "0:0,0,0,0:1e99"}) {
    explorer::Model model = model_at(std::string("#bookmarks=") + bad);
    INFO(bad);
    CHECK(model.state.look.bookmarks.empty());
    CHECK(model.link_errors.size() == 1);
  }
}
