// The walk of a grid against the brute force of the same grid, which makes every access of every CTA; and the laws that
// it obeys. Errors are those of bytes between HBM and L2, of both directions.
#include "sim/model/grid_walk.h"

#include <catch2/catch.hpp>

#include "tests/support/drawn_grids.h"
#include "tests/support/kernel_traffic.h"

namespace sim {
namespace {

/// Bytes between HBM and L2 of a kernel on the chip of a drawn grid.
double walked_bytes(const DrawnGrid& drawn, const std::vector<LaunchAccesses>& accesses, const WalkInputs& inputs,
                    const WalkOptions& options) {
  const auto capacity = static_cast<std::int64_t>(inputs.chip.capacity);
  const HbmTraffic hbm =
      hbm_traffic(drawn.plan, *drawn.launch, accesses, {inputs.pace, inputs.chip}, capacity, options);
  return static_cast<double>(sum_of(hbm.by_tensor).total().count());
}

/// Error of the walk's bytes, and demand of the grid at its own pace, as a part of the bandwidth.
struct Compared {
  double error = 0, demand = 0;
};

Compared compare(const DrawnGrid& drawn, int seeds) {
  const ReplayedGrid replayed(drawn.plan, *drawn.launch);
  const std::vector<LaunchAccesses> accesses = accesses_of(drawn.plan, *drawn.launch);
  const coupled_grid::Outcome free = run(replayed.grid(), drawn.chip, {coupled_grid::Pace::free, 0.05});
  const WalkInputs inputs = walk_inputs(replayed.grid(), drawn.chip, free.tile);
  double exact = 0, walked = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    exact += run(replayed.grid(), drawn.chip, {coupled_grid::Pace::coupled, 0.05, static_cast<std::uint64_t>(seed)})
                 .hbm_bytes();
    WalkOptions options;
    options.seed = static_cast<std::uint32_t>(10 + seed);
    walked += walked_bytes(drawn, accesses, inputs, options);
  }
  return {walked / exact - 1, free.hbm_bytes() / drawn.chip.hbm / free.cycles};
}

constexpr double endless_demand = 1e9;

struct Errors {
  int count = 0, within_5_percent = 0;
  double sum = 0;
  void add(double error) {
    ++count;
    within_5_percent += std::abs(error) <= 0.05 ? 1 : 0;
    sum += std::abs(error);
  }
  double mean() const { return sum / count; }
};

/// Compares one draw of each of the kinds after the other; of those with demand below `most_demand`.
Errors compare_drawn(std::uint64_t seed, DrawnSize size, int draws, double most_demand, Interval kinds = other_kinds) {
  Errors errors;
  GridDice dice(seed, size);
  for (int n = 0; n < draws; ++n) {
    const DrawnGrid drawn = dice.draw(static_cast<std::size_t>(kinds.begin + n % kinds.size()));
    const Compared compared = compare(drawn, size == DrawnSize::large ? 1 : 2);
    UNSCOPED_INFO(drawn.kind << ", N " << drawn.plan.problem.shape.seqlen_k << ": error " << 100 * compared.error
                             << " %, demand " << compared.demand);
    if (compared.demand < most_demand) errors.add(compared.error);
  }
  return errors;
}

TEST_CASE("a walk of a tiny grid of any kind moves the bytes of its brute force") {
  const Errors errors = compare_drawn(1, DrawnSize::tiny, 32, endless_demand);
  CHECK(errors.mean() <= 0.025);
  CHECK(errors.within_5_percent >= 29);
}

TEST_CASE("walks of 192 grids move the bytes of their brute force, 160 of them within 5 percent", "[slow]") {
  Errors errors;
  for (const std::uint64_t seed : {1U, 2U}) {
    const Errors half = compare_drawn(seed, DrawnSize::small, 96, endless_demand);
    errors.count += half.count;
    errors.within_5_percent += half.within_5_percent;
    errors.sum += half.sum;
  }
  CHECK(errors.mean() <= 0.025);
  CHECK(errors.within_5_percent >= 160);
}

TEST_CASE("walks of 72 large grids move the bytes of their brute force, if HBM is not saturated", "[slow]") {
  for (const std::uint64_t seed : {1U, 2U}) CHECK(compare_drawn(seed, DrawnSize::large, 36, 0.7).mean() <= 0.025);
}

TEST_CASE("a walk of keys in a sawtooth moves the bytes of its brute force") {
  const Errors errors = compare_drawn(3, DrawnSize::tiny, 16, endless_demand, kinds_of_sawtooth);
  CHECK(errors.mean() <= 0.025);
  CHECK(errors.within_5_percent >= 14);
}

TEST_CASE("a walk under a right window, a prefix or documents moves the bytes of its brute force") {
  CHECK(compare_drawn(4, DrawnSize::tiny, 32, endless_demand, kinds_of_masks).mean() <= 0.025);
  const Errors unsaturated = compare_drawn(4, DrawnSize::tiny, 32, 0.7, kinds_of_masks);
  CHECK(unsaturated.count >= 10);
  CHECK(unsaturated.within_5_percent == unsaturated.count);
}

TEST_CASE("walks of ragged batches whose entries begin with their longest CTAs move the bytes of their brute force") {
  CHECK(compare_drawn(5, DrawnSize::small, 12, endless_demand, kinds_of_sections).mean() <= 0.025);
}

TEST_CASE("walks of 24 larger ragged batches whose entries begin with their longest CTAs", "[slow]") {
  CHECK(compare_drawn(6, DrawnSize::small, 24, endless_demand, kinds_of_sections).mean() <= 0.025);
}

TEST_CASE("walks of 40 larger grids in a sawtooth move the bytes of their brute force, if HBM is not saturated",
          "[slow]") {
  CHECK(compare_drawn(3, DrawnSize::small, 32, 0.7, kinds_of_sawtooth).mean() <= 0.025);
  CHECK(compare_drawn(3, DrawnSize::large, 8, 0.7, kinds_of_sawtooth).mean() <= 0.025);
}

/// One of the fixed cases of tests/sim/coupled_grid_test.cpp as a plan: flash2 in tiles of 128 x 64 on 8 SMs.
DrawnGrid fixed_case(Shape shape, double hbm, double capacity) {
  Scenario s;
  shape.head_dim = 128;
  s.shape = shape;
  s.br = 128;
  s.bc = 64;
  DrawnGrid fixed{"", make_plan(s), nullptr, {}};
  fixed.launch = &fixed.plan.launches[0];
  fixed.chip.sms = 8;
  fixed.chip.hbm = hbm;
  fixed.chip.capacity = capacity;
  return fixed;
}

/// Mean bytes of five seeds without L of a row, which the fixed cases do not have.
double walked_bytes(const DrawnGrid& fixed) {
  const ReplayedGrid replayed(fixed.plan, *fixed.launch);
  const std::vector<LaunchAccesses> accesses = accesses_of(fixed.plan, *fixed.launch);
  const coupled_grid::Outcome all = run(replayed.grid(), fixed.chip, {coupled_grid::Pace::lockstep});
  const WalkInputs inputs = walk_inputs(replayed.grid(), fixed.chip, all.tile);
  double bytes = 0;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    WalkOptions options;
    options.seed = seed;
    bytes += walked_bytes(fixed, accesses, inputs, options) / 5;
  }
  const Shape& shape = fixed.plan.problem.shape;
  return bytes - static_cast<double>(4 * shape.batch * shape.heads * shape.seqlen_q);
}

