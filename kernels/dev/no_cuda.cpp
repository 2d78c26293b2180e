// Builds without nvcc.
#include "kernels/dev/event.h"
#include "kernels/dev/open.h"

namespace dev {
namespace {

[[noreturn]] void refuse() {
  throw DeviceError(DeviceError::Kind::missing,
                    "device cuda: this build has no CUDA kernels: install the CUDA toolkit (12 or 13, nvcc) and build "
                    "again, or take --device emulated");
}

}  // namespace

std::unique_ptr<Device> open_cuda() { refuse(); }
std::shared_ptr<void> cuda_mark(Stream) { refuse(); }
bool cuda_reached(const void*) { refuse(); }
double cuda_microseconds(const void*, const void*) { refuse(); }

}  // namespace dev
