// Parts of `bench`, on the emulated device: timed kernels are right, buffers rotate, samples find errors.
#include "kernels/bench/bench.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kernels/bench/ceilings.h"
#include "kernels/dev/gpu_name.h"
#include "kernels/dev/python_packages.h"
#include "kernels/emulator/device.h"
#include "kernels/verify/choice.h"
#include "sim/catalogue/options.h"

using Catch::Contains;

namespace {

sim::Plan plan_of(const sim::OptionValues& options) {
  return sim::make_plan(sim::scenario_from(options, [](const std::string& name) { return sim::built_in_gpu(name); }));
}

/// A scenario whose kernels ran once, on one set of buffers.
struct Ran {
  explicit Ran(const sim::OptionValues& options)
      : plan(plan_of(options)),
        kernel(kernels::choose_kernel(plan, std::nullopt, device.flavour())),
        inputs(plan.problem.dtype, plan.scenario.seed),
        buffers(device, plan, kernel, inputs) {
    buffers.run(0);
  }
  bench::Samples samples() { return bench::sample(buffers, 0, inputs); }

  emulator::EmulatedDevice device;
  sim::Plan plan;
  std::string kernel;
  bench::DrawnInputs inputs;
  bench::Buffers buffers;
};

const bench::SampledTensor& of(const bench::Samples& samples, sim::Tensor tensor) {
  for (const bench::SampledTensor& each : samples.tensors) {
    if (each.tensor == tensor) return each;
  }
  throw sim::Error("no such tensor");
}

/// Changes elements of a result in device memory.
void change(const Ran& ran, sim::Tensor tensor, const std::function<void(std::vector<float>&)>& how) {
  std::vector<float> values = ran.buffers.set(0).download(tensor);
  how(values);
  const_cast<kernels::Tensors&>(ran.buffers.set(0)).upload(tensor, values);
}

}  // namespace

TEST_CASE("a series is summarised by its median and quartiles") {
  const bench::Series s = bench::series_of({5, 1, 4, 2, 3});
  CHECK(s.median == 3);
  CHECK(s.low == 2);
  CHECK(s.high == 4);
  CHECK(s.runs == 5);
  CHECK(bench::median_of({1, 2}) == 1.5);
  CHECK(bench::series_of({7}).low == 7);
  CHECK_THROWS_WITH(bench::series_of({}), "bench: nothing was measured");
}

TEST_CASE("inputs of a scenario are those that verify draws") {
  const sim::Plan plan = plan_of({{"heads", "3"}, {"seqlen", "33"}, {"dtype", "bf16"}, {"seed", "5"}});
  const sim::AttentionInputs drawn = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, 5);
  bench::DrawnInputs inputs(plan.problem.dtype, 5);
  const auto size = static_cast<std::int64_t>(drawn.q.size());
  CHECK(inputs.floats(sim::Tensor::Q, {0, 40}) == std::vector<float>(drawn.q.begin(), drawn.q.begin() + 40));
  CHECK(inputs.floats(sim::Tensor::K, {0, size}) == drawn.k);
  CHECK(inputs.floats(sim::Tensor::V, {10, size}) == std::vector<float>(drawn.v.begin() + 10, drawn.v.end()));
  CHECK(inputs.floats(sim::Tensor::dO, {0, size}) ==
        sim::draw_output_gradient(plan.problem.shape, plan.problem.dtype, 5));
  CHECK_THROWS_WITH(inputs.bytes(sim::Tensor::S, 1), "bench: S is not an input");
}