TEST_CASE("a walk moves the bytes of the fixed cases within 5 percent, of the saturated one those of some noise") {
  const Mask causal{true, 0, {}}, window{true, 0, 1024};
  CHECK(walked_bytes(fixed_case({1, 4, 4, 2048, 2048, 128, {}}, 100, 524288)) == Approx(12582912).epsilon(0.05));
  DrawnGrid two_per_sm = fixed_case({1, 4, 4, 2048, 2048, 128, {}}, 100, 524288);
  two_per_sm.chip.ctas_per_sm = 2;
  CHECK(walked_bytes(two_per_sm) == Approx(8388608).epsilon(0.05));
  CHECK(walked_bytes(fixed_case({1, 2, 2, 4096, 4096, 128, causal}, 100, 524288)) == Approx(59141325).epsilon(0.05));
  // By its seed the brute force moves 31 to 60 million bytes here, 41 on average, and the walk 29 to 61.
  CHECK(walked_bytes(fixed_case({1, 2, 2, 4096, 4096, 128, causal}, 20, 524288)) == Approx(45e6).margin(16e6));
  CHECK(walked_bytes(fixed_case({1, 2, 2, 4096, 4096, 128, window}, 100, 524288)) == Approx(8429178).epsilon(0.05));
  CHECK(walked_bytes(fixed_case({1, 8, 2, 2048, 2048, 128, causal}, 100, 524288)) == Approx(45838570).epsilon(0.05));
}

