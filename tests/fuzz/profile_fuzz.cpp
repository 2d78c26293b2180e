// parse_profile: any text is an Error, or a profile of finite numbers that can be compared with a program.
#include <cmath>
#include <cstdint>

#include "kernels/profile/comparison.h"
#include "tests/fuzz/invariant.h"

namespace {

const sim::Simulation& program() {
  static const sim::Simulation simulated = sim::simulate(sim::Scenario{});
  return simulated;
}

const sim::Simulation& several_kernels() {
  static const sim::Simulation simulated = [] {
    sim::Scenario scenario;
    scenario.algorithm = "standard";
    return sim::simulate(scenario);
  }();
  return simulated;
}

void check_launch(const profile::Launch& launch) {
  fuzz::check(!launch.id.empty() && launch.line > 1, "a launch has an ID and stands below a header");
  for (const auto& [metric, reading] : launch.readings) {
    fuzz::check(profile::unit_of(metric).has_value(), "only known metrics are read");
    if (!reading) continue;
    fuzz::check(reading->value >= 0 && reading->value < 0x1p62, "a reading is below 2^62 and not negative");
    fuzz::check(reading->rounding >= 0 && std::isfinite(reading->rounding), "a rounding is finite");
  }
}

void check_comparison(const profile::Comparison& comparison, std::size_t launches) {
  fuzz::check(comparison.outside() <= comparison.rows(), "only what was measured differs");
  fuzz::check(comparison.left_out.size() + comparison.repetitions() * comparison.parts.back().launches() == launches,
              "each launch is in a pass or left out");
  for (const profile::KernelComparison& part : comparison.parts) {
    for (const profile::Row& row : part.rows) {
      fuzz::check(std::isfinite(row.difference()), "a difference is finite");
      fuzz::check(row.measured.has_value() != row.metric.empty(), "what is measured names its metric");
      if (row.measured)
        fuzz::check(row.low <= *row.measured && *row.measured <= row.high, "a median lies between least and most");
      if (!row.cause.empty()) fuzz::check_message(row.cause);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(input), size);
    const profile::Profile read = profile::parse_profile(text, "fuzz.csv");
    fuzz::check(!read.launches.empty(), "a profile has launches");
    for (const profile::Launch& launch : read.launches) check_launch(launch);
    for (const sim::Simulation* each : {&program(), &several_kernels()})
      check_comparison(profile::compare(*each, profile::choose_launches(read, {})), read.launches.size());
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}