TEST_CASE("samples of every kernel agree with attention in double") {
  const sim::OptionValues options = GENERATE(
      sim::OptionValues{{"algorithm", "standard"}, {"pass", "forward+backward"}},
      sim::OptionValues{{"algorithm", "flash1"}, {"pass", "forward+backward"}, {"causal", "1"}},
      sim::OptionValues{{"algorithm", "flash2"}, {"pass", "forward+backward"}, {"dtype", "fp32"}, {"padding", "3"}},
      sim::OptionValues{{"algorithm", "flash2"}, {"pass", "backward"}, {"causal", "1"}, {"kv-heads", "1"}},
      sim::OptionValues{{"algorithm", "flash2"}, {"pass", "backward"}, {"causal", "1"}, {"window", "9"}},
      sim::OptionValues{{"algorithm", "flash2"}, {"causal", "1"}, {"padding", "40"}, {"window", "20"}},
      sim::OptionValues{{"algorithm", "flash2"}, {"causal", "1"}, {"seqlen-q", "70"}, {"seqlen-k", "41"}},
      sim::OptionValues{{"algorithm", "flash-decoding"}, {"seqlen-q", "3"}, {"seqlen-k", "700"}, {"splits", "3"}},
      sim::OptionValues{{"algorithm", "flash2-block-sparse"}, {"pattern", "butterfly"}, {"seqlen", "500"}},
      sim::OptionValues{{"algorithm", "flash2-block-sparse"},
                        {"pattern", "strided:2"},
                        {"pass", "forward+backward"},
                        {"causal", "1"},
                        {"kv-heads", "1"},
                        {"seqlen-q", "333"},
                        {"seqlen-k", "401"}});
  sim::OptionValues all = options;
  all.insert({{"heads", "2"}, {"batch", "2"}, {"head-dim", "32"}});
  if (all.count("seqlen-q") == 0) all.insert({"seqlen", "70"});
  Ran ran(all);
  const bench::Samples samples = ran.samples();
  CHECK(samples.ok());
  const bool keys = ran.plan.has_backward() && ran.kernel != "standard" && ran.kernel != "flash1";
  for (const bench::SampledTensor& t : samples.tensors) {
    INFO(sim::name_of(t.tensor) << " of " << ran.kernel);
    CHECK(t.unwritten == 0);
    const bool of_keys = t.tensor == sim::Tensor::dK || t.tensor == sim::Tensor::dV;
    CHECK((t.samples > 0) == (!of_keys || keys));
    CHECK(t.allowed < 0.1);
  }
  CHECK(samples.tensors.size() == (ran.plan.has_forward() ? 1u : 0u) + (ran.plan.has_backward() ? 3u : 0u));
}

TEST_CASE("samples of a ragged batch are of its first, a middle and its last entry, whatever their lengths") {
  const sim::OptionValues options = GENERATE(
      sim::OptionValues{{"seqlens", "1 70 41, 2 5 90, 1 33 33"}, {"pass", "forward+backward"}},
      sim::OptionValues{{"seqlens", "3 40 50, 1 1 20"}, {"pass", "backward"}, {"causal", "1"}, {"kv-heads", "2"}},
      sim::OptionValues{
          {"seqlens", "1 20 60, 1 64 64"}, {"dtype", "fp32"}, {"pass", "backward"}, {"issue", "longest"}});
  sim::OptionValues all = options;
  all.insert({{"heads", "4"}, {"head-dim", "32"}});
  Ran ran(all);
  CHECK(ran.samples().ok());
  for (const bench::SampledTensor& t : ran.samples().tensors) CHECK(t.samples > 0);
  using enum sim::Tensor;
  for (const sim::Tensor tensor : {O, dQ, dK, dV}) {
    if (tensor == O && !ran.plan.has_forward()) continue;
    const std::vector<float> before = ran.buffers.set(0).download(tensor);
    for (const std::size_t at : {std::size_t{0}, before.size() - 1}) {
      change(ran, tensor, [&](std::vector<float>& values) { values[at] += 0.25F; });
      CHECK_FALSE(of(ran.samples(), tensor).ok());
      change(ran, tensor, [&](std::vector<float>& values) { values = before; });
    }
  }
  CHECK(ran.buffers.grow(2 * ran.buffers.bytes_of_set()));
  ran.buffers.run(1);  // the table of its entries is there as well
  CHECK(bench::sample(ran.buffers, 1, ran.inputs).ok());
}

