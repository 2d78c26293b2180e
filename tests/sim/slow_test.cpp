// Long versions of the random tests, labelled slow: `./flashscope test --slow`.
#include <catch2/catch.hpp>

#include "sim/base/embedded.h"
#include "sim/base/npy.h"
#include "sim/machine/device_spec.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"

using namespace sim;

TEST_CASE("a hundred thousand random scenarios count what their closed forms give", "[slow]") {
  Dice dice(100);
  for (int i = 0; i < 100'000; ++i) {
    const Plan plan = make_plan(random_scenario(dice, {400, 40, 64, 4, 4}));
    INFO("scenario " << i);
    REQUIRE(counted(plan) == closed_form(plan));
  }
}

TEST_CASE("five thousand random scenarios count what a walk over every tile counts", "[slow]") {
  Dice dice(101);
  for (int i = 0; i < 5000; ++i) {
    const Plan plan = make_plan(random_scenario(dice, {60, 8, 12, 2, 2}));
    Totals counted;
    for (const Trace& trace : count(plan)) add_to(counted, trace);
    INFO("scenario " << i);
    REQUIRE(counted == count_by_brute_force(plan));
  }
}

namespace {

/// Calls parse with a million mutations of a valid file; throwing anything but Error is a failure.
template <class Bytes, class Parse>
void mutate(const Bytes& valid, std::uint64_t seed, int rounds, Parse parse) {
  Dice dice(seed);
  int accepted = 0, refused = 0;
  for (int i = 0; i < rounds; ++i) {
    Bytes bytes = valid;
    for (std::int64_t n = dice.between(1, 4); n > 0; --n) {
      const std::size_t at = static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(bytes.size()) - 1));
      bytes[at] = static_cast<typename Bytes::value_type>(dice.between(0, 255));
    }
    if (dice.one_in(4))
      bytes.resize(static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(valid.size()))));
    if (bytes.empty()) continue;
    try {
      parse(bytes);
      ++accepted;
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(accepted > 0);
  CHECK(refused > 0);
}

}  // namespace

TEST_CASE("a million mutated npy files are read or refused with an Error", "[slow]") {
  const std::vector<std::int64_t> shape = {2, 3, 4};
  const std::vector<float> values(24, 1.0f);
  mutate(format_npy(shape, values, "f4"), 102, 1'000'000, [](const auto& bytes) { parse_npy(bytes, "mutant.npy"); });
}

TEST_CASE("thirty thousand mutated device files are read or refused with an Error", "[slow]") {
  mutate(std::string(embedded_text("machine/devices/toy.toml")), 103, 30'000,
         [](const auto& text) { parse_device(text, "mutant.toml"); });
}
