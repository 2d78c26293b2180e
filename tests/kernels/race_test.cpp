// Kernels with seeded bugs: each bug is found, and correct versions are not accused.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/kernels/test_kernels.h"
#include "tests/support/kernel_check.h"

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using test_kernels::failure;
using test_kernels::outcome;

namespace {

using Races = std::vector<std::string>;

emulator::Options in_random_order(std::uint64_t seed) {
  return {.workers = 1, .traced = true, .order = {.random = true, .seed = seed}};
}

}  // namespace

TEST_CASE("correct kernels have no race in any of 20 random orders, and the same values") {
  for (const char* name : {"stage", "exchange", "pairs", "bytes"}) {
    const auto expected = outcome(name, 512, 512, 4);
    CHECK(expected.report.races == Races{});
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      INFO(name << ", seed " << seed);
      const auto run = outcome(name, 512, 512, 4, in_random_order(seed));
      CHECK(run.report.races == Races{});
      CHECK(run.out == expected.out);
      CHECK(run.report.wavefronts == expected.report.wavefronts);
    }
  }
}

TEST_CASE("flash2 has no race in any of 20 random orders, and the same values") {
  sim::Scenario scenario;
  scenario.dtype = sim::Dtype::fp32;
  scenario.shape = {1, 1, 1, 17, 19, 8, {.causal = true}};
  const sim::Plan plan = sim::make_plan(scenario);
  const sim::AttentionInputs inputs = kernel_check::inputs_of(plan);
  emulator::EmulatedDevice in_order({.workers = 1});
  const auto expected = kernels::run(in_order, plan, "flash2", inputs).outputs;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    emulator::EmulatedDevice device(in_random_order(seed));
    const kernels::KernelRun run = kernels::run(device, plan, "flash2", inputs);
    CHECK(run.reports.at(0).races == Races{});
    CHECK(run.outputs.o == expected.o);
    CHECK(run.outputs.log_sum_exp == expected.log_sum_exp);
  }
}

TEST_CASE("without cp_async_wait the output is NaN, in both flavours, and the race check reports why") {
  for (const bool traced : {false, true}) {
    const auto run = outcome("stage without a wait", 512, 512, 0, {.workers = 1, .traced = traced});
    CHECK(std::isnan(run.out[0]));
    CHECK(run.report.races.empty() != traced);  // one race for each load that the compiler made of the loop
    if (traced)
      CHECK(run.report.races.at(0) ==
            "race in block 0: thread 127 reads byte 0 of shared memory while a copy of thread 0 is under way to it");
  }
}

TEST_CASE("without __syncthreads the race check names both threads and the byte") {
  const auto first = outcome("exchange without a barrier", 128, 128, 1).report.races;
  REQUIRE(first.size() >= 1);
  CHECK(first[0] ==
        "race in block 0: thread 1 writes byte 4 of shared memory, which thread 0 read, with no barrier between");
  const auto second = outcome("exchange without a second barrier", 512, 128, 4).report.races;
  REQUIRE(second.size() >= 1);
  CHECK_THAT(second[0], Contains("with no barrier between"));
  CHECK(!outcome("stage without a barrier", 512, 512).report.races.empty());
}

TEST_CASE("without __syncwarp the values are right and only the race check finds it") {
  const auto right = outcome("pairs", 128, 128), wrong = outcome("pairs without __syncwarp", 128, 128);
  CHECK(wrong.out == right.out);
  CHECK(right.report.races == Races{});
  REQUIRE(wrong.report.races.size() == 1);
  CHECK(wrong.report.races[0] ==
        "race in block 0: thread 31 reads byte 120 of shared memory, which thread 30 wrote, with no barrier between");
}

TEST_CASE("a __syncwarp of some lanes orders these lanes and no others") {
  CHECK(outcome("pairs in quarters", 128, 128, 7).report.races == Races{});
  CHECK(outcome("pairs in quarters", 128, 128, 8).report.races.size() >= 1);
  CHECK(outcome("pairs in quarters", 128, 128, 32).report.races.size() >= 1);  // another warp
}

