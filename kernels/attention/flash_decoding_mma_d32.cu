// The kernels of flash-decoding_mma for head dimension 32.
#include "kernels/attention/flash_decoding_mma.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

void flash_decoding_mma_d32(dev::Stream stream, const Arguments& a) { launch_decoding_of<32>(stream, a); }

}  // namespace DEV_FLAVOUR
}  // namespace kernels
