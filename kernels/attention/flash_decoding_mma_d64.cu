// The kernels of flash-decoding_mma for head dimension 64.
#include "kernels/attention/flash_decoding_mma.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

void flash_decoding_mma_d64(dev::Stream stream, const Arguments& a) { launch_decoding_of<64>(stream, a); }

}  // namespace DEV_FLAVOUR
}  // namespace kernels
