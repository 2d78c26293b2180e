// The tensor-core backward kernel for head dimension 32, and that under a pattern.
#include "kernels/attention/flash2_block_sparse_mma_backward.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

const std::vector<BackwardInstance>& backward_instances_32() {
  static const std::vector<BackwardInstance> instances = {
      backward_instance<32, 128, 128, false>(),
      backward_instance<32, 128, 128, true>(),
      backward_instance<32, 64, 64, false>(),
  };
  return instances;
}

const std::vector<BackwardInstance>& block_sparse_backward_instances_32() {
  static const std::vector<BackwardInstance> instances = {
      block_sparse_backward_instance<32, 128, 128, false>(),
      block_sparse_backward_instance<32, 128, 128, true>(),
      block_sparse_backward_instance<32, 64, 64, false>(),
  };
  return instances;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
