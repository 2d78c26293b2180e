// Timeline of every CTA on the SMs, against the properties of any list schedule.
#include "viz/model/grid_timeline.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "viz/model/model.h"

namespace {

struct Example {
  std::shared_ptr<const explorer::Run> run;
  explorer::GridTimeline grid;
  Example(const char* link, std::size_t kernel = 0) : run(run_of(link)), grid(run, kernel) {
    while (grid.advance()) {
    }
  }
  static std::shared_ptr<const explorer::Run> run_of(const char* link) {
    explorer::Model model([](const std::string& name) { return sim::built_in_gpu(name); });
    model.follow(link);
    REQUIRE(model.link_errors.empty());
    return model.world.subject(0).run;
  }
};

}  // namespace

TEST_CASE("every CTA of a grid runs once in a free slot, and no SM idles while CTAs are left") {
  for (const char* link :
       {"#gpu=toy&seqlen=512&head-dim=64&br=32&bc=32&causal=1", "#seqlen=2048&causal=1&batch=4&heads=8",
        "#seqlen=2048&batch=4&heads=16&kv-heads=4&pass=backward", "#algorithm=standard&seqlen=1024&heads=4",
        "#algorithm=flash1&seqlen=1024&heads=64&batch=8"}) {
    INFO(link);
    for (std::size_t kernel = 0; kernel < Example(link).run->simulation.plan.launches.size(); ++kernel) {
      const Example example(link, kernel);
      const sim::Simulation& simulation = example.run->simulation;
      REQUIRE(example.grid.ready());
      if (!example.grid.one_by_one()) continue;
      const sim::GridInTime& g = example.grid.grid();
      std::vector<int> seen(static_cast<std::size_t>(g.ctas / g.shares));
      sim::Cycles last, latest_begin;
      for (std::int64_t sm = 0; sm < g.sms; ++sm) {
        for (std::int64_t slot = 0; slot < g.ctas_per_sm; ++slot) {
          sim::Cycles free;
          for (const explorer::CtaSpan& span : example.grid.row(sm, slot)) {
            CHECK(span.begin.count() >= free.count() - 2);
            CHECK(span.begin.count() <= free.count() + 2);  // it begins as soon as its slot is free
            CHECK(span.end > span.begin);
            CHECK((span.sm == sm && span.slot == slot));
            ++seen.at(static_cast<std::size_t>(span.cta));
            free = span.end;
            last = std::max(last, span.end);
            latest_begin = std::max(latest_begin, span.begin);
          }
        }
      }
      CHECK(std::all_of(seen.begin(), seen.end(), [&](int times) { return times == g.shares; }));
      CHECK(last == example.grid.makespan());
      CHECK(latest_begin.count() <= g.waves.tail_begin.count() + 2);
      const double us = static_cast<double>(last.count()) / sim::ticks_per_cycle /
                        static_cast<double>(simulation.plan.scenario.gpu->clock_hz) * 1e6;
      const double launch = static_cast<double>(simulation.plan.scenario.gpu->launch_nanoseconds) * 1e-3;
      CHECK(simulation.kernels[kernel].time.microseconds == Approx(us + launch));
    }
  }
}

TEST_CASE("CTAs begin in issue order and those with more tiles take longer") {
  const Example example("#gpu=toy&seqlen=512&head-dim=64&br=32&bc=32&causal=1&heads=2");
  REQUIRE(example.grid.one_by_one());
  sim::Cycles begin;
  for (std::int64_t cta = 0; cta < 32; ++cta) {
    const explorer::CtaSpan* span = example.grid.find(cta);
    REQUIRE(span != nullptr);
    CHECK(span->begin.count() >= begin.count() - 2);
    begin = span->begin;
    if (cta % 16 == 0) continue;
    const explorer::CtaSpan* before = example.grid.find(cta - 1);
    CHECK(span->end - span->begin > before->end - before->begin);
  }
  CHECK(example.grid.find(32) == nullptr);
  CHECK(example.grid.find(-1) == nullptr);
}

TEST_CASE("the number of a CTA and its grid position convert to each other") {
  for (const char* link : {"#seqlen=512&batch=3&heads=4&br=64", "#algorithm=standard&seqlen=512&heads=2"}) {
    const auto run = Example::run_of(link);
    const sim::CtaPlace size = explorer::grid_of(run->simulation, 0);
    for (std::int64_t cta = 0; cta < size.batch * size.head * size.row * size.col; ++cta) {
      const sim::CtaPlace place = explorer::place_of_cta(run->simulation, 0, cta);
      CHECK(explorer::cta_of_place(run->simulation, 0, place) == cta);
      CHECK((place.batch < size.batch && place.head < size.head && place.row < size.row && place.col < size.col));
    }
  }
}

TEST_CASE("a grid of millions of CTAs is available only as a whole") {
  const Example example("#algorithm=standard&seqlen=32768&heads=32", 1);
  CHECK_FALSE(example.grid.one_by_one());
  CHECK(example.grid.makespan() > sim::Cycles{});
  CHECK(example.grid.row(0, 0).empty());
  CHECK(example.grid.find(0) == nullptr);
}
