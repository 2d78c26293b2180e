// The tensor-core backward kernel for head dimension 128.
#include "kernels/attention/flash2_mma_backward.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

const std::vector<BackwardInstance>& backward_instances_128() {
  static const std::vector<BackwardInstance> instances = {
      backward_instance<128, 64, 128, false>(),
      backward_instance<128, 64, 64, false>(),
      backward_instance<128, 64, 64, true>(),
  };
  return instances;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
