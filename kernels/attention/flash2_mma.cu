// FlashAttention-2, forward, on tensor cores. Selects the kernel: dense, under a pattern or over a ragged batch.
// flash2_mma.h has the algorithm.
#include "kernels/attention/instances.h"
#include "kernels/attention/launches.h"
#include "kernels/attention/support.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

void flash2_mma_forward(dev::Stream stream, const Arguments& a) {
  require_mma("flash2_mma", a);
  with_head_dim(a.head_dim, [&](auto d) { Flash2MmaOf<d>::launch(stream, a); });
}

void flash2_mma_forward_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  require_mma("flash2_mma", a);
  with_head_dim(a.head_dim, [&](auto d) { Flash2RaggedMmaOf<d>::launch(stream, a, batch); });
}

void flash2_block_sparse_mma_forward(dev::Stream stream, const Arguments& a) {
  require_mma("flash2-block-sparse_mma", a);
  with_head_dim(a.head_dim, [&](auto d) { Flash2MmaOf<d>::launch_under_pattern(stream, a); });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
