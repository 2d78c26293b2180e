// Device that `verify` runs on.
#pragma once
#include <memory>
#include <string>

#include "kernels/counters/counters.h"
#include "kernels/dev/device.h"
#include "kernels/dev/gpu_name.h"

namespace kernels {

/// Opens the GPU that --device selects: emulated: null; cuda: the GPU; auto: the GPU, or null with a note why there is
/// none. Throws dev::DeviceError of kind missing.
std::unique_ptr<dev::Device> open_gpu(const std::string& name, std::string& note);

/// A GPU that is opened once, or emulated devices, one per run.
class VerifyDevice {
 public:
  /// `name`: emulated, cuda, or auto: the GPU if there is one; `count`: read its counters. Throws as open_gpu() does.
  VerifyDevice(const std::string& name, int workers, bool count = true);
  bool emulated() const { return gpu_ == nullptr; }
  dev::Flavour flavour() const { return emulated() ? dev::Flavour::traced : dev::Flavour::cuda; }
  std::string description() const;
  std::int64_t smem_bytes_per_cta() const { return gpu_ ? gpu_->smem_bytes_per_cta() : dev::any_smem; }
  /// Device table of the GPU; "" if there is none, and on the emulated device.
  std::string gpu() const { return gpu_ ? gpu_called(gpu_->card().name) : ""; }
  /// Counters of the GPU; null on the emulated device, which counts by itself, and if they are not read.
  counters::Counters* counters() const { return counters_.get(); }
  /// Reason why `auto` took no GPU; "" for other names.
  const std::string& note() const { return note_; }

  /// Calls f with a device; `schedule` seeds the random order of threads on the emulated one, 0: index order.
  template <class F>
  auto with(std::uint64_t schedule, F f) const {
    if (gpu_) return f(*gpu_);
    const std::unique_ptr<dev::Device> device = emulated_device(schedule);
    return f(*device);
  }

 private:
  std::unique_ptr<dev::Device> emulated_device(std::uint64_t schedule) const;
  std::unique_ptr<dev::Device> gpu_;
  std::unique_ptr<counters::Counters> counters_;
  int workers_;
  std::string note_;
};

}  // namespace kernels
