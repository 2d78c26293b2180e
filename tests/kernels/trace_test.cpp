#include <catch2/catch.hpp>

#include "tests/support/kernel_check.h"

TEST_CASE("flash2 moves the bytes of its program tensor by tensor") {
  sim::Scenario scenario;
  scenario.dtype = sim::Dtype::fp32;
  scenario.shape = {1, 1, 1, 70, 70, 24, {}};  // short last blocks of both
  kernel_check::traffic("flash2", scenario);
  scenario.shape = {2, 4, 2, 70, 101, 8, {.causal = true, .padding = 3, .window = 33}};
  kernel_check::traffic("flash2", scenario);
  scenario.shape = {1, 2, 1, 140, 70, 16, {.causal = true}};  // the first block sees nothing
  kernel_check::traffic("flash2", scenario);
  scenario.dtype = sim::Dtype::bf16;
  scenario.shape = {1, 1, 1, 65, 33, 8, {}};
  kernel_check::traffic("flash2", scenario);
}