/// One head of 131,072 tokens on a chip like an H100.
struct LongHead {
  DrawnGrid drawn;
  std::vector<LaunchAccesses> accesses;
  WalkInputs inputs{{1100, 762}, {}};

  explicit LongHead(bool causal)
      : drawn(fixed_case({1, 1, 1, 131'072, 131'072, 128, {causal, 0, {}}}, 1848, 50e6)),
        accesses(accesses_of(drawn.plan, *drawn.launch)) {
    inputs.chip.slots.sm_count = 132;
    inputs.chip.hbm_bytes_per_cycle = drawn.chip.hbm;
    inputs.chip.capacity = drawn.chip.capacity;
  }
  Walked walk(const WalkOptions& options = {}) const {
    const GridNest nest(drawn.plan, *drawn.launch, {accesses[0].pattern}, inputs.chip.slots.count());
    return walk_grid(nest, inputs.pace, inputs.chip, options);
  }
  double gigabytes(const WalkOptions& options = {}) const {
    return walked_bytes(drawn, accesses, inputs, options) * 1e-9;
  }
};

TEST_CASE("thinning keeps the bytes and the time of a long grid, which joining blocks would not") {
  const LongHead causal(true);
  for (const std::int64_t thinned : {7, 31, 63}) {
    WalkOptions options;
    options.thinned = thinned;
    INFO("one block in " << thinned);
    CHECK(causal.gigabytes(options) == Approx(3.1).margin(0.4));  // every access: 2.97
    CHECK(causal.walk(options).cycles == Approx(9.89e6).epsilon(0.01));
  }
  WalkOptions lockstep;
  lockstep.rule = WalkRule::lockstep;
  CHECK(causal.gigabytes(lockstep) == Approx(0.27).epsilon(0.02));
  const LongHead dense(false);
  CHECK(dense.gigabytes() == Approx(0.604).epsilon(0.02));
}

/// Calls check(accesses, nest) for every kernel of random scenarios that the nest does not sample.
template <class Check>
void for_whole_nests(std::uint64_t seed, int draws, Check check) {
  Dice dice(seed);
  for (int n = 0; n < draws; ++n) {
    const Scenario s = random_scenario(dice, {300, 64, 64, 3, 3});
    INFO(describe(s));
    const Plan plan = make_plan(s);
    for (const Launch& launch : plan.launches) {
      INFO(launch.name);
      const std::vector<LaunchAccesses> accesses = accesses_of(plan, launch);
      std::vector<AccessPattern> patterns;
      for (const LaunchAccesses& of_class : accesses) patterns.push_back(of_class.pattern);
      const GridNest nest(plan, launch, std::move(patterns), 7);
      if (nest.whole()) check(accesses, nest);
    }
  }
}

