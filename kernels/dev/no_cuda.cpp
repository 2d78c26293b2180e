// Stands for the CUDA device where the project was built without nvcc.
#include "kernels/dev/open.h"

namespace dev {

std::unique_ptr<Device> open_cuda() {
  throw DeviceError(DeviceError::Kind::missing,
                    "device: this build has no CUDA kernels: install the CUDA toolkit (nvcc) and build again, or use "
                    "--device emulated");
}

}  // namespace dev
