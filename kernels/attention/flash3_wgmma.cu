// FlashAttention-3, forward, on wgmma: selects the head dimension. flash3_wgmma.h has the algorithm.
#include "kernels/attention/flash3_instances.h"
#include "kernels/attention/launches.h"
#include "kernels/attention/support.h"
#include "kernels/dev/hopper.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

void flash3_wgmma_forward(dev::Stream stream, const Arguments& a) {
  require_mma("flash3_wgmma", a);
  dev::require_sm_90("flash3_wgmma");
  if (a.head_dim == 64) return Flash3WgmmaOf<64>::launch(stream, a);
  Flash3WgmmaOf<128>::launch(stream, a);
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
