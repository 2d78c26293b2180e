#include "tests/kernels/test_kernels.h"

#include <numeric>

namespace test_kernels {

namespace emulated {
const std::vector<TestKernel>& access_patterns();
const std::vector<TestKernel>& seeded_bugs();
const std::vector<TestKernel>& seeded_hopper();
}  // namespace emulated
namespace traced {
const std::vector<TestKernel>& access_patterns();
const std::vector<TestKernel>& seeded_bugs();
const std::vector<TestKernel>& seeded_hopper();
const std::vector<FaultyKernel>& faulty_kernels();
const std::vector<FaultyKernel>& faulty_hopper();
}  // namespace traced

const FaultyKernel& faulty_kernel(std::string_view fault) {
  for (const auto* table : {&traced::faulty_kernels(), &traced::faulty_hopper()}) {
    for (const FaultyKernel& kernel : *table) {
      if (kernel.fault == fault) return kernel;
    }
  }
  throw sim::Error("no kernel with the fault ", fault);
}

void run(dev::Device& device, std::string_view name, float* in, float* out, int n) {
  const bool traced = device.flavour() == dev::Flavour::traced;
  for (const auto& table : {traced ? traced::access_patterns() : emulated::access_patterns(),
                            traced ? traced::seeded_bugs() : emulated::seeded_bugs(),
                            traced ? traced::seeded_hopper() : emulated::seeded_hopper()}) {
    for (const TestKernel& kernel : table) {
      if (kernel.name == name) return kernel.run(device.stream(), in, out, n);
    }
  }
  throw sim::Error("no test kernel ", name);
}

OnDevice::OnDevice(dev::Device& device, const char* name, std::size_t floats)
    : device_(device), floats_(floats), memory_(device.allocate(name, static_cast<std::int64_t>(4 * floats))) {
  std::vector<float> values(floats);
  std::iota(values.begin(), values.end(), 0.0f);
  device_.upload(memory_, values.data(), static_cast<std::int64_t>(4 * floats));
}

std::vector<float> OnDevice::values() const {
  std::vector<float> values(floats_);
  device_.download(values.data(), memory_, static_cast<std::int64_t>(4 * floats_));
  return values;
}

Outcome outcome(std::string_view name, std::size_t in_floats, std::size_t out_floats, int n,
                const emulator::Options& options) {
  emulator::EmulatedDevice device(options);
  const OnDevice in(device, "in", in_floats), out(device, "out", out_floats);
  run(device, name, in.memory(), out.memory(), n);
  device.synchronize();
  const auto reports = device.take_reports();
  return {out.values(), reports.empty() ? dev::LaunchReport{} : reports.at(0)};
}

std::string failure(std::string_view name, std::size_t in_floats, std::size_t out_floats, int n,
                    const emulator::Options& options) {
  try {
    outcome(name, in_floats, out_floats, n, options);
  } catch (const dev::DeviceError& error) {
    return error.what();
  }
  return "";
}

}  // namespace test_kernels
