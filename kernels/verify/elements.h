// Converts tensors for a device: fp32 on the host, the dtype on the device.
#pragma once
#include <span>
#include <vector>

#include "sim/base/dtype.h"

namespace kernels {

/// Converts values to bytes of the dtype, rounded to nearest even.
std::vector<unsigned char> to_bytes(sim::Dtype dtype, std::span<const float> values);
std::vector<float> to_floats(sim::Dtype dtype, std::span<const unsigned char> bytes);

}  // namespace kernels
