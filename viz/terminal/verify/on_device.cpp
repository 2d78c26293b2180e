#include "viz/terminal/verify/on_device.h"

#include "kernels/dev/device.h"
#include "sim/programs/scenario.h"
#include "viz/terminal/command.h"

namespace terminal {

int on_device(int (*run)(const Arguments&), const Arguments& arguments) {
  try {
    return run(arguments);
  } catch (const dev::DeviceError& error) {
    using enum dev::DeviceError::Kind;
    if (error.kind != missing && error.kind != out_of_memory) throw;
    throw MissingCapability(error.what());
  }
}

void plan_for_card(sim::OptionValues& scenario, const std::string& gpu, std::int64_t smem) {
  if (!gpu.empty()) {
    scenario.emplace("gpu", gpu);
  } else if (scenario.count("gpu") == 0 && smem < sim::Scenario{}.gpu->smem_bytes_per_cta) {
    scenario.emplace("sram", std::to_string(smem));
  }
}

}  // namespace terminal
