#include <catch2/catch.hpp>

#include "kernels/verify/verdict.h"
#include "tests/support/kernel_check.h"

namespace {

/// A scenario with 64 x 64 tiles, which are cheap on the emulated device.
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

std::vector<dev::LaunchReport> reports_of(const sim::Scenario& scenario, emulator::Order order = {}) {
  const sim::Plan plan = sim::make_plan(scenario);
  emulator::EmulatedDevice device({.traced = true, .order = order});
  return kernels::run(device, plan, "flash2_mma", kernel_check::inputs_of(plan)).reports;
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
  scenario = small_tiles({1, 2, 1, 70, 200, 64, {.window = 10}});  // the first keys are not visible
  kernel_check::values("flash2_mma", scenario);
  scenario = small_tiles({1, 2, 1, 70, 140, 64, {.padding = 140}});  // nothing is visible
  kernel_check::values("flash2_mma", scenario);
  scenario = small_tiles({1, 2, 1, 70, 140, 64, {.causal = true}});
  scenario.scale = -0.2;
  scenario.pass = sim::Pass::forward_backward;
  kernel_check::values("flash2_mma", scenario);
}

TEST_CASE("flash2 backward on tensor cores moves the bytes that its program counts") {
  sim::Scenario scenario = small_tiles({2, 4, 2, 70, 131, 64, {.causal = true, .padding = 3, .window = 33}});
  scenario.dropout = 0.3;
  kernel_check::traffic("flash2_mma", scenario);
  kernel_check::traffic("flash2_mma", small_tiles({1, 2, 1, 131, 70, 96, {.causal = true}}));
  kernel_check::traffic("flash2_mma", kernel_tiles({1, 1, 1, 129, 130, 32}));
  kernel_check::traffic("flash2_mma", kernel_tiles({1, 1, 1, 70, 65, 256}));
}

TEST_CASE("flash2 backward on tensor cores has no bank conflicts") {
  for (const std::int64_t d : {32, 64, 96, 128, 256}) {
    for (const auto& tiles : {small_tiles, kernel_tiles}) {
      for (const dev::LaunchReport& report : reports_of(tiles({1, 1, 1, 65, 30, d}, sim::Dtype::bf16))) {
        INFO(report.kernel << " d " << d);
        CHECK(report.wavefronts <= report.ideal_wavefronts + kernels::passes_apart(report.ideal_wavefronts));
      }
    }
  }
}

TEST_CASE("flash2 backward on tensor cores touches each sector once per visit, as the machine code does") {
  const sim::Scenario scenario = small_tiles({1, 1, 1, 128, 128, 32});  // 64 x 64: two visits of each block
  std::map<std::string, dev::Traffic> all;
  for (const dev::LaunchReport& report : reports_of(scenario)) {
    for (const auto& [tensor, traffic] : report.tensors) all[tensor] += traffic;
  }
  CHECK(all["O"].read_sectors == 256);            // 128 rows of 64 bytes
  CHECK(all["dO"].read_sectors == 3 * 256);       // read once more in each of two visits
  CHECK(all["dQ_acc"].write_sectors == 3 * 512);  // cleared, and added to twice
  CHECK(all["dQ_acc"].read_sectors == 3 * 512);
}

TEST_CASE("flash2 backward on tensor cores has no race in any order of threads", "[repeats]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const bool compact = seed % 10 == 0;  // one buffer for P and dS, one stage for Q and dO
    sim::Scenario scenario = small_tiles({1, 1, 1, 65, 30, compact ? 128 : 32});
    if (compact) scenario.gpu = sim::built_in_gpu("rtx-3090");
    for (const dev::LaunchReport& report : reports_of(scenario, {.random = true, .seed = seed}))
      CHECK(report.races == std::vector<std::string>{});
  }
}

TEST_CASE("flash2 backward on tensor cores lists its tiles") {
  const kernels::MatchingKernel* matching =
      kernels::find_kernel(dev::Flavour::emulated, "flash2_mma", "flash2_backward");
  kernels::Arguments a;
  a.element = kernels::Element::bf16;
  a.head_dim = 64, a.br = 32, a.bc = 64, a.smem = 101376;
  CHECK_THROWS_WITH(
      matching->run({}, a),
      "flash2_mma backward has no tile 32 x 64 for head dim 64 that fits in 101376 "
      "bytes of shared memory: it has 128 x 128 in 164864 bytes, 128 x 128 in 99328 bytes, 64 x 64 in 66048 bytes");
  a.head_dim = 40;
  CHECK_THROWS_WITH(matching->run({}, a), "flash2_mma backward has no head dim 40: it has 32, 64, 96, 128, 256");
  a.element = kernels::Element::fp32;
  CHECK_THROWS_WITH(matching->run({}, a), "flash2_mma backward has no fp32: it has fp16, bf16");
}
