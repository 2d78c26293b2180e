// Tensors on their way to a device and back: fp32 on the host, the dtype there.
#pragma once
#include <span>
#include <vector>

#include "sim/base/dtype.h"

namespace kernels {

/// The values as bytes of the dtype, rounded to nearest even.
std::vector<unsigned char> to_bytes(sim::Dtype dtype, std::span<const float> values);
std::vector<float> to_floats(sim::Dtype dtype, std::span<const unsigned char> bytes);

}  // namespace kernels
