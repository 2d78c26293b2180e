// The ladder: flash2_mma with one optimisation disabled, for head dimension 64.
#include "kernels/attention/flash2_mma.h"
#include "kernels/attention/launches.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

void flash2_mma_unmixed_forward(dev::Stream stream, const Arguments& a) {
  require_mma("flash2_mma_unmixed", a);
  launch_tile_of<64, LeftOut::unmixed>(stream, a);
}

void flash2_mma_unswizzled_forward(dev::Stream stream, const Arguments& a) {
  require_mma("flash2_mma_unswizzled", a);
  launch_tile_of<64, LeftOut::unswizzled>(stream, a);
}

void flash2_mma_single_buffered_forward(dev::Stream stream, const Arguments& a) {
  require_mma("flash2_mma_single_buffered", a);
  launch_tile_of<64, LeftOut::single_buffered>(stream, a);
}

void flash2_mma_split_k_forward(dev::Stream stream, const Arguments& a) {
  require_mma("flash2_mma_split_k", a);
  launch_tile_of<64, LeftOut::split_k>(stream, a);
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
