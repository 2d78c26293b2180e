// Opening a GPU. In builds without nvcc there is none to open (no_cuda.cpp in place of cuda_device.cu).
#pragma once
#include <memory>

#include "kernels/dev/device.h"

namespace dev {

/// The first NVIDIA GPU. Throws DeviceError of kind `missing`, with the way to get one, when there is no GPU, no driver
/// or too old a one, or when this build has no CUDA kernels.
std::unique_ptr<Device> open_cuda();

}  // namespace dev
