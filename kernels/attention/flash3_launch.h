// Chooses the instance of flash3_wgmma.
#pragma once
#include "kernels/attention/flash3_instances.h"
#include "kernels/attention/flash3_wgmma.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Launches the kernel of the arguments' tile and element type, of those of this head dimension.
template <int d>
void Flash3WgmmaOf<d>::launch(dev::Stream stream, const Arguments& a) {
  const auto each = [&]<std::size_t... n>(std::index_sequence<n...>) {
    const auto one = [&]<std::size_t index>() {
      constexpr MmaTile tile = flash3_wgmma_tiles[index];
      if constexpr (tile.head_dim == d) {
        if (a.br != tile.br || a.bc != tile.bc) return;
        if (a.element == Element::fp16) launch_flash3<Flash3Wgmma<dev::fp16, d, tile.br, tile.bc>>(stream, a);
        if (a.element == Element::bf16) launch_flash3<Flash3Wgmma<dev::bf16, d, tile.br, tile.bc>>(stream, a);
      }
    };
    (one.template operator()<n>(), ...);
  };
  each(std::make_index_sequence<flash3_wgmma_tiles.size()>());
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
