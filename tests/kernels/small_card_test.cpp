// Cards with less shared memory than the GPU that a scenario was planned for, and cards and drivers that are too old.
#include <catch2/catch.hpp>

#include "kernels/dev/refusal.h"
#include "kernels/verify/choice.h"
#include "tests/support/kernel_check.h"

namespace {

constexpr std::int64_t of_rtx_4090 = 101376;  // bytes of shared memory available to a CTA: 99 KiB

/// A scenario planned for an H100, as for a card without a device table.
sim::Scenario planned(std::int64_t head_dim, sim::Pass pass = sim::Pass::forward) {
  sim::Scenario scenario;
  scenario.shape = {1, 1, 1, 130, 130, head_dim, {}};
  scenario.pass = pass;
  return scenario;
}

sim::AttentionOutputs run(const sim::Scenario& scenario, std::string_view kernel, std::int64_t smem) {
  const sim::Plan plan = sim::make_plan(scenario);
  emulator::EmulatedDevice device({.smem_bytes_per_cta = smem});
  return kernels::run(device, plan, kernel, kernel_check::inputs_of(plan)).outputs;
}

}  // namespace

TEST_CASE("the backward pass planned for an H100 fits in a card with less shared memory, with the same results") {
  for (const std::int64_t d : {32, 64, 96, 128}) {
    sim::Scenario scenario = planned(d, sim::Pass::backward);
    if (d == 128) scenario.sram = of_rtx_4090;  // otherwise 64 x 128, in 160 KiB
    CHECK(kernels::choose_kernel(sim::make_plan(scenario), {}, dev::Flavour::emulated, of_rtx_4090) == "flash2_mma");
    const sim::AttentionOutputs small = run(scenario, "flash2_mma", of_rtx_4090);
    CHECK(small.d_v == run(scenario, "flash2_mma", dev::any_smem).d_v);
  }
}

TEST_CASE("the backward pass has a kernel for the default tiles of every card from sm_80 on") {
  for (const std::string& gpu : sim::device_names()) {
    const std::string& architecture = sim::device(gpu).architecture;  // toy: 16 KiB of shared memory
    if (architecture == "sm_70" || architecture == "sm_75" || !architecture.starts_with("sm_")) continue;
    for (const std::int64_t d : {32, 64, 96, 128}) {
      sim::Scenario scenario = planned(d, sim::Pass::forward_backward);
      scenario.gpu = sim::built_in_gpu(gpu);
      INFO(gpu << ", d " << d);
      CHECK(kernels::choose_kernel(sim::make_plan(scenario), {}, dev::Flavour::emulated) == "flash2_mma");
    }
  }
}

TEST_CASE("flash2 forward has the published tiles of sm_86 and sm_89 for d from 97 to 128, and a kernel for each") {
  const auto tiles = [](const char* gpu, std::int64_t d, void (*change)(sim::Scenario&)) {
    sim::Scenario scenario = planned(d);
    scenario.gpu = sim::built_in_gpu(gpu);
    change(scenario);
    const sim::Plan plan = sim::make_plan(scenario);
    if (d % 32 == 0) CHECK(kernels::choose_kernel(plan, {}, dev::Flavour::emulated) == "flash2_mma");
    return std::pair(plan.problem.tiling.br, plan.problem.tiling.bc);
  };
  using Pair = std::pair<std::int64_t, std::int64_t>;
  const auto dense = [](sim::Scenario&) {};
  const auto causal = [](sim::Scenario& s) { s.shape.mask.causal = true; };
  const auto window = [](sim::Scenario& s) { s.shape.mask.causal = true, s.shape.mask.window = 20; };
  const auto dropout = [](sim::Scenario& s) { s.shape.mask.causal = true, s.dropout = 0.1; };
  const auto ragged = [](sim::Scenario& s) {
    s.sequences = std::make_shared<const sim::SequenceClasses>(sim::SequenceClasses{{1, 130, 130}, {2, 5, 9}});
  };
  for (const char* gpu : {"rtx-3090", "rtx-a6000", "a10", "rtx-4090", "l4", "l40s"}) {
    INFO(gpu);
    for (const std::int64_t d : {97, 128}) {
      CHECK(tiles(gpu, d, dense) == Pair{128, 32});
      CHECK(tiles(gpu, d, causal) == Pair{64, 64});
      CHECK(tiles(gpu, d, window) == Pair{128, 32});
      CHECK(tiles(gpu, d, dropout) == Pair{128, 32});
    }
    CHECK(tiles(gpu, 128, ragged) == Pair{128, 32});
    CHECK(tiles(gpu, 96, dense) == Pair{128, 64});
  }
  for (const char* gpu : {"a100-sxm-40gb", "h100-sxm", "rtx-5090"}) {
    for (const auto change : {+dense, +causal}) CHECK(tiles(gpu, 128, change) == Pair{128, 64});
  }
}

TEST_CASE("tiles that do not fit in the card are refused before anything runs") {
  const auto refused = [](const sim::Scenario& scenario, std::int64_t smem) {
    kernels::choose_kernel(sim::make_plan(scenario), "flash2_mma", dev::Flavour::emulated, smem);
  };
  CHECK_THROWS_WITH(refused(planned(64), 49151),
                    "kernel: flash2_mma takes 49152 bytes of shared memory for a tile of 128 x 128, of which a CTA may "
                    "take 49151: it has 128 x 128, 64 x 64, 64 x 32; or --kernel flash2");
  CHECK_NOTHROW(refused(planned(64), 49152));
  CHECK_THROWS_WITH(refused(planned(64, sim::Pass::backward), 99327),
                    Catch::Contains("has no tile 128 x 128 for head dim 64 that fits in 99327 bytes"));
  CHECK_NOTHROW(refused(planned(64, sim::Pass::backward), 99328));
}

TEST_CASE("a plain kernel whose tiles do not fit in the card fails at its launch with a clear error") {
  sim::Scenario scenario = planned(64);
  scenario.dtype = sim::Dtype::fp32;
  CHECK_THROWS_WITH(run(scenario, "flash2", 20000),
                    Catch::StartsWith("kernel flash2_forward takes ") &&
                        Catch::Contains(" bytes of shared memory of a CTA, of which this card has 20000: take smaller "
                                        "tiles (--br, --bc), or a --gpu like the card"));
}

TEST_CASE("cards below sm_80, and drivers older than the runtime, are named in one line") {
  CHECK(dev::card_refusal("Tesla T4", 7, 5) ==
        "device cuda: Tesla T4 is sm_75; the kernels need sm_80 or later: take --device emulated");
  CHECK(dev::card_refusal("NVIDIA A10", 8, 6).empty());
  CHECK(dev::card_refusal("NVIDIA GeForce RTX 5090", 12, 0).empty());
  CHECK(dev::driver_refusal(12040, 13000) ==
        "device cuda: the driver is for CUDA 12.4, this build for CUDA 13.0: update the driver, or take --device "
        "emulated");
  CHECK(dev::driver_refusal(0, 13000) == "device cuda: no NVIDIA driver here: install one, or take --device emulated");
  CHECK(dev::driver_refusal(13000, 13000).empty());
  CHECK(dev::driver_refusal(13000, 13020).empty());  // minor versions are compatible in both directions
}
