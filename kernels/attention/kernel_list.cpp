#include "kernels/attention/kernel_list.h"

namespace kernels {

namespace emulated {
const std::vector<MatchingKernel>& all_matching_kernels();
}
namespace traced {
const std::vector<MatchingKernel>& all_matching_kernels();
}
#if defined(KERNELS_WITH_CUDA)
namespace cuda {
const std::vector<MatchingKernel>& all_matching_kernels();
}
#endif

const std::vector<MatchingKernel>& matching_kernels(dev::Flavour flavour) {
  switch (flavour) {
    case dev::Flavour::emulated:
      return emulated::all_matching_kernels();
    case dev::Flavour::traced:
      return traced::all_matching_kernels();
    case dev::Flavour::cuda:
      break;
  }
#if defined(KERNELS_WITH_CUDA)
  return cuda::all_matching_kernels();
#else
  static const std::vector<MatchingKernel> none;
  return none;
#endif
}

}  // namespace kernels
