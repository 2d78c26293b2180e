// The instances of the tensor-core backward kernel, one list per head dimension, each compiled in a file of its own.
#pragma once
#include <cstdint>
#include <vector>

#include "kernels/dev/dev.h"
#include "kernels/tile/arguments.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

struct BackwardInstance {
  std::int32_t br, bc;
  std::int64_t smem;  ///< bytes of shared memory of a CTA
  void (*launch)(dev::Stream stream, const Arguments& a);
};

// Instances by head dimension; of two with the same tiles the faster one, which takes more shared memory, is first.
const std::vector<BackwardInstance>& backward_instances_32();
const std::vector<BackwardInstance>& backward_instances_64();
const std::vector<BackwardInstance>& backward_instances_96();
const std::vector<BackwardInstance>& backward_instances_128();
const std::vector<BackwardInstance>& backward_instances_256();

// The same under a pattern, which takes a little more shared memory, and without dropout.
const std::vector<BackwardInstance>& block_sparse_backward_instances_32();
const std::vector<BackwardInstance>& block_sparse_backward_instances_64();
const std::vector<BackwardInstance>& block_sparse_backward_instances_96();
const std::vector<BackwardInstance>& block_sparse_backward_instances_128();
const std::vector<BackwardInstance>& block_sparse_backward_instances_256();

}  // namespace DEV_FLAVOUR
}  // namespace kernels
