// The Hopper kernel of flash3 on the emulated device: values, bytes, races and refusals. No GPU has run it.
#include <catch2/catch.hpp>

#include "kernels/attention/flash3_menu.h"
#include "kernels/verify/choice.h"
#include "kernels/verify/tensors.h"
#include "tests/kernels/test_kernels.h"
#include "tests/support/kernel_check.h"

namespace {

sim::Scenario hopper_scenario(std::int64_t d, std::int64_t bc, std::int64_t n, bool causal = false) {
  sim::Scenario scenario;
  scenario.algorithm = "flash3";
  scenario.gpu = sim::built_in_gpu("h100-sxm");
  scenario.shape = {1, 1, 1, n, n, d, {.causal = causal}};
  scenario.bc = bc;
  return scenario;
}

std::string refusal_of(const sim::Scenario& scenario) {
  try {
    kernels::choose_kernel(sim::make_plan(scenario), "flash3_wgmma", dev::Flavour::emulated, dev::any_smem);
  } catch (const sim::Error& error) {
    return error.what();
  }
  return "";
}

kernels::KernelRun traced_run(const sim::Plan& plan, emulator::Options options) {
  options.traced = true;
  emulator::EmulatedDevice device(options);
  return kernels::run(device, plan, "flash3_wgmma", kernel_check::inputs_of(plan));
}

/// What a version with one word changed gives: the error that ends it, else its races and its O.
struct Flash3Fault {
  std::string error;
  std::vector<std::string> races;
  std::vector<float> o;
};
Flash3Fault with_fault(std::string_view fault) {
  const sim::Plan plan = sim::make_plan(hopper_scenario(64, 128, 400));
  const sim::AttentionInputs inputs = kernel_check::inputs_of(plan);
  emulator::EmulatedDevice device({.workers = 1, .traced = true});
  kernels::Tensors tensors(device, plan);
  for (const sim::Tensor tensor : {sim::Tensor::Q, sim::Tensor::K, sim::Tensor::V, sim::Tensor::O, sim::Tensor::L})
    tensors.allocate(tensor);
  tensors.upload(sim::Tensor::Q, inputs.q);
  tensors.upload(sim::Tensor::K, inputs.k);
  tensors.upload(sim::Tensor::V, inputs.v);
  kernels::Arguments a = kernels::arguments_of(plan, plan.launches.at(0));
  tensors.point(a);
  try {
    test_kernels::faulty_kernel(fault).run(device.stream(), a);
  } catch (const dev::DeviceError& error) {
    return {error.what(), {}, {}};
  }
  return {"", device.take_reports().at(0).races, tensors.download(sim::Tensor::O)};
}

bool has_nan(const std::vector<float>& values) {
  return std::any_of(values.begin(), values.end(), [](float value) { return std::isnan(value); });
}

}  // namespace

TEST_CASE("flash3 on wgmma computes attention for one key, tails and several tiles") {
  for (const std::int64_t n : {1, 64, 127, 192, 193, 400})
    kernel_check::values("flash3_wgmma", hopper_scenario(64, 128, n));
  for (const std::int64_t n : {1, 128, 300}) kernel_check::values("flash3_wgmma", hopper_scenario(128, 176, n));
}

TEST_CASE("flash3 on wgmma takes each of its tiles in both types, dense and causal") {
  for (const kernels::MmaTile& tile : kernels::flash3_wgmma_tiles) {
    for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16}) {
      for (const bool causal : {false, true}) {
        sim::Scenario scenario = hopper_scenario(tile.head_dim, tile.bc, tile.br + tile.bc + 17, causal);
        scenario.dtype = dtype;
        kernel_check::values("flash3_wgmma", scenario);
      }
    }
  }
}

TEST_CASE("flash3 on wgmma takes batches, grouped heads, fewer queries than keys, and rows that see nothing") {
  sim::Scenario scenario = hopper_scenario(64, 128, 1);
  scenario.shape = {2, 4, 2, 70, 290, 64, {.causal = true}};
  kernel_check::values("flash3_wgmma", scenario);
  scenario.shape = {1, 1, 1, 300, 40, 64, {.causal = true}};
  kernel_check::values("flash3_wgmma", scenario);
}

TEST_CASE("flash3 on wgmma moves the bytes of its program, without a race") {
  for (const bool causal : {false, true}) {
    for (const sim::Scenario& scenario : {hopper_scenario(64, 128, 400, causal), hopper_scenario(128, 176, 400, causal),
                                          hopper_scenario(128, 128, 300, causal)}) {
      kernel_check::traffic("flash3_wgmma", scenario);
    }
  }
}

TEST_CASE("flash3 on wgmma has the same values and bytes, and no race, in 20 random orders with late copies") {
  const sim::Plan plan = sim::make_plan(hopper_scenario(64, 128, 300, true));
  const kernels::KernelRun expected = traced_run(plan, {.workers = 1});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    const kernels::KernelRun run = traced_run(plan, {.workers = 1, .order = {.random = true, .seed = seed}});
    CHECK(run.reports.at(0).races == std::vector<std::string>{});
    CHECK(run.outputs.o == expected.outputs.o);
    CHECK(run.outputs.log_sum_exp == expected.outputs.log_sum_exp);
    CHECK(run.reports.at(0).tensors.at("K").read_bytes == expected.reports.at(0).tensors.at("K").read_bytes);
    CHECK(run.reports.at(0).wavefronts == expected.reports.at(0).wavefronts);
  }
}

TEST_CASE("flash3 on wgmma refuses head dims and tiles that it has not, by name") {
  CHECK(refusal_of(hopper_scenario(64, 128, 400)).empty());
  CHECK_THAT(refusal_of(hopper_scenario(64, 192, 400)),
             Catch::Equals("kernel: flash3_wgmma has no tile 192 x 192 for head dim 64: it has 192 x 128"));
  CHECK_THAT(refusal_of(hopper_scenario(96, 128, 400)),
             Catch::Equals("kernel: flash3_wgmma has no head dim 96: it has 64, 128"));
  sim::Scenario other = hopper_scenario(64, 128, 400);
  other.own["schedule"] = 3;
  CHECK(refusal_of(other) == "schedule: flash3_wgmma overlaps softmax with products: leave it out");
  other.own = {{"stages", 3}};
  CHECK(refusal_of(other) == "stages: flash3_wgmma has 2: leave it out");
  other = hopper_scenario(64, 128, 400);
  other.dtype = sim::Dtype::e4m3;
  CHECK(refusal_of(other) == "dtype: flash3_wgmma has fp16 and bf16, not e4m3");
}

TEST_CASE("each seeded fault of flash3 on wgmma is found") {
  CHECK_THAT(with_fault("no fence.proxy.async").error, Catch::Contains("cp.async.bulk.tensor to HBM reads bytes ") &&
                                                           Catch::EndsWith("wrote without fence.proxy.async since"));
  CHECK_THAT(with_fault("no wgmma.fence").error,
             Catch::Contains("first touch of accumulators or A without wgmma.fence"));
  CHECK_THAT(with_fault("wrong parity").error,
             Catch::Contains("deadlock") && Catch::Contains("384 wait in mbarrier.try_wait for parity 1"));
  CHECK_THAT(with_fault("nothing expected").error, Catch::EndsWith("a bulk copy to its shared memory is under way"));
  CHECK_THAT(with_fault("released before the products").error,
             Catch::EndsWith("changed its registers of A before wgmma.wait_group"));
  CHECK_THAT(with_fault("V released early").races.at(0), Catch::StartsWith("race in block 0: thread 0 writes byte "));
  CHECK(has_nan(with_fault("stride off by 16").o));
}
