#include <catch2/catch.hpp>

#include "kernels/attention/instances.h"
#include "kernels/attention/support.h"
#include "sim/model/compiled_kernels.h"
#include "tests/support/kernel_check.h"

namespace {

/// A scenario with the given tiles, so that short sequences have several of them.
sim::Scenario tiled(std::int64_t head_dim, std::int64_t br, std::int64_t bc) {
  sim::Scenario scenario;
  scenario.shape.head_dim = head_dim;
  scenario.br = br;
  scenario.bc = bc;
  return scenario;
}

sim::Scenario with_lengths(sim::Scenario scenario, std::int64_t seqlen_q, std::int64_t seqlen_k) {
  scenario.shape.seqlen_q = seqlen_q;
  scenario.shape.seqlen_k = seqlen_k;
  return scenario;
}

std::vector<float> output_of(std::string_view kernel, const sim::Scenario& scenario) {
  const sim::Plan plan = sim::make_plan(scenario);
  emulator::EmulatedDevice device;
  return kernels::run(device, plan, kernel, kernel_check::inputs_of(plan)).outputs.o;
}

/// Rows of the table of compiled kernels: with dropout and without.
std::ptrdiff_t rows_of(std::string_view architecture) {
  const auto& kernels = sim::compiled_table().kernels;
  return std::count_if(kernels.begin(), kernels.end(), [&](auto& k) { return k.architecture == architecture; });
}
std::ptrdiff_t rows_of(std::string_view architecture, std::string_view pass, std::int64_t d, std::int64_t br,
                       std::int64_t bc, std::int64_t smem) {
  const auto& kernels = sim::compiled_table().kernels;
  return std::count_if(kernels.begin(), kernels.end(), [&](auto& k) {
    return k.architecture == architecture && k.pass == pass && k.head_dim == d && k.br == br && k.bc == bc &&
           k.smem == smem;
  });
}

}  // namespace

TEST_CASE("flash2 on tensor cores computes attention on the emulated device") {
  for (const std::int64_t n : {1, 63, 64, 65, 130}) {
    kernel_check::values("flash2_mma", with_lengths(tiled(64, 64, 64), n, n));
  }
}

TEST_CASE("flash2 on tensor cores takes every tile of its menu in both types") {
  for (const kernels::MmaTile& tile : kernels::flash2_mma_tiles) {
    for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16}) {
      sim::Scenario scenario = with_lengths(tiled(tile.head_dim, tile.br, tile.bc), tile.br + 1, tile.bc + 17);
      scenario.dtype = dtype;
      kernel_check::values("flash2_mma", scenario);
    }
  }
}

TEST_CASE("flash2 on tensor cores runs the default tiles of every device") {
  std::vector<std::string> gpus = sim::device_names();
  std::erase(gpus, "toy");  // a device for counting by hand, with 16 KiB
  CHECK(gpus.size() >= 17);
  for (const std::string& gpu : gpus) {
    if (!sim::built_in_gpu(gpu)->architecture.starts_with("sm_")) continue;
    for (const std::int64_t d : {32, 64, 96, 128, 256}) {
      sim::Scenario scenario;
      scenario.gpu = sim::built_in_gpu(gpu);
      scenario.shape.head_dim = d;
      INFO(gpu << ", d " << d);
      const sim::Plan plan = sim::make_plan(scenario);
      CHECK(kernels::mma_refusal("flash2_mma", kernels::arguments_of(plan, plan.launches.at(0))).empty());
    }
  }
}

TEST_CASE("flash2 on tensor cores takes masks, grouped heads and tails") {
  sim::Scenario scenario = tiled(64, 64, 32);
  for (const bool causal : {false, true}) {
    scenario.shape = {2, 4, 2, 70, 101, 64, {.causal = causal, .padding = 3, .window = 33}};
    kernel_check::values("flash2_mma", scenario);
    scenario.shape = {1, 2, 1, 101, 70, 64, {.causal = causal}};  // causal: the first 31 queries see nothing
    kernel_check::values("flash2_mma", scenario);
    scenario.shape = {1, 2, 2, 1, 77, 64, {.causal = causal}};  // one query
    kernel_check::values("flash2_mma", scenario);
    scenario.shape = {1, 1, 1, 200, 40, 64, {.causal = causal, .padding = 40}};  // nothing is visible
    kernel_check::values("flash2_mma", scenario);
  }
}

TEST_CASE("flash2 on tensor cores drops the same entries as the simulation") {
  for (const std::int64_t d : {32, 64, 128}) {
    sim::Scenario scenario = tiled(d, 64, 32);
    scenario.shape = {1, 2, 1, 75, 90, d, {.causal = true}};
    scenario.dropout = 0.3;
    scenario.seed = 0x123456789abcdefu;
    kernel_check::values("flash2_mma", scenario);
  }
}

