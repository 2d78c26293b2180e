// The schedule of a grid against CTAs that are issued one by one, over random grids.
#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>
#include <map>
#include <queue>

#include "tests/support/grid_by_heap.h"
#include "tests/support/random_grid.h"

namespace sim {
namespace {

using random_grid::Draw;
using random_grid::Example;
using random_grid::schedule;
using random_grid::schedule_exactly;

constexpr Raster orders[] = {Raster::head_outermost, Raster::block_outermost};

void check_same(const Waves& fast, const Waves& slow) {
  CHECK(fast.makespan == slow.makespan);
  CHECK(fast.busy == slow.busy);
  CHECK(fast.tail_begin == slow.tail_begin);
  CHECK(fast.tail_idle == slow.tail_idle);
  CHECK(fast.skipped_heads == 0);
  REQUIRE(fast.runs.size() == slow.runs.size());
  for (std::size_t i = 0; i < fast.runs.size(); ++i) {
    CHECK(fast.runs[i].begin == slow.runs[i].begin);
    CHECK(fast.runs[i].end == slow.runs[i].end);
  }
}

TEST_CASE("heads issued run by run are one head whose runs are longer") {
  Draw draw(1);
  for (int round = 0; round < 200; ++round) {
    Example example = draw.small();
    const Waves heads = schedule(example, {Raster::block_outermost});
    for (Run& run : example.grid.runs) run.count *= example.grid.repeats;
    example.grid.repeats = 1;
    check_same(heads, schedule(example));
  }
}

TEST_CASE("with one CTA per SM the grid is classic list scheduling") {
  Draw draw(2);
  for (int round = 0; round < 500; ++round) {
    Example example = draw.small();
    example.slots.slowdown = {1};
    std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> free_at;
    for (std::int64_t sm = 0; sm < example.slots.sm_count; ++sm) free_at.push(0);
    std::int64_t last = 0;
    for (const std::size_t run : grid_by_heap::issue_order(example.grid, Raster::head_outermost)) {
      const std::int64_t end = free_at.top() + example.durations[run].count();
      last = std::max(last, end);
      free_at.pop();
      free_at.push(end);
    }
    CHECK(schedule(example).makespan == Cycles(last));
  }
}

TEST_CASE("batches of CTAs take the same time as CTAs one by one, to the tick") {
  Draw draw(3);
  for (int round = 0; round < 3000; ++round) {
    INFO(round);
    const Example example = draw.small();
    for (const Raster order : orders) {
      check_same(schedule_exactly(example, order),
                 grid_by_heap::schedule(example.grid, example.durations, example.slots, order));
    }
  }
}

TEST_CASE("131,072 causal CTAs in batches take the same time as one by one, to the tick") {
  for (const SmSlots& slots : {SmSlots{132, {1}}, SmSlots{132, {1, 1.75}}}) {
    const Example example = random_grid::causal(1024, 128, slots);
    for (const Raster order : orders) {
      check_same(schedule_exactly(example, order),
                 grid_by_heap::schedule(example.grid, example.durations, example.slots, order));
    }
    CHECK(schedule(example, {Raster::block_outermost}).skipped_heads == 0);  // few steps, whatever the size
  }
}

TEST_CASE("no grid ends before its work at the highest rate, nor before its longest CTA") {
  Draw draw(4);
  for (int round = 0; round < 1000; ++round) {
    const Example example = draw.small();
    double work = 0, best_pace = 0;
    std::int64_t longest = 0;
    for (std::size_t i = 0; i < example.durations.size(); ++i) {
      longest = std::max(longest, example.durations[i].count());
      work += static_cast<double>(example.durations[i].count() * example.grid.runs[i].count * example.grid.repeats);
    }
    for (std::size_t r = 0; r < example.slots.slowdown.size(); ++r) {
      best_pace = std::max(best_pace, static_cast<double>(r + 1) / example.slots.slowdown[r]);
    }
    const Waves waves = schedule(example);
    CHECK(waves.makespan.count() >= longest);
    CHECK(static_cast<double>(waves.makespan.count()) + 0.5 >=
          work / (best_pace * static_cast<double>(example.slots.sm_count)));
    CHECK(waves.tail_begin <= waves.makespan);
  }
}

// A grid with several CTAs per SM can end later: other CTAs become neighbours.
TEST_CASE("with one CTA per SM one SM more never ends a grid later") {
  Draw draw(5);
  for (int round = 0; round < 1000; ++round) {
    Example example = draw.small();
    example.slots.slowdown = {1};
    const Cycles before = schedule(example).makespan;
    ++example.slots.sm_count;
    CHECK(schedule(example).makespan <= before);
  }
}

TEST_CASE("the makespan of billions of heads is exact: it grows by a constant per period") {
  Example example = random_grid::one_by_one({3, 2}, {16, {1, 1.5}});
  example.grid.runs[0].count = 60;
  example.grid.runs[1].count = 4;
  example.grid.repeats = 5040;
  const Cycles once = schedule(example).makespan;
  example.grid.repeats = 2 * 5040;
  const Cycles twice = schedule(example).makespan;
  example.grid.repeats = 5040 * 1'000'000LL;
  const Waves waves = schedule(example);
  CHECK(waves.skipped_heads == 0);
  CHECK(waves.makespan == once + (twice - once) * 999'999);
}

TEST_CASE("CTAs that never wait for bandwidth take the same time to the tick, whatever is left of it") {
  Draw draw(8);
  for (int round = 0; round < 500; ++round) {
    Example example = draw.small();
    const Waves without = schedule(example);
    example.slots.bandwidth.rates = {{static_cast<double>(draw.between(0, 64)) / 64, 1}, {1, 1}};
    check_same(schedule(example), without);
  }
}

TEST_CASE("with one CTA per SM those left in the tail progress at the rate of their number") {
  Draw draw(9);
  for (int round = 0; round < 500; ++round) {
    INFO(round);
    Example example = draw.small();
    example.slots.slowdown = {1};
    const double full_port = static_cast<double>(draw.between(0, 16)) / 64;
    const double least_time = full_port + static_cast<double>(draw.between(0, 48)) / 64;
    example.slots.bandwidth.rates = {{full_port, least_time}, {1, 1}};
    const std::vector<std::size_t> ctas = grid_by_heap::issue_order(example.grid, Raster::head_outermost);
    std::priority_queue<double, std::vector<double>, std::greater<>> ends;
    double now = 0;
    for (const std::size_t run : ctas) {
      if (static_cast<std::int64_t>(ends.size()) == example.slots.sm_count) {
        now = ends.top();
        ends.pop();
      }
      ends.push(now + static_cast<double>(example.durations[run].count()));
    }
    const auto in_flight = static_cast<double>(ends.size());
    double time = now;
    for (; !ends.empty(); ends.pop()) {
      const double drawn = std::max(static_cast<double>(ends.size()) / in_flight, full_port);
      const double waits = (1 - least_time) / (1 - full_port);
      time += (ends.top() - now) * (1 - waits * (1 - drawn));
      now = ends.top();
    }
    CHECK(static_cast<double>(schedule(example).makespan.count()) == Approx(time).margin(0.5));
  }
}

TEST_CASE("more bandwidth in the tail never ends a grid later, and no grid ends before its bytes at full rate") {
  Draw draw(10);
  for (int round = 0; round < 1000; ++round) {
    INFO(round);
    Example example = draw.small();
    std::fill(example.slots.slowdown.begin(), example.slots.slowdown.end(), 1);
    Cycles before = schedule(example).makespan;
    std::int64_t work = 0;
    for (std::size_t i = 0; i < example.durations.size(); ++i) {
      work += example.durations[i].count() * example.grid.runs[i].count * example.grid.repeats;
    }
    const std::int64_t in_flight = std::min(example.grid.ctas(), example.slots.count());
    for (const int full_port : {64, 48, 32, 16, 8, 0}) {
      example.slots.bandwidth.rates = {{full_port / 64.0, full_port / 64.0}, {1, 1}};
      const Cycles makespan = schedule(example).makespan;
      CHECK(makespan <= before);
      CHECK(static_cast<double>(makespan.count()) + 0.5 >= static_cast<double>(work) / static_cast<double>(in_flight));
      before = makespan;
    }
  }
}

/// The relative error of the makespan over random grids that skip heads: worst and mean.
std::pair<double, double> skipping_errors(unsigned seed, int grids) {
  Draw draw(seed);
  double worst = 0, sum = 0;
  for (int skipping = 0; skipping < grids;) {
    const Example example = draw.large();
    const Waves waves = schedule(example);
    if (waves.skipped_heads == 0) continue;
    const auto exact = static_cast<double>(schedule_exactly(example, Raster::head_outermost).makespan.count());
    const double error = std::abs(static_cast<double>(waves.makespan.count()) - exact) / exact;
    worst = std::max(worst, error);
    sum += error;
    ++skipping;
  }
  return {worst, sum / grids};
}

TEST_CASE("skipped heads cost at most 2.5 percent and 0.1 percent on average", "[repeats]") {
  const auto [worst, mean] = skipping_errors(6, 100);
  CHECK(worst < 0.025);
  CHECK(mean < 0.001);
}

TEST_CASE("skipped heads of thousands of grids cost at most 2.5 percent and 0.1 percent on average", "[slow]") {
  const auto [worst, mean] = skipping_errors(7, 3000);
  std::cout << "skipped heads: error at worst " << worst << ", on average " << mean << "\n";
  CHECK(worst < 0.025);
  CHECK(mean < 0.001);
}

TEST_CASE("a picture of SMs holds every CTA once, and no SM exceeds its CTAs per SM") {
  Draw draw(7);
  for (int round = 0; round < 300; ++round) {
    const Example example = draw.small();
    const Waves waves = schedule(example, {Raster::head_outermost, 1'000'000});
    std::vector<std::int64_t> ctas(example.durations.size(), 0);
    std::map<std::pair<std::int64_t, Cycles>, std::int64_t> changes;  // in the number of residents, by SM and time
    for (const Residency& r : waves.residencies) {
      ctas[static_cast<std::size_t>(r.run)] += (r.end_sm - r.first_sm) * r.back_to_back;
      CHECK(r.end <= waves.makespan);
      for (std::int64_t sm = r.first_sm; sm < r.end_sm; ++sm) {
        ++changes[{sm, r.begin}];
        --changes[{sm, r.end}];
      }
    }
    if (example.grid.repeats == 1) {
      for (std::size_t i = 0; i < ctas.size(); ++i) CHECK(ctas[i] == example.grid.runs[i].count);
    }
    std::int64_t residents = 0;
    for (const auto& [when, change] : changes) {
      residents += change;
      CHECK(residents >= 0);
      CHECK(residents <= example.slots.ctas_per_sm());
    }
    CHECK(residents == 0);
  }
}

}  // namespace
}  // namespace sim
