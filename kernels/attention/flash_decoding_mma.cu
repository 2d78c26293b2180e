// Flash-Decoding on tensor cores: which kernel runs. flash_decoding_mma.h has the algorithm; each head dimension is a
// source of its own, so that they compile at the same time.
#include "kernels/attention/launches.h"
#include "kernels/attention/support.h"
#include "kernels/dev/dev.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

void flash_decoding_mma_d32(dev::Stream stream, const Arguments& a);
void flash_decoding_mma_d64(dev::Stream stream, const Arguments& a);
void flash_decoding_mma_d96(dev::Stream stream, const Arguments& a);
void flash_decoding_mma_d128(dev::Stream stream, const Arguments& a);
void flash_decoding_mma_d256(dev::Stream stream, const Arguments& a);

void flash_decoding_mma(dev::Stream stream, const Arguments& a) {
  require_mma("flash-decoding_mma", a);
  if (a.head_dim == 32) return flash_decoding_mma_d32(stream, a);
  if (a.head_dim == 64) return flash_decoding_mma_d64(stream, a);
  if (a.head_dim == 96) return flash_decoding_mma_d96(stream, a);
  if (a.head_dim == 128) return flash_decoding_mma_d128(stream, a);
  flash_decoding_mma_d256(stream, a);
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