TEST_CASE("flash2 on tensor cores takes scales that reverse or remove the order of scores") {
  for (const double scale : {-0.4, 0.0, 3.0}) {
    sim::Scenario scenario = with_lengths(tiled(32, 64, 32), 40, 72);
    scenario.shape.mask.causal = true;
    scenario.scale = scale;
    kernel_check::values("flash2_mma", scenario);
  }
}

TEST_CASE("flash2 on tensor cores distinguishes scores around minus half a million") {
  const sim::Scenario scenario = with_lengths(tiled(64, 64, 64), 2, 2);
  const sim::Plan plan = sim::make_plan(scenario);
  sim::AttentionInputs inputs = kernel_check::inputs_of(plan);
  std::fill(inputs.q.begin(), inputs.q.end(), 90.0f);
  std::fill(inputs.k.begin(), inputs.k.begin() + 64, -91.0f);  // S = -524,160: far below the sentinels of some kernels
  std::fill(inputs.k.begin() + 64, inputs.k.end(), -92.0f);
  emulator::EmulatedDevice device;
  const sim::AttentionOutputs outputs = kernels::run(device, plan, "flash2_mma", inputs).outputs;
  for (std::size_t c = 0; c < 128; ++c) CHECK(outputs.o[c] == Approx(inputs.v[c % 64]).epsilon(1e-3));
  CHECK(outputs.log_sum_exp[0] == Approx(-90.0 * 91 * 64 / 8));
}

TEST_CASE("flash2 on tensor cores rejects tiles, types and sizes that it was not compiled for") {
  kernels::Arguments a;
  a.element = kernels::Element::fp16;
  a.head_dim = 64, a.br = 48, a.bc = 48;
  CHECK(kernels::mma_refusal("flash2_mma", a) ==
        "flash2_mma has no tile 48 x 48 for head dim 64: it has 128 x 128, 64 x 64, 64 x 32");
  a.head_dim = 72;
  CHECK(kernels::mma_refusal("flash2_mma", a) == "flash2_mma has no head dim 72: it has 32, 64, 96, 128, 256");
  CHECK(kernels::mma_refusal("flash2_mma_split_k", a) == "flash2_mma_split_k has no head dim 72: it has 64");
  a.element = kernels::Element::fp32;
  CHECK(kernels::mma_refusal("flash2_mma", a) == "flash2_mma has no fp32: it has fp16, bf16");
  CHECK_THROWS_WITH(output_of("flash2_mma", tiled(64, 48, 48)), Catch::Contains("has no tile 48 x 48"));
  CHECK_THROWS_WITH(output_of("flash2_mma_split_k", tiled(64, 128, 128)), Catch::Contains("it has 64 x 64"));
}

TEST_CASE("every ladder step of flash2 on tensor cores computes the values of the whole kernel") {
  sim::Scenario scenario = tiled(64, 64, 64);
  scenario.shape = {1, 2, 1, 100, 150, 64, {.causal = true, .window = 70}};
  const std::vector<float> whole = output_of("flash2_mma", scenario);
  CHECK(output_of("flash2_mma_unmixed", scenario) == whole);
  CHECK(output_of("flash2_mma_unswizzled", scenario) == whole);
  CHECK(output_of("flash2_mma_single_buffered", scenario) == whole);
  kernel_check::values("flash2_mma_split_k", scenario);
  scenario.dropout = 0.25;
  CHECK_THROWS_WITH(output_of("flash2_mma_unmixed", scenario), Catch::Contains("has no dropout: flash2_mma has"));
  scenario.dtype = sim::Dtype::bf16;
  CHECK_THROWS_WITH(output_of("flash2_mma_split_k", scenario), Catch::Contains("has no bf16: flash2_mma has"));
}

TEST_CASE("the table of compiled kernels has every tile of flash2 on tensor cores, with its shared memory") {
  for (const char* architecture : {"sm_80", "sm_90"}) {
    for (const kernels::MmaTile& tile : kernels::flash2_mma_tiles) {
      INFO(architecture << " d " << tile.head_dim << ", " << tile.br << " x " << tile.bc);
      CHECK(rows_of(architecture, "forward", tile.head_dim, tile.br, tile.bc, kernels::smem_bytes_of(tile)) == 2);
    }
    std::size_t backward = 0;
    for (const std::int32_t d : {32, 64, 96, 128, 256}) {
      const auto instances = [](auto size) -> auto& { return kernels::Flash2MmaBackwardOf<size>::instances(); };
      for (const kernels::BackwardInstance& i : kernels::with_head_dim(d, instances)) {
        INFO(architecture << " d " << d << ", " << i.br << " x " << i.bc << ", " << i.smem);
        CHECK(rows_of(architecture, "backward", d, i.br, i.bc, i.smem) == 2);
        backward += 2;
      }
    }
    CHECK(rows_of(architecture) == std::ptrdiff_t(2 * kernels::flash2_mma_tiles.size() + backward));
  }
}
