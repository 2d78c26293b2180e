// Random grids for tests of the grid schedule.
#pragma once
#include <limits>
#include <random>
#include <vector>

#include "sim/machine/waves.h"

namespace random_grid {

struct Example {
  sim::Grid grid;
  std::vector<sim::Cycles> durations;
  sim::SmSlots slots;
};

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  /// SMs whose CTAs slow each other down by multiples of 1/64.
  sim::SmSlots slots(std::int64_t most_sms, std::int64_t most_ctas) {
    sim::SmSlots slots{between(1, most_sms), {1}};
    const std::int64_t ctas = between(1, most_ctas);
    for (std::int64_t r = 1; r < ctas; ++r) {
      slots.slowdown.push_back(slots.slowdown.back() + static_cast<double>(between(0, 64)) / 64);
    }
    return slots;
  }

  /// A few runs on a few SMs; durations are often equal, so that many CTAs end at the same moment.
  Example small() {
    Example example;
    example.slots = slots(9, 4);
    const std::int64_t runs = between(1, 8), longest = between(0, 2) == 0 ? 100'000 : between(1, 5);
    for (std::int64_t i = 0; i < runs; ++i) {
      example.grid.runs.push_back({{}, between(1, between(0, 3) == 0 ? 200 : 6)});
      example.durations.push_back(sim::Cycles(between(1, longest)));
    }
    example.grid.repeats = between(1, 12);
    return example;
  }

  /// Heads of rising, falling, random or alternating durations, up to 100,000 CTAs on the SMs of a real device.
  Example large() {
    const std::int64_t sms[] = {4, 40, 82, 108, 132, 148};
    Example example;
    example.slots = slots(1, 4);
    example.slots.sm_count = sms[between(0, 5)];
    const std::int64_t classes = between(2, between(0, 1) == 0 ? 600 : 40), shape = between(0, 3);
    const std::int64_t base = between(256, 1'000'000), step = between(256, 300'000);
    for (std::int64_t i = 0; i < classes; ++i) {
      const std::int64_t factors[] = {i, classes - 1 - i, between(0, classes), i % 2 == 0 ? i : classes - i};
      example.grid.runs.push_back({{}, shape == 3 ? between(1, 3) : 1});
      example.durations.push_back(sim::Cycles(base + step * factors[shape]));
    }
    example.grid.repeats = 1 + between(4096, 100'000) / example.grid.ctas();
    return example;
  }

 private:
  std::mt19937_64 random_;
};

/// The row blocks of a causal kernel, each its own class: `classes` of them in each of `heads`. A CTA takes 1,000
/// cycles and 1,600 more for each block of keys.
inline Example causal(std::int64_t classes, std::int64_t heads, sim::SmSlots slots) {
  Example example;
  example.slots = std::move(slots);
  for (std::int64_t i = 0; i < classes; ++i) {
    example.grid.runs.push_back({{}, 1});
    example.durations.push_back(sim::whole_cycles(1000 + 1600 * (i + 1)));
  }
  example.grid.repeats = heads;
  return example;
}

/// A grid of one head, with one CTA per run; `cycles` are their durations.
inline Example one_by_one(const std::vector<std::int64_t>& cycles, sim::SmSlots slots) {
  Example example;
  example.slots = std::move(slots);
  for (const std::int64_t n : cycles) {
    example.grid.runs.push_back({{}, 1});
    example.durations.push_back(sim::whole_cycles(n));
  }
  return example;
}

inline sim::Waves schedule(const Example& example, sim::WavesOptions options = {}) {
  return sim::schedule_grid(example.grid, example.durations, example.slots, options);
}

/// Schedules every CTA individually, whatever the size of the grid.
inline sim::Waves schedule_exactly(const Example& example, sim::Raster order) {
  return schedule(example, {order, 0, std::numeric_limits<std::int64_t>::max()});
}

}  // namespace random_grid
