// Marks in the stream of a device, to time the work launched between two of them.
#pragma once
#include <memory>

#include "kernels/dev/device.h"

namespace dev {

/// A mark after all work launched on the device's stream so far.
/// Inaccuracy: on the emulated device it is the CPU's clock, which tells nothing about a GPU.
class Event {
 public:
  explicit Event(Device& device);
  /// Waits for this event. Throws DeviceError if a launch failed, sim::Error if the two are of different devices.
  double microseconds_since(const Event& earlier) const;
  /// True if all work before this event is done. Throws DeviceError if a launch failed.
  bool reached() const;

 private:
  Device* device_;
  std::shared_ptr<void> mark_;
};

/// Marks of a GPU, in cuda_device.cu; builds without nvcc have no GPU that needs them.
std::shared_ptr<void> cuda_mark(Stream stream);
bool cuda_reached(const void* mark);
double cuda_microseconds(const void* from, const void* to);

}  // namespace dev
