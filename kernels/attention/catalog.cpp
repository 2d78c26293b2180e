#include "kernels/attention/catalog.h"

namespace kernels {

namespace emulated {
const std::vector<Twin>& all_twins();
}
namespace traced {
const std::vector<Twin>& all_twins();
}
#if defined(KERNELS_WITH_CUDA)
namespace cuda {
const std::vector<Twin>& all_twins();
}
#endif

const std::vector<Twin>& twins(dev::Flavour flavour) {
  switch (flavour) {
    case dev::Flavour::emulated:
      return emulated::all_twins();
    case dev::Flavour::traced:
      return traced::all_twins();
    case dev::Flavour::cuda:
      break;
  }
#if defined(KERNELS_WITH_CUDA)
  return cuda::all_twins();
#else
  static const std::vector<Twin> none;
  return none;
#endif
}

}  // namespace kernels
