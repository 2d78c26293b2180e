// Stores four neighbouring elements of a row at once, from registers to HBM.
#pragma once
#include <cstring>

#include "kernels/dev/dev.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// to[0 .. 3] = x, rounded to the element type of HBM. `to` is a multiple of four elements from the tensor's start.
template <class T>
__device__ void store_four(T* to, const float (&x)[4]) {
  if constexpr (std::is_same_v<T, float>) {
    dev::Chunk chunk;
    std::memcpy(&chunk, x, sizeof chunk);
    dev::store_chunk(to, chunk);
  } else {
    const std::uint32_t rounded[2] = {dev::pack<T>(x[0], x[1]), dev::pack<T>(x[2], x[3])};
    dev::Pair pair;
    std::memcpy(&pair, rounded, sizeof pair);
    dev::store_pair(reinterpret_cast<float*>(to), pair);
  }
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
