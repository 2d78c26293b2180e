// The tensor-core backward kernel for head dimension 256.
#include "kernels/attention/flash2_mma_backward.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

const std::vector<BackwardInstance>& backward_instances_256() {
  static const std::vector<BackwardInstance> instances = {
      backward_instance<256, 64, 64, false>(),
      backward_instance<256, 64, 64, true>(),
  };
  return instances;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
