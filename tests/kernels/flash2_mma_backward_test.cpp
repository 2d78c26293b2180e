#include <catch2/catch.hpp>

#include "tests/support/kernel_check.h"

namespace {

/// With 64 x 64 tiles, which are cheap on the emulated device.
sim::Scenario small_tiles(sim::Shape shape, sim::Dtype dtype = sim::Dtype::bf16) {
  sim::Scenario scenario;
  scenario.shape = shape;
  scenario.dtype = dtype;
  scenario.pass = sim::Pass::backward;
  scenario.br = scenario.bc = 64;
  return scenario;
}

sim::Scenario kernel_tiles(sim::Shape shape, sim::Dtype dtype = sim::Dtype::bf16) {
  sim::Scenario scenario = small_tiles(shape, dtype);
  scenario.br = scenario.bc = std::nullopt;
  return scenario;
}

}  // namespace

TEST_CASE("flash2 backward on tensor cores computes the gradients on the emulated device") {
  for (const std::int64_t d : {32, 64, 96, 128, 256}) {
    kernel_check::values("flash2_mma", kernel_tiles({1, 1, 1, 130, 150, d}, sim::Dtype::fp16));
    kernel_check::values("flash2_mma", small_tiles({1, 1, 1, 70, 80, d}));
  }
}

TEST_CASE("flash2 backward on tensor cores fits a GPU with less shared memory") {
  sim::Scenario scenario = kernel_tiles({1, 1, 1, 140, 130, 64, {.causal = true}});
  scenario.gpu = sim::built_in_gpu("rtx-3090");
  scenario.dropout = 0.2;
  for (const std::int64_t d : {32, 64, 96}) {
    scenario.shape.head_dim = d;
    kernel_check::values("flash2_mma", scenario);
  }
}

TEST_CASE("flash2 backward on tensor cores takes tails") {
  for (const std::int64_t n : {1, 7, 63, 64, 65, 129})
    kernel_check::values("flash2_mma", small_tiles({1, 1, 1, n, n, 64}));
}

TEST_CASE("flash2 backward on tensor cores takes masks, grouped heads and dropout") {
  sim::Scenario scenario = small_tiles({2, 4, 2, 70, 131, 32, {.causal = true, .padding = 3, .window = 33}});
  kernel_check::values("flash2_mma", scenario);
  scenario.dropout = 0.3;
  kernel_check::values("flash2_mma", scenario);
  scenario = small_tiles({1, 2, 1, 131, 70, 64, {.causal = true}}, sim::Dtype::fp16);  // the first 61 see nothing
  kernel_check::values("flash2_mma", scenario);
  scenario = small_tiles({1, 2, 1, 70, 200, 64, {.window = 10}});  // nobody sees the first keys
  kernel_check::values("flash2_mma", scenario);
  scenario = small_tiles({1, 2, 1, 70, 140, 64, {.padding = 140}});  // nobody sees anything
  kernel_check::values("flash2_mma", scenario);
  scenario = small_tiles({1, 2, 1, 70, 140, 64, {.causal = true}});
  scenario.scale = -0.2;
  scenario.pass = sim::Pass::forward_backward;
  kernel_check::values("flash2_mma", scenario);
}

TEST_CASE("flash2 backward on tensor cores says which tiles it has") {
  sim::Scenario scenario = small_tiles({1, 1, 1, 70, 80, 64});
  scenario.bc = 32;  // the forward pass before it has that
  CHECK_THROWS_WITH(kernel_check::values("flash2_mma", scenario),
                    Catch::Contains("no tile 64 x 32 for head dim 64") && Catch::Contains("64 x 64 in"));
  CHECK_THROWS_WITH(kernel_check::values("flash2_mma", small_tiles({1, 1, 1, 70, 80, 40})),
                    Catch::Contains("no head dim 40: it has 32, 64, 96, 128, 256"));
}
