#include "sim/machine/fluid.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>

namespace sim {
namespace {

using Catch::Matchers::Contains;
using Rates = std::vector<double>;

double sum(const std::vector<Demand>& groups, const Rates& rates) {
  double total = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) total += static_cast<double>(groups[i].ctas) * rates[i];
  return total;
}

double demand(const std::vector<Demand>& groups) {
  double total = 0;
  for (const Demand& group : groups) total += static_cast<double>(group.ctas) * group.bytes_per_cycle;
  return total;
}

/// A draw of groups, some of them equal, empty or content with nothing, and a capacity around what they want.
struct Draw {
  std::mt19937 random;
  std::vector<Demand> groups() {
    std::vector<Demand> groups(random() % 8);
    for (Demand& group : groups)
      group = {static_cast<std::int64_t>(random() % 200), static_cast<double>(random() % 64)};
    return groups;
  }
  double capacity(const std::vector<Demand>& groups) {
    return demand(groups) * static_cast<double>(random() % 150) / 100;
  }
};

template <class Check>
void for_random_groups(Check check) {
  Draw draw{std::mt19937(1)};
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Demand> groups = draw.groups();
    const double capacity = draw.capacity(groups);
    INFO(round << ": " << groups.size() << " groups, capacity " << capacity);
    check(groups, capacity, draw);
  }
}

TEST_CASE("CTAs that want less than there is get what they want") {
  CHECK(share_fairly({{10, 4}, {5, 8}}, 80) == Rates{4, 8});
  CHECK(share_fairly({{10, 4}, {5, 8}}, 1000) == Rates{4, 8});
}

TEST_CASE("the example of fluid.h: who wants 9 gets the 4 that others leave") {
  CHECK(share_fairly({{2, 1}, {2, 3}, {1, 9}}, 12) == Rates{1, 3, 4});
}

TEST_CASE("CTAs that want more than there is divide what the modest leave") {
  // 10 x 4 are served; 5 CTAs divide 60 - 40
  CHECK(share_fairly({{10, 4}, {5, 8}}, 60) == Rates{4, 4});
  CHECK(share_fairly({{10, 4}, {5, 8}}, 70) == Rates{4, 6});
  // who wants 2 is served, the others divide 8
  CHECK(share_fairly({{1, 2}, {1, 10}, {1, 5}}, 10) == Rates{2, 4, 4});
  CHECK(share_fairly({{10, 4}, {5, 8}}, 30) == Rates{2, 2});
}

TEST_CASE("nothing is shared out where there is nothing, or where nobody asks") {
  CHECK(share_fairly({}, 100).empty());
  CHECK(share_fairly({{10, 4}}, 0) == Rates{0});
  CHECK(share_fairly({{10, 0}, {2, 7}}, 7) == Rates{0, 3.5});
  CHECK(share_fairly({{0, 9}, {2, 7}}, 7) == Rates{3.5, 3.5});  // a CTA of the empty group would get as much
}

TEST_CASE("shared bandwidth is neither exceeded nor left over while somebody wants more") {
  for_random_groups([](const std::vector<Demand>& groups, double capacity, Draw&) {
    const Rates rates = share_fairly(groups, capacity);
    CHECK(sum(groups, rates) == Approx(std::min(capacity, demand(groups))).epsilon(1e-12));
    for (std::size_t i = 0; i < groups.size(); ++i) {
      CHECK(rates[i] >= 0);
      CHECK(rates[i] <= groups[i].bytes_per_cycle);
    }
  });
}

TEST_CASE("a CTA that gets less shared bandwidth than it wants gets as much as any other") {
  for_random_groups([](const std::vector<Demand>& groups, double capacity, Draw&) {
    const Rates rates = share_fairly(groups, capacity);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (rates[i] < groups[i].bytes_per_cycle) CHECK(rates[i] == *std::max_element(rates.begin(), rates.end()));
    }
  });
}

TEST_CASE("more shared bandwidth never takes any from a CTA") {
  for_random_groups([](const std::vector<Demand>& groups, double capacity, Draw&) {
    const Rates before = share_fairly(groups, capacity), after = share_fairly(groups, capacity * 1.1);
    for (std::size_t i = 0; i < groups.size(); ++i) CHECK(after[i] >= before[i] * (1 - 1e-12));
  });
}

TEST_CASE("a neighbour that comes or wants more never gives a CTA more shared bandwidth") {
  for_random_groups([](std::vector<Demand> groups, double capacity, Draw& draw) {
    if (groups.empty()) return;
    const Rates before = share_fairly(groups, capacity);
    const std::size_t changed = draw.random() % groups.size();
    const bool comes = draw.random() % 2 == 0;
    if (comes) ++groups[changed].ctas;
    if (!comes) groups[changed].bytes_per_cycle += 5;
    const Rates after = share_fairly(groups, capacity);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (i != changed) CHECK(after[i] <= before[i] * (1 + 1e-12));
    }
    if (!comes) CHECK(after[changed] >= before[changed] * (1 - 1e-12));
  });
}

TEST_CASE("shared bandwidth does not depend on how CTAs are grouped or ordered") {
  for_random_groups([](const std::vector<Demand>& groups, double capacity, Draw& draw) {
    std::vector<Demand> ones;
    for (const Demand& group : groups) ones.insert(ones.end(), static_cast<std::size_t>(group.ctas), group);
    for (Demand& one : ones) one.ctas = 1;
    std::shuffle(ones.begin(), ones.end(), draw.random);
    const Rates together = share_fairly(groups, capacity), apart = share_fairly(ones, capacity);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (std::size_t j = 0; j < ones.size(); ++j) {
        if (ones[j].bytes_per_cycle != groups[i].bytes_per_cycle) continue;
        CHECK(apart[j] == Approx(together[i]).epsilon(1e-12));
        break;
      }
    }
  });
}

TEST_CASE("a shared bandwidth or demand that is no number is refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {-1.0, nan, infinity, 1e31}) {
    CHECK_THROWS_WITH(share_fairly({{1, 4}}, wrong), Contains("allowed are 0 to 1e30"));
    CHECK_THROWS_WITH(share_fairly({{1, wrong}}, 100), Contains("allowed are 0 to 1e30"));
  }
  CHECK_THROWS_WITH(share_fairly({{-1, 4}}, 100), Contains("a group of -1 CTAs"));
  CHECK(share_fairly({{INT64_MAX, 1e30}, {INT64_MAX, 0}}, 1e30)[0] == Approx(1e30 / 9.223372036854775807e18));
}

}  // namespace
}  // namespace sim
