// The schedule of a grid: examples by hand, and rejected grids. waves_property_test compares with CTAs one by one.
#include "sim/machine/waves.h"

#include <catch2/catch.hpp>
#include <limits>

#include "sim/machine/issue.h"
#include "tests/support/random_grid.h"

namespace sim {
namespace {

using Catch::Matchers::Contains;
using random_grid::Example;
using random_grid::one_by_one;
using random_grid::schedule;

TEST_CASE("the CTAs of a grid that skips nothing have only whole tiles, also under a mask") {
  Shape shape{.batch = 2, .heads = 3, .kv_heads = 3, .seqlen_q = 50, .seqlen_k = 70, .head_dim = 8};
  shape.mask.causal = true;
  for (const GridKind kind : {GridKind::per_row_block, GridKind::per_column_block, GridKind::per_tile}) {
    std::int64_t ctas = 0;
    const Grid grid = make_grid(shape, {kind, 16, 32, false});
    for (const Run& run : grid.runs) {
      CHECK(run.key.masked_tiles == 0);
      CHECK(run.key.full_tiles > 0);
      ctas += run.count;
    }
    CHECK(ctas * grid.repeats == grid.ctas());
  }
}

TEST_CASE("CTAs go to the SM that is free first, and the last to end decides") {
  // SM 0: 3 then 2 (3 to 5); SM 1: 2 then 4 (2 to 6)
  const Waves waves = schedule(one_by_one({3, 2, 4, 2}, {2, {1}}));
  CHECK(waves.makespan == whole_cycles(6));
  CHECK(waves.busy == whole_cycles(11));
  CHECK(waves.tail_begin == whole_cycles(5));
  CHECK(waves.tail_idle == whole_cycles(1));
  CHECK(waves.waves == 2);
  CHECK(waves.runs[2].begin == whole_cycles(2));
  CHECK(waves.runs[2].end == whole_cycles(6));
  CHECK(waves.runs[3].begin == whole_cycles(3));
  CHECK(waves.runs[3].end == whole_cycles(5));
}

TEST_CASE("a CTA speeds up when its neighbour ends") {
  // both run at 2/3 of their rate until the 4 cycles are done at 6; the other has 6 left, alone
  const Waves waves = schedule(one_by_one({10, 4}, {1, {1, 1.5}}));
  CHECK(waves.runs[1].end == whole_cycles(6));
  CHECK(waves.makespan == whole_cycles(12));
  CHECK(waves.busy == whole_cycles(18));
  CHECK(waves.tail_begin == whole_cycles(6));
  CHECK(waves.tail_idle == whole_cycles(6));
}

TEST_CASE("a CTA slows down again when the next neighbour starts") {
  // the CTA of 4 ends at 6, the other has 6 left; that and the new 6 end together, 9 cycles later
  const Waves waves = schedule(one_by_one({10, 4, 6}, {1, {1, 1.5}}));
  CHECK(waves.runs[2].begin == whole_cycles(6));
  CHECK(waves.makespan == whole_cycles(15));
  CHECK(waves.tail_idle == Cycles(0));
}

TEST_CASE("the next CTA goes to the SM with the fewest residents") {
  // At 10, SM 1 has lost both of its CTAs and SM 0 one: the last CTA takes 10 alone on SM 1, not with 5 left on SM 0.
  const Waves waves = schedule(one_by_one({5, 5, 10, 5, 10}, {2, {1, 2}}));
  CHECK(waves.runs[2].end == whole_cycles(15));
  CHECK(waves.runs[4].begin == whole_cycles(10));
  CHECK(waves.makespan == whole_cycles(20));
}

TEST_CASE("the example in waves.h: four CTAs that share their SM, then two that do not") {
  const Waves waves = schedule(one_by_one({4, 4, 4, 4, 2, 2}, {2, {1, 1.5}}));
  CHECK(waves.runs[0].end == whole_cycles(6));
  CHECK(waves.runs[5].begin == whole_cycles(6));
  CHECK(waves.makespan == whole_cycles(8));
  CHECK(waves.busy == whole_cycles(28));
  CHECK(waves.tail_begin == whole_cycles(6));
  CHECK(waves.tail_idle == whole_cycles(4));
}

TEST_CASE("the example in waves.cpp: a period of two heads") {
  Example example = one_by_one({3, 1}, {2, {1}});
  example.grid.repeats = 2;
  CHECK(schedule(example).makespan == whole_cycles(4));
  example.grid.repeats = 101;
  const Waves waves = schedule(example);
  CHECK(waves.makespan == whole_cycles(203));
  CHECK(waves.skipped_heads == 0);
}

TEST_CASE("the example in issue.cpp: ten CTAs in four steps, and 4,000 more in none") {
  for (const std::int64_t more : {0, 4000}) {
    Issue issue({whole_cycles(4), whole_cycles(2)}, {4, {1}}, 0);
    issue.issue(0, 6 + more);
    issue.issue(1, 4);
    CHECK(issue.steps() == 4);
    CHECK(issue.finish(whole_cycles(32 + 4 * more).count()).makespan == whole_cycles(8 + more));
  }
}

TEST_CASE("few CTAs are spread over SMs, where no neighbour slows them down") {
  const Waves waves = schedule(one_by_one({7, 7, 7}, {3, {1, 2, 3}}));
  CHECK(waves.makespan == whole_cycles(7));
  CHECK(waves.tail_begin == Cycles(0));
  CHECK(waves.tail_idle == whole_cycles(6 * 7));
}

TEST_CASE("a grid without heads takes no time") {
  Example example = one_by_one({7}, {3, {1}});
  example.grid.repeats = 0;
  CHECK(schedule(example).makespan == Cycles(0));
}

TEST_CASE("equal CTAs take the number of waves that they fill, including partly filled ones") {
  for (const std::int64_t sms : {1, 4, 132}) {
    for (const std::int64_t ctas : {1, 3, 4, 131, 132, 133, 1000, 1'000'000'007}) {
      INFO(sms << " SMs, " << ctas << " CTAs");
      Example example = one_by_one({1}, {sms, {1}});
      example.grid.runs[0].count = ctas;
      example.durations = {Cycles(777)};
      CHECK(schedule(example).makespan == Cycles(777) * ceil_div(ctas, sms));
      example.slots.slowdown = {1, 1.5};
      example.grid.runs[0].count = 2 * sms * ctas;
      CHECK(schedule(example).makespan == Cycles(777 * 3 / 2 * ctas + (777 * 3 % 2 * ctas + 1) / 2));
      CHECK(schedule(example).tail_idle == Cycles(0));
    }
  }
}

TEST_CASE("with bandwidth as the only limit a last wave takes its part of a full one, whatever SMs hold it") {
  Example example = one_by_one({8000}, {4, {1, 1}, {{{0.05, 0.05}, {1, 1}}}});
  for (std::int64_t ctas = 1; ctas <= 32; ++ctas) {
    INFO(ctas << " CTAs in 8 slots");
    example.grid.runs[0].count = ctas;
    const Waves waves = schedule(example);
    // fewer than 8 CTAs are all in flight: 8,000 cycles are their time
    CHECK(waves.makespan == whole_cycles(std::max<std::int64_t>(8000, 1000 * ctas)));
    const std::int64_t last = ctas % 8;
    CHECK(waves.busy == whole_cycles(ctas < 8 ? ctas * 8000 : 8000 * (ctas - last) + last * last * 1000));
  }
}

TEST_CASE("a CTA of the last wave is as fast as the port of its SM allows") {
  Example example = one_by_one({1600}, {4, {1, 1}, {{{0.25, 0.4}, {1, 1}}}});
  const auto last_wave = [&](std::int64_t ctas) {
    example.grid.runs[0].count = 8 + ctas;
    return schedule(example).makespan - whole_cycles(1600);
  };
  CHECK(last_wave(1) == whole_cycles(640));
  CHECK(last_wave(2) == whole_cycles(640));  // 2 / 8 of all, alone on their SMs
  CHECK(last_wave(3) == whole_cycles(800));  // 0.4 + 0.6 / 6
  CHECK(last_wave(5) == whole_cycles(1120));
  CHECK(last_wave(8) == whole_cycles(1600));
}

TEST_CASE("between the rates at which a CTA was timed its time is linear") {
  const SharedBandwidth bandwidth{{{0.1, 0.3}, {0.5, 0.4}, {1, 1}}};
  CHECK(bandwidth.time(0.05, 1) == 0.3);
  CHECK(bandwidth.time(0.3, 1) == Approx(0.35));
  CHECK(bandwidth.time(0.05, 5) == Approx(0.4));
  CHECK(bandwidth.time(0.75, 5) == Approx(0.7));
  CHECK(bandwidth.time(1, 1) == 1);
  CHECK(bandwidth.time(0.05, 20) == 1);
}

TEST_CASE("in the tail two CTAs of an SM divide its port, and two SMs have two ports") {
  const SmSlots slots{2, {1, 1}, {{{0.4, 0.4}, {1, 1}}}};
  CHECK(schedule(one_by_one({20, 100, 20, 100}, slots)).makespan == whole_cycles(20 + 64));  // 2 x 0.4 of 80
  CHECK(schedule(one_by_one({20, 20, 100, 100}, slots)).makespan == whole_cycles(20 + 40));  // 2 of 4 left
}

TEST_CASE("the tail's bandwidth and the slowdown by a neighbour multiply") {
  // Until 6 all four CTAs: 4 cycles of work at 1.5; then two of 6, alone on their SMs and with twice the bandwidth.
  const Waves waves = schedule(one_by_one({4, 4, 10, 10}, {2, {1, 1.5}, {{{0.25, 0.25}, {1, 1}}}}));
  CHECK(waves.runs[0].end == whole_cycles(6));
  CHECK(waves.makespan == whole_cycles(9));
}

TEST_CASE("a picture of SMs keeps at most the requested number of residencies") {
  const Example example = random_grid::causal(64, 64, {8, {1, 1.5}});
  for (const std::int64_t most : {0, 10}) {
    CHECK(schedule(example, {Raster::head_outermost, most}).residencies.size() == static_cast<std::size_t>(most));
  }
}

TEST_CASE("an impossible grid or set of SM slots is refused with the numbers") {
  const auto refused = [](auto change) {
    Example example = one_by_one({3, 2}, {2, {1, 1.5}});
    change(example);
    std::string message = "accepted";
    try {
      schedule(example);
    } catch (const Error& error) {
      message = error.what();
    }
    return message;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(refused([](Example&) {}) == "accepted");
  CHECK_THAT(refused([](Example& e) { e.slots.sm_count = 0; }), Contains("1 to 1000000 SMs, not 0"));
  CHECK_THAT(refused([](Example& e) { e.slots.slowdown = {}; }), Contains("1 to 1024 CTAs, not 0"));
  CHECK_THAT(refused([](Example& e) { e.slots.slowdown = {1.5}; }), Contains("alone on its SM is 1.5"));
  CHECK_THAT(refused([](Example& e) { e.slots.slowdown = {1, 0.5}; }), Contains("is 0.5: it begins with 1"));
  CHECK_THAT(refused([&](Example& e) { e.slots.slowdown = {1, nan}; }), Contains("is nan"));
  using Rates = std::vector<SharedBandwidth::Rate>;
  const auto with_rates = [&](const Rates& rates) {
    return refused([&](Example& e) { e.slots.bandwidth.rates = rates; });
  };
  CHECK_THAT(with_rates({{0.5, 0.4}, {1, 1}}), Contains("a byte takes 0.5 and a CTA 0.4 of"));
  CHECK_THAT(with_rates({{0.5, 0.6}, {0.4, 0.7}, {1, 1}}), Contains("a byte takes 0.4 and a CTA 0.7 of"));
  CHECK_THAT(with_rates({{nan, 1}, {1, 1}}), Contains("a byte takes nan"));
  CHECK_THAT(with_rates({{1, 1.1}}), Contains("a CTA 1.1 of the time"));
  CHECK_THAT(with_rates({{0.5, 0.6}}), Contains("take 0.5 of the time"));
  CHECK_THAT(with_rates({}), Contains("take 0 of the time"));
  CHECK_THAT(refused([](Example& e) { e.durations.pop_back(); }), Contains("2 runs has 1 durations"));
  CHECK_THAT(refused([](Example& e) { e.durations[1] = Cycles(0); }), Contains("run 1 takes 0 x 1.5 ticks"));
  CHECK_THAT(refused([](Example& e) { e.durations[1] = Cycles(INT64_MAX); }), Contains("allowed are 1 to 2^52"));
  CHECK_THAT(refused([](Example& e) { e.grid.runs[0].count = -1; }), Contains("run 0 of a grid has -1 CTAs"));
  CHECK_THAT(refused([](Example& e) { e.grid.repeats = -1; }), Contains("-1 heads"));
  CHECK_THAT(refused([](Example& e) { e.grid.repeats = INT64_MAX; }), Contains("passes 64 bits"));
  CHECK_THAT(refused([](Example& e) { e.grid.runs[0].count = INT64_MAX / 1000; }), Contains("allowed are 2^62"));
  const auto long_on_many_sms = [](Example& e) {
    e.durations[1] = Cycles(std::int64_t{1} << 50);
    e.slots.sm_count = 1'000'000;
  };
  CHECK_THAT(refused(long_on_many_sms), Contains("holds 2000000 slots"));
  CHECK_THROWS_WITH(schedule(one_by_one({3}, {}), {Raster::head_outermost, -1}), Contains("residencies, not -1"));
}

}  // namespace
}  // namespace sim
