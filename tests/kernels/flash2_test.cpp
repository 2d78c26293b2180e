#include <catch2/catch.hpp>

#include "tests/support/kernel_check.h"

TEST_CASE("flash2 in fp32 computes attention on the emulated device") {
  sim::Scenario scenario;
  scenario.dtype = sim::Dtype::fp32;
  for (const std::int64_t n : {1, 63, 64, 65, 130}) {
    scenario.shape.seqlen_q = n;
    scenario.shape.seqlen_k = n;
    kernel_check::values("flash2", scenario);
  }
}

TEST_CASE("flash2 in fp32 takes masks, grouped heads and tails") {
  sim::Scenario scenario;
  scenario.dtype = sim::Dtype::fp32;
  scenario.shape = {2, 4, 2, 70, 101, 40, {.causal = true, .padding = 3, .window = 33}};
  kernel_check::values("flash2", scenario);
  scenario.shape = {1, 2, 1, 101, 70, 64, {.causal = true}};  // the first 31 queries see nothing
  kernel_check::values("flash2", scenario);
}
