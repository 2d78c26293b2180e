// The kernels of flash2_mma for head dimension 96, and those under a pattern.
#include "kernels/attention/flash2_block_sparse_mma.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

void flash2_mma_d96(dev::Stream stream, const Arguments& a) { launch_tile_of<96>(stream, a); }
void flash2_block_sparse_mma_d96(dev::Stream stream, const Arguments& a) { launch_block_sparse_of<96>(stream, a); }

}  // namespace DEV_FLAVOUR
}  // namespace kernels
