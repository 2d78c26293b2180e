#include "tests/support/teaching_cases.h"

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

TEST_CASE("flash2 computes attention and its gradients on every length") { teaching_cases::lengths("flash2"); }

TEST_CASE("flash2 computes attention and its gradients in every dtype, with dropout") {
  teaching_cases::dtypes("flash2");
}

TEST_CASE("flash2 takes head dimensions from 8 to 256") { teaching_cases::head_dimensions("flash2"); }

TEST_CASE("flash2 takes every mask, grouped heads, cross lengths and dropout") { teaching_cases::masks("flash2"); }

TEST_CASE("flash2 takes tiles of any size") { teaching_cases::tiles("flash2"); }
