// Builds without nvcc.
#include "kernels/dev/open.h"

namespace dev {

std::unique_ptr<Device> open_cuda() {
  throw DeviceError(DeviceError::Kind::missing,
                    "device cuda: this build has no CUDA kernels: install the CUDA toolkit (12 or 13, nvcc) and build "
                    "again, or take --device emulated");
}

}  // namespace dev
