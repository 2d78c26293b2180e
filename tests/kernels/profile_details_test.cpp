// The page details of Nsight Compute compared with a program: labels instead of metrics.
#include <catch2/catch.hpp>

#include "tests/support/profile_launches.h"

using profile::Launch;
using profile_launches::compared;
using profile_launches::row_of;
using profile_launches::set;
using profile_launches::simulated;
namespace path = profile::path;

TEST_CASE("the labels of the page details give time, clock, throughput and shared memory, and a cause from the clock") {
  const sim::Simulation program = simulated({{"seqlen", "1024"}});
  const double clock = 1e-6 * static_cast<double>(program.plan.scenario.gpu->clock_hz), slow = clock / 1.5,
               bytes = static_cast<double>((program.hbm.read + program.hbm.written).count());
  Launch launch{"0", "my_kernel", "9.0", 3, {}};
  set(launch, "Duration", 1.5 * program.microseconds);
  set(launch, "SM Frequency", slow * 1e6);
  set(launch, "Memory Throughput", bytes / program.microseconds * 1e6 / 1.5);
  set(launch, "Dynamic Shared Memory Per Block", static_cast<double>(program.traces[0].peak_smem.count()));
  const auto row = [&](std::string_view path) { return row_of(compared(program, {launch}).parts[0], path); };
  CHECK(*row(path::clock).measured == Approx(slow));
  CHECK(row(path::clock).simulated == Approx(clock));
  CHECK(*row(path::hbm_rate).measured == Approx(row(path::hbm_rate).simulated / 1.5));
  CHECK(*row(path::shared_memory).measured == row(path::shared_memory).simulated);
  CHECK_THAT(row(path::time).cause, Catch::StartsWith("the SMs ran at"));
  launch.readings.erase("SM Frequency");
  set(launch, "Elapsed Cycles", slow * 1.5 * program.microseconds);
  CHECK(*row(path::clock).measured == Approx(slow));
  CHECK_THAT(row(path::time).cause, Catch::StartsWith("the SMs ran at"));
}

TEST_CASE("a file without a number for any quantity compares nothing, and neither does a clock alone") {
  const sim::Simulation program = simulated({{"seqlen", "512"}});
  Launch launch{"0", "my_kernel", "9.0", 3, {}};
  CHECK(compared(program, {launch}).nothing());
  set(launch, "SM Frequency", 1e9);
  launch.readings["gpu__time_duration.sum"] = std::nullopt;
  CHECK(compared(program, {launch}).nothing());
  set(launch, "dram__bytes.sum", 1);
  CHECK(!compared(program, {launch}).nothing());
}
