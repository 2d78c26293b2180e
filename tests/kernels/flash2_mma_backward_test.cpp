#include <catch2/catch.hpp>

#include "tests/support/kernel_check.h"

namespace {

sim::Scenario backward_of(sim::Shape shape, sim::Dtype dtype = sim::Dtype::bf16) {
  sim::Scenario scenario;
  scenario.shape = shape;
  scenario.dtype = dtype;
  scenario.pass = sim::Pass::backward;
  return scenario;
}

}  // namespace

TEST_CASE("flash2 backward on tensor cores computes the gradients on the emulated device") {
  for (const std::int64_t d : {32, 64, 96, 128, 256}) {
    for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16}) {
      kernel_check::values("flash2_mma", backward_of({1, 1, 1, 128, 128, d}, dtype));
    }
  }
}
