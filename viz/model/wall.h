// The wall: what a run keeps in device memory at its peak, as bytes to be drawn at true scale beside another run's.
#pragma once
#include <vector>

#include "sim/model/simulation.h"

namespace explorer {

struct WallTensor {
  sim::Tensor tensor;
  std::int64_t bytes = 0;  ///< of all heads, in HBM
};

/// One run's device memory while the kernel with the most bytes runs.
struct WallRun {
  std::vector<WallTensor> tensors;  ///< live then, as sim::memory_peak() lists them; their bytes sum to `peak`
  std::int64_t peak = 0, capacity = 1;
  /// Devices of this kind whose memories together hold the peak, at least 1.
  std::int64_t devices() const { return std::max<std::int64_t>(1, sim::ceil_div(peak, capacity)); }
  bool fits() const { return peak <= capacity; }
};
WallRun wall_of(const sim::Simulation& simulation);

/// Tensors that one run moves through HBM and another one never does, and the first one's HBM traffic of them: sums of
/// hbm_traffic.by_tensor.
struct NeverMoved {
  std::vector<sim::Tensor> tensors;
  std::int64_t written = 0, read = 0;  ///< bytes
};
NeverMoved never_moved(const sim::Simulation& by, const sim::Simulation& of);

/// Bytes of one head of a tensor.
std::int64_t bytes_of_head(const sim::Simulation& simulation, sim::Tensor tensor);

}  // namespace explorer
