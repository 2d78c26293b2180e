// Peak rates that a card reaches in practice: the reference for attention kernels.
#pragma once
#include <optional>
#include <string>

#include "kernels/bench/drawn_inputs.h"
#include "kernels/bench/timing.h"

namespace bench {

/// Measured rates, sensor readings meanwhile, and the reason if a rate is missing.
struct Ceiling {
  std::optional<Series> rate;
  Sensed sensed;
  std::string why_none;
};

/// Measures TFLOP/s of C = A B through cuBLAS, (size, size) each, in the dtype with fp32 sums, random inputs: 2 size^3
/// FLOPs. Needs libcublas of the CUDA toolkit. fp32 is fp32: no TF32.
Ceiling matmul_ceiling(dev::Device& device, DrawnInputs& inputs, Sensors& sensors, std::int64_t size = 8192);

/// File names of the library, tried in order.
const std::vector<std::string>& cublas_names();

/// Measures GB/s of a copy on the device, bytes read and written together.
Ceiling copy_ceiling(dev::Device& device, Sensors& sensors, std::int64_t bytes = std::int64_t{1} << 30);

}  // namespace bench
