// Data of the wall: device memory of a run at its peak, in bytes, drawn to scale next to another run's.
#pragma once
#include <vector>

#include "sim/model/simulation.h"

namespace explorer {

struct WallTensor {
  sim::Tensor tensor;
  std::int64_t bytes = 0;  ///< total of all heads, in HBM
};

/// Device memory of a run while the kernel with the most bytes runs.
struct WallRun {
  std::vector<WallTensor> tensors;  ///< live at that time, as in sim::memory_peak(); their bytes sum to `peak`
  std::int64_t peak = 0, capacity = 1;
  /// Number of such devices whose memories together hold the peak, at least 1.
  std::int64_t devices() const { return std::max<std::int64_t>(1, sim::ceil_div(peak, capacity)); }
  bool fits() const { return peak <= capacity; }
};
WallRun wall_of(const sim::Simulation& simulation);

/// Tensors that one run moves through HBM and another never does, and the first one's HBM traffic for them: sums of
/// hbm_traffic.by_tensor.
struct NeverMoved {
  std::vector<sim::Tensor> tensors;
  std::int64_t written = 0, read = 0;  ///< bytes
};
NeverMoved never_moved(const sim::Simulation& by, const sim::Simulation& of);

/// Bytes of one head of a tensor.
std::int64_t bytes_of_head(const sim::Simulation& simulation, sim::Tensor tensor);

}  // namespace explorer
