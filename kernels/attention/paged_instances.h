// Tensor-core kernels whose K and V lie in pages, by head dimension (instances.h).
#pragma once
#include "kernels/dev/dev.h"
#include "kernels/tile/arguments.h"
#include "kernels/tile/paged_batch.h"

namespace kernels {

/// Head dimensions for which flash-decoding_mma is compiled with pages, and their fewest tokens.
constexpr bool takes_pages(std::int32_t head_dim) { return head_dim == 64 || head_dim == 128; }
inline constexpr std::int32_t shortest_page = 16;

inline namespace DEV_FLAVOUR {

/// Launches the kernel of a tile and element type of the menu of flash-decoding_mma.
template <int d>
struct FlashDecodingPagedMmaOf {
  static void launch(dev::Stream stream, const Arguments& a, const PagedBatch& batch);
};

}  // namespace DEV_FLAVOUR
}  // namespace kernels
