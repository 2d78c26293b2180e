// Opens the devices that a machine may lack.
#pragma once
#include <memory>

#include "kernels/dev/device.h"

namespace dev {

/// The first GPU of this machine. Throws DeviceError of kind missing, with the way to get one, where there is no GPU,
/// no driver, or no CUDA kernel in this build.
std::unique_ptr<Device> open_cuda();

}  // namespace dev
