// Marks in the stream of a device, to tell how long what was launched between two of them took.
#pragma once
#include <memory>

#include "kernels/dev/device.h"

namespace dev {

/// What was launched on the device's stream before it was made lies before it.
/// Inaccuracy: on the emulated device it is the CPU's clock, which says nothing of a GPU.
class Event {
 public:
  explicit Event(Device& device);
  /// Waits for this event. Throws DeviceError when a launch failed, sim::Error when the two are of different devices.
  double microseconds_since(const Event& earlier) const;
  /// Whether all that lies before it is done. Throws DeviceError when a launch failed.
  bool reached() const;

 private:
  Device* device_;
  std::shared_ptr<void> mark_;
};

/// Of a GPU, in cuda_device.cu; builds without nvcc have no GPU to ask for them.
std::shared_ptr<void> cuda_mark(Stream stream);
bool cuda_reached(const void* mark);
double cuda_microseconds(const void* from, const void* to);

}  // namespace dev
