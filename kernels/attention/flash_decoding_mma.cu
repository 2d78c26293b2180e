// Flash-Decoding on tensor cores. Selects the kernel. flash_decoding_mma.h has the algorithm.
#include "kernels/attention/instances.h"
#include "kernels/attention/launches.h"
#include "kernels/attention/support.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

void flash_decoding_mma(dev::Stream stream, const Arguments& a) {
  require_mma("flash-decoding_mma", a);
  with_head_dim(a.head_dim, [&](auto d) { FlashDecodingMmaOf<d>::launch(stream, a); });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
