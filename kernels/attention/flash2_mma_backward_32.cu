// The tensor-core backward kernel for head dimension 32.
#include "kernels/attention/flash2_mma_backward.h"

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

}  // namespace DEV_FLAVOUR
}  // namespace kernels
