// Builds without nvcc.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/dev/event.h"
#include "kernels/dev/open.h"
#include "sim/base/text.h"

namespace dev {
namespace {

/// Path of nvcc; "" if it is neither in PATH nor in the usual folders of the toolkit.
std::string nvcc_here() {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("PATH")) {
    for (const std::string_view folder : sim::split(path, ":")) folders.emplace_back(folder);
  }
  if (const char* toolkit = std::getenv("CUDA_PATH")) folders.push_back(std::string(toolkit) + "/bin");
  folders.emplace_back("/usr/local/cuda/bin");
  for (const std::string& folder : folders) {
    std::error_code error;
    if (!folder.empty() && std::filesystem::is_regular_file(folder + "/nvcc", error)) return folder + "/nvcc";
  }
  return "";
}

/// Throws: no CUDA kernels here. The toolkit may be installed: without a GPU they are built only on request.
[[noreturn]] void refuse() {
  const std::string nvcc = nvcc_here();
  const std::string way = nvcc.empty()
                              ? "install the CUDA toolkit (12 or 13, nvcc) and build again"
                              : nvcc +
                                    " is here: build them with cmake --preset release -DFLASHSCOPE_CUDA=ON and "
                                    "cmake --build --preset release";
  throw DeviceError(DeviceError::Kind::missing,
                    "device cuda: this build has no CUDA kernels: " + way + ", or take --device emulated");
}

}  // namespace

std::unique_ptr<Device> open_cuda() { refuse(); }
std::shared_ptr<void> cuda_mark(Stream) { refuse(); }
bool cuda_reached(const void*) { refuse(); }
double cuda_microseconds(const void*, const void*) { refuse(); }

}  // namespace dev