TEST_CASE("the walks of a whole grid move the tile traffic of every tensor") {
  for_whole_nests(121, 150, [](const std::vector<LaunchAccesses>& accesses, const GridNest& nest) {
    WalkChip chip;
    chip.slots.sm_count = 7;
    chip.capacity = 1e15;
    WalkOptions options;
    options.thinned = 1;
    const Walked walked = walk_grid(nest, {100, 50}, chip, options);
    ByTensor tile;
    for (const LaunchAccesses& of_class : accesses) {
      for (const auto& [tensor, moved] : of_class.totals.by_tensor) tile[tensor] += moved;
    }
    for (const auto& [tensor, moved] : tile) {
      // The patterns of CTAs that see nothing, and of empty parts of the keys, name fewer tiles than they move, or
      // more.
      if (is_block_map(tensor) || is_table(tensor) || is_in_parts(tensor) || is_statistic(tensor)) continue;
      INFO(name_of(tensor));
      const auto at = static_cast<std::size_t>(tensor);
      CHECK(walked.tally.read[at].moved == Approx(static_cast<double>(moved.read.count())).epsilon(0.03));
      CHECK(walked.tally.written[at].moved == Approx(static_cast<double>(moved.written.count())).epsilon(0.03));
      CHECK(walked.tally.read[at].missed == Approx(walked.tally.read[at].first));
      CHECK(walked.tally.written[at].missed == Approx(walked.tally.written[at].first));
    }
  });
}

TEST_CASE("walks never move less than each byte once, nor more than the tile traffic, nor more with a larger L2") {
  for (const WalkRule rule : {WalkRule::coupled, WalkRule::free, WalkRule::lockstep}) {
    for_whole_nests(122, 20, [&](const std::vector<LaunchAccesses>&, const GridNest& nest) {
      WalkChip chip;
      chip.slots.sm_count = 7;
      chip.hbm_bytes_per_cycle = 1000;
      WalkOptions options;
      options.rule = rule;
      double before = 1e300;
      for (chip.capacity = 1e3; chip.capacity < 1e7; chip.capacity *= 4) {
        const Walked walked = walk_grid(nest, {1000, 50}, chip, options);
        const double bytes = walked.hbm_bytes;
        if (rule != WalkRule::coupled) CHECK(bytes <= before * 1.000001);
        for (std::size_t tensor = 0; tensor < tensor_capacity; ++tensor) {
          for (const L2Bytes& moved : {walked.tally.read[tensor], walked.tally.written[tensor]}) {
            CHECK(moved.first <= moved.missed * 1.000001);
            CHECK(moved.missed <= moved.moved * 1.000001);
          }
        }
        before = bytes;
      }
    });
  }
}

TEST_CASE("a walk depends on its inputs and its seed alone") {
  const LongHead head(true);
  const Walked once = head.walk(), again = head.walk();
  CHECK(once.cycles == again.cycles);
  CHECK(once.hbm_bytes == again.hbm_bytes);
  CHECK(once.distances.bytes == again.distances.bytes);
  WalkOptions other;
  other.seed = 2;
  CHECK(head.walk(other).cycles != once.cycles);
}

TEST_CASE("the histogram of reuse distances has the bytes that are read") {
  const LongHead head(false);
  const Walked walked = head.walk();
  double histogram = walked.distances.first, read = 0;
  for (const double bytes : walked.distances.bytes) histogram += bytes;
  for (const L2Bytes& moved : walked.tally.read) read += moved.moved;
  CHECK(histogram == Approx(read));
  CHECK(DistanceHistogram::bin(8) == 0);
  CHECK(DistanceHistogram::bin(15) == 7);
  CHECK(DistanceHistogram::bin(16) == 8);
  CHECK(DistanceHistogram::bin(1 << 20) == 8 * 17);
}

}  // namespace
}  // namespace sim