TEST_CASE("samples find a wrong row, a wrong key and what was never written") {
  Ran ran({{"seqlen", "70"}, {"head-dim", "32"}, {"pass", "forward+backward"}, {"causal", "1"}});
  REQUIRE(ran.samples().ok());
  using enum sim::Tensor;
  for (const sim::Tensor tensor : {O, dQ, dK, dV}) {
    const std::vector<float> before = ran.buffers.set(0).download(tensor);
    change(ran, tensor, [](std::vector<float>& values) { values.back() += 0.25F; });
    const bench::Samples samples = ran.samples();
    CHECK_FALSE(samples.ok());
    CHECK(of(samples, tensor).error > 0.2);
    CHECK_FALSE(of(samples, tensor).ok());
    change(ran, tensor, [&](std::vector<float>& values) { values = before; });
    CHECK(ran.samples().ok());
  }
  kernels::Tensors& set = const_cast<kernels::Tensors&>(ran.buffers.set(0));
  std::vector<unsigned char> bytes = set.download_bytes(O);
  bytes[20] = bytes[21] = 0xff;
  set.upload_bytes(O, bytes);
  CHECK(of(ran.samples(), O).unwritten == 1);
  CHECK_FALSE(ran.samples().ok());
}

TEST_CASE("samples report what they leave out") {
  CHECK(Ran({{"seqlen", "40"}, {"head-dim", "32"}, {"dropout", "0.1"}}).samples().left_out ==
        "values are not compared under dropout");
  CHECK_THAT(
      Ran({{"seqlen", "40"}, {"head-dim", "32"}, {"algorithm", "flash1"}, {"pass", "backward"}}).samples().left_out,
      Contains("the kernel stores no L"));
  CHECK_THAT(Ran({{"seqlen", "40"}, {"head-dim", "32"}, {"window", "3"}}).samples().left_out, Contains("looks ahead"));
}

TEST_CASE("buffers rotate once together they are large enough") {
  Ran ran({{"seqlen", "64"}, {"head-dim", "32"}, {"pass", "backward"}});
  const std::int64_t one = ran.buffers.bytes_of_set();
  CHECK(ran.buffers.sets() == 1);
  CHECK(ran.buffers.grow(one));
  CHECK(ran.buffers.sets() == 1);
  CHECK(ran.buffers.grow(one + 1));
  CHECK(ran.buffers.sets() == 2);
  CHECK(ran.buffers.grow(4 * one));
  CHECK(ran.buffers.sets() == 4);
  ran.buffers.run(3);  // its inputs, O and L are copies of the first set's
  CHECK(ran.buffers.set(3).download(sim::Tensor::dV) == ran.buffers.set(0).download(sim::Tensor::dV));
}

TEST_CASE("without space for more buffers nothing cold is measured, and the note reports it") {
  emulator::Options small;
  small.memory = 1 << 20;
  emulator::EmulatedDevice device(small);
  const sim::Plan plan = plan_of({{"seqlen", "64"}, {"head-dim", "32"}, {"heads", "8"}});
  bench::DrawnInputs inputs(plan.problem.dtype, 0);
  bench::Buffers buffers(device, plan, "flash2_mma", inputs);
  CHECK_FALSE(buffers.grow(std::int64_t{1} << 30));
  CHECK(buffers.sets() >= 1);
}

TEST_CASE("a measurement has the requested number of timings, and its results are right") {
  emulator::EmulatedDevice device;
  const sim::Plan plan = plan_of({{"seqlen", "64"}, {"head-dim", "32"}});
  bench::DrawnInputs inputs(plan.problem.dtype, 0);
  bench::Wanted wanted;
  wanted.effort = {5, 0.001};
  const auto sensors = bench::open_sensors("", "no-such-library.so");
  const bench::Measured both = bench::measure(device, plan, "flash2_mma", inputs, wanted, *sensors);
  REQUIRE(both.cold);
  REQUIRE(both.warm);
  CHECK(both.warm->microseconds.runs >= bench::least_runs);
  CHECK(both.warm->microseconds.runs <= 5);
  CHECK(both.warm->microseconds.median > 0);
  CHECK_FALSE(both.warm->sensed.sm_mhz);
  CHECK(both.samples.ok());
  wanted.warm = false;
  const bench::Measured cold = bench::measure(device, plan, "flash2_mma", inputs, wanted, *sensors);
  CHECK_FALSE(cold.warm);
  CHECK(cold.cold);
  CHECK(cold.samples.ok());
}

