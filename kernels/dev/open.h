// Opens a GPU. Builds without nvcc have none to open (no_cuda.cpp instead of cuda_device.cu).
#pragma once
#include <memory>

#include "kernels/dev/device.h"

namespace dev {

/// Opens the first NVIDIA GPU. Throws DeviceError of kind `missing`, with the way to get one, if there is no GPU, no
/// driver or too old a one, or if this build has no CUDA kernels.
std::unique_ptr<Device> open_cuda();

}  // namespace dev
