#include "sim/model/reuse_distance.h"

#include <catch2/catch.hpp>
#include <set>

#include "tests/support/random_scenario.h"

namespace sim {
namespace {

TEST_CASE("the example of reuse_distance.h") {
  ReuseDistance distances;
  const std::int32_t a = distances.add(1, 1), b = distances.add(1, 2), c = distances.add(1, 4);
  CHECK(distances.touch(a) == -1);
  CHECK(distances.touch(b) == -1);
  CHECK(distances.touch(c) == -1);
  CHECK(distances.touch(b) == 6);
  CHECK(distances.touch(a) == 7);
}

TEST_CASE("reuse distances are the bytes of the different items since the last access, and of what passed") {
  Dice dice(120);
  ReuseDistance distances;
  std::vector<std::int32_t> accesses;  // -n: the nth of `passed`
  std::vector<std::int64_t> passed;
  for (int n = 0; n < 4000; ++n) {
    if (dice.one_in(50) || distances.items() == 0) distances.add(2, dice.between(1, 1000));
    if (dice.one_in(5)) {
      passed.push_back(dice.between(1, 1000));
      distances.pass(passed.back());
      accesses.push_back(-static_cast<std::int32_t>(passed.size()));
    }
    const auto last = static_cast<std::int64_t>(distances.items()) - 1;
    const auto item = static_cast<std::int32_t>(dice.one_in(2) ? dice.between(0, last) : dice.near_an_end(0, last));
    std::int64_t expected = -1;
    std::set<std::int32_t> between;
    for (auto at = accesses.rbegin(); at != accesses.rend() && expected < 0; ++at) {
      between.insert(*at);
      if (*at != item) continue;
      expected = 0;
      for (const std::int32_t other : between)
        expected += other < 0 ? passed[static_cast<std::size_t>(-other - 1)] : distances.bytes(other);
    }
    REQUIRE(distances.touch(item) == expected);
    accesses.push_back(item);
  }
}

}  // namespace
}  // namespace sim