TEST_CASE("races are found in random orders too, the same ones from the same seed") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto races = [&] {
      return outcome("exchange without a barrier", 512, 128, 4, in_random_order(seed)).report.races;
    };
    CHECK(!races().empty());
    CHECK(races() == races());
  }
}

TEST_CASE("an access past a tensor's end is reported with kernel, block and thread") {
  CHECK(failure("read at", 64, 128) ==
        "kernel seeded, block 0, thread 64: OUT OF BOUNDS read of 4 bytes, 0 bytes past the end of in");
  CHECK_THAT(failure("read at", 128, 128, 5),
             EndsWith("thread 123: OUT OF BOUNDS read of 4 bytes, 0 bytes past the end of in"));
  CHECK_THAT(failure("read at", 128, 128, -1),
             EndsWith("OUT OF BOUNDS read of 4 bytes, 4 bytes before the beginning of in"));
  CHECK_THAT(failure("write at", 1, 128, 130), EndsWith("OUT OF BOUNDS write of 4 bytes, 8 bytes past the end of out"));
  CHECK_THAT(failure("add at", 1, 128, 128), EndsWith("OUT OF BOUNDS atomic of 4 bytes, 0 bytes past the end of out"));
  CHECK_THAT(failure("chunk at", 6, 128, 4), EndsWith("OUT OF BOUNDS read of 16 bytes, 0 bytes past the end of in"));
  CHECK_THAT(failure("copy from", 6, 128, 4), EndsWith("OUT OF BOUNDS read of 16 bytes, 0 bytes past the end of in"));
}

TEST_CASE("shared memory ends at the size of the launch") {
  CHECK_THAT(failure("shared at", 1, 128, 512),
             EndsWith("OUT OF BOUNDS read of 4 bytes, 0 bytes past the end of shared memory (2048 bytes)"));
  CHECK_THAT(failure("shared at", 1, 128, -2), EndsWith("8 bytes before the beginning of shared memory (2048 bytes)"));
  CHECK_THAT(failure("copy to", 4, 1, 512),
             EndsWith("OUT OF BOUNDS write of 16 bytes, 0 bytes past the end of shared memory (2048 bytes)"));
  CHECK_THAT(failure("matrix at", 1, 128, 516), Contains("16 bytes past the end of shared memory"));
}

TEST_CASE("a misaligned access of several bytes fails") {
  CHECK_THAT(failure("chunk at", 128, 128, 2), EndsWith("MISALIGNED read of 16 bytes, at byte 8 of in"));
  CHECK_THAT(failure("copy from", 128, 128, 2), Contains("cp.async: the source is not 16-byte aligned"));
  CHECK_THAT(failure("copy to", 128, 128, 1),
             Contains("cp.async: the destination in shared memory is not 16-byte aligned"));
  CHECK_THAT(failure("matrix at", 128, 128, 2), Contains("is not 16-byte aligned"));
}

TEST_CASE("released tensors, null and host pointers are not device memory") {
  emulator::EmulatedDevice device({.workers = 1, .traced = true});
  const test_kernels::OnDevice out(device, "out", 128);
  const auto reading = [&](float* in) {
    try {
      test_kernels::run(device, "read at", in, out.memory());
    } catch (const dev::DeviceError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  float* gone = test_kernels::OnDevice(device, "K", 128).memory();
  CHECK_THAT(reading(gone), EndsWith("OUT OF BOUNDS read of 4 bytes, in K, which has been released"));
  CHECK_THAT(reading(nullptr), EndsWith("at address 0, which is neither in shared memory nor in a tensor"));
  std::vector<float> of_host(1 << 20);  // whose middle is far from shared memory, which the heap may place next to it
  CHECK_THAT(reading(of_host.data() + of_host.size() / 2),
             EndsWith("which is neither in shared memory nor in a tensor"));
}