TEST_CASE("a card's clock and power come from the driver's library") {
  const auto sensors = bench::open_sensors("0000:1b:00.0", FLASHSCOPE_FAKE_NVML);
  CHECK(sensors->why_none().empty());
  CHECK(sensors->driver() == "999.1");
  const bench::Sensed now = sensors->read();
  CHECK(now.sm_mhz == 1234);
  CHECK(now.watts == 456.5);
  CHECK_THAT(bench::open_sensors("0000:ff:00.0", FLASHSCOPE_FAKE_NVML)->why_none(),
             Contains("clock and power: the NVIDIA driver refuses nvmlDeviceGetHandleByPciBusId_v2 (6)"));
}

TEST_CASE("without the driver's library the sensors report its absence") {
  const auto sensors = bench::open_sensors("", "no-such-library.so");
  CHECK_THAT(sensors->why_none(), Contains("clock and power: no-such-library.so is not found"));
  CHECK(sensors->driver() == "unknown");
  CHECK_FALSE(sensors->read().watts);
}

TEST_CASE("the emulated device has no ceilings") {
  emulator::EmulatedDevice device;
  bench::DrawnInputs inputs(sim::Dtype::fp16, 0);
  const auto sensors = bench::open_sensors("", "no-such-library.so");
  CHECK(bench::matmul_ceiling(device, inputs, *sensors).why_none == "matmul ceiling: the emulated device has none");
  CHECK_FALSE(bench::copy_ceiling(device, *sensors).rate);
}

TEST_CASE("every card that bench knows has a device table") {
  CHECK(kernels::gpu_called("NVIDIA H200") == "h200");
  CHECK(kernels::gpu_called("NVIDIA A100-SXM4-80GB") == "a100-sxm-80gb");
  CHECK(kernels::gpu_called("NVIDIA Something") == "");
  CHECK(kernels::gpu_called("NVIDIA H200 NVL") == "h200-nvl");
  CHECK(kernels::gpu_called("NVIDIA A100 80GB PCIe") == "a100-pcie-80gb");
  for (const char* card : {"NVIDIA H200", "NVIDIA B200", "Tesla T4", "NVIDIA GeForce RTX 3090", "NVIDIA H100 80GB HBM3",
                           "NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 5090", "NVIDIA L4", "NVIDIA L40S",
                           "NVIDIA A10", "NVIDIA A100-PCIE-40GB", "NVIDIA H100 PCIe", "NVIDIA H100 NVL"})
    CHECK_NOTHROW(sim::device(kernels::gpu_called(card)));
}

TEST_CASE("libraries are found in the folders of Python packages") {
  namespace fs = std::filesystem;
  const fs::path prefix = fs::current_path() / "a virtual environment";
  const fs::path package = prefix / "lib/python3.12/site-packages/nvidia/cublas/lib";
  fs::create_directories(package);
  fs::create_directories(prefix / "lib/python3.12/site-packages/nvidia/empty");
  std::ofstream(package / "libsomething.so.13") << "no library";
  setenv("VIRTUAL_ENV", prefix.c_str(), 1);
  CHECK(dev::in_python_packages("libsomething.so.13") == std::vector{(package / "libsomething.so.13").string()});
  CHECK(dev::in_python_packages("libsomething.so.12").empty());
  setenv("VIRTUAL_ENV", (prefix / "not there").c_str(), 1);
  CHECK(dev::in_python_packages("libsomething.so.13").empty());
  unsetenv("VIRTUAL_ENV");
  fs::remove_all(prefix);
}
