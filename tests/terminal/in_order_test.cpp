#include "viz/results/in_order.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <string>

using results::InOrder;

namespace {

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("results of several threads are taken in order, each once") {
  for (const int threads : {1, 2, 3, 8}) {
    Numbers taken;
    const auto ran = InOrder<std::int64_t>([](std::int64_t n) { return n * n; },
                                           [&](std::int64_t square) { taken.push_back(square); })
                         .run(2000, threads);
    REQUIRE(taken.size() == 2000);
    for (std::size_t n = 0; n < taken.size(); ++n) CHECK(taken[n] == std::int64_t(n) * std::int64_t(n));
    CHECK(ran.taken == 2000);
    CHECK(ran.threads == threads);
  }
}

TEST_CASE("no more threads run than there are items") {
  std::int64_t taken = 0;
  CHECK(InOrder<int>([](std::int64_t) { return 1; }, [&](int one) { taken += one; }).run(2, 100).threads == 2);
  CHECK(taken == 2);
  CHECK(InOrder<int>([](std::int64_t) { return 1; }, [](int) {}).run(0, 4).taken == 0);
}

TEST_CASE("the first failing item in order is the error, after all before it were taken") {
  for (const int threads : {1, 4}) {
    Numbers taken;
    const auto make = [](std::int64_t n) {
      if (n % 100 == 99) throw std::runtime_error(std::to_string(n));
      return n;
    };
    InOrder<std::int64_t> work(make, [&](std::int64_t n) { taken.push_back(n); });
    CHECK_THROWS_WITH(work.run(1000, threads), "99");
    CHECK(taken.size() == 99);
  }
}

TEST_CASE("an error in the consumer ends the work") {
  std::atomic<std::int64_t> made = 0;
  const auto make = [&](std::int64_t n) { return ++made, n; };
  const auto take = [](std::int64_t n) {
    if (n == 10) throw std::runtime_error("full");
  };
  CHECK_THROWS_WITH(InOrder<std::int64_t>(make, take).run(1'000'000, 4), "full");
  CHECK(made < 1000);  // only results computed ahead
}

TEST_CASE("nothing starts after a stop, and every started item is taken") {
  for (const int threads : {1, 4}) {
    std::atomic<std::int64_t> made = 0;
    std::int64_t taken = 0;
    const auto make = [&](std::int64_t n) { return ++made, n; };
    const auto take = [&](std::int64_t n) { CHECK(n == taken++); };
    const auto ran = InOrder<std::int64_t>(make, take, [&] { return made >= 50; }).run(1'000'000, threads);
    CHECK(ran.taken == made);
    CHECK(ran.taken < 60);
  }
}
