#include "kernels/verify/devices.h"

#include "kernels/dev/open.h"
#include "kernels/emulator/device.h"

namespace kernels {

std::unique_ptr<dev::Device> open_gpu(const std::string& name, std::string& note) {
  if (name == "emulated") return nullptr;
  try {
    return dev::open_cuda();
  } catch (const dev::DeviceError& error) {
    if (name == "cuda" || error.kind != dev::DeviceError::Kind::missing) throw;
    note = sim::text("no GPU is used: ", error.what());
    return nullptr;
  }
}

VerifyDevice::VerifyDevice(const std::string& name, int workers, bool count) : workers_(workers) {
  gpu_ = open_gpu(name, note_);
  if (gpu_ && count) counters_ = counters::open();
}

std::unique_ptr<dev::Device> VerifyDevice::emulated_device(std::uint64_t schedule) const {
  emulator::Options options;
  options.workers = workers_;
  options.traced = true;
  options.order = {schedule > 0, schedule};
  return std::make_unique<emulator::EmulatedDevice>(options);
}

std::string VerifyDevice::description() const { return gpu_ ? gpu_->description() : emulated_device(0)->description(); }

}  // namespace kernels
