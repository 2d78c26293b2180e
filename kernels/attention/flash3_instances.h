// flash3_wgmma by head dimension: each is a separate source, which CMake writes from instances.cu.in.
#pragma once
#include "kernels/dev/dev.h"
#include "kernels/tile/arguments.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Launches the kernel of a tile and element type of the menu.
template <int d>
struct Flash3WgmmaOf {
  static void launch(dev::Stream stream, const Arguments& a);
};

}  // namespace DEV_FLAVOUR
}  // namespace kernels
