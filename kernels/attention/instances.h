// Tensor-core kernels by head dimension: each is a separate source, which CMake writes from instances.cu.in, so that
// they compile in parallel.
#pragma once
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/dev/dev.h"
#include "kernels/tile/arguments.h"
#include "kernels/tile/ragged_batch.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Launches the forward kernel of a tile and element type of the menu, dense or under a pattern.
template <int d>
struct Flash2MmaOf {
  static void launch(dev::Stream stream, const Arguments& a);
  static void launch_under_pattern(dev::Stream stream, const Arguments& a);
};

/// Launches the forward kernel over a ragged batch, for a tile and element type of the menu.
template <int d>
struct Flash2RaggedMmaOf {
  static void launch(dev::Stream stream, const Arguments& a, const RaggedBatch& batch);
};

template <int d>
struct FlashDecodingMmaOf {
  static void launch(dev::Stream stream, const Arguments& a);
};

struct BackwardInstance {
  std::int32_t br, bc;
  std::int64_t smem;  ///< bytes of shared memory of a CTA
  void (*launch)(dev::Stream stream, const Arguments& a);
};

/// Instances of the backward kernel; of two with the same tiles the faster one, which takes more shared memory,
/// precedes. Under a pattern they take a little more, and have no dropout.
template <int d>
struct Flash2MmaBackwardOf {
  static const std::vector<BackwardInstance>& instances();
  static const std::vector<BackwardInstance>& instances_under_pattern();
};

/// An instance for ragged batches, which has no dropout.
struct RaggedBackwardInstance {
  std::int32_t br, bc;
  std::int64_t smem;
  void (*launch)(dev::Stream stream, const Arguments& a, const RaggedBatch& batch);
};
template <int d>
struct Flash2RaggedMmaBackwardOf {
  static const std::vector<RaggedBackwardInstance>& instances();
};

/// Calls f with the head dimension, which a menu has, as a compile-time constant.
template <class F>
decltype(auto) with_head_dim(std::int32_t d, F f) {
  if (d == 32) return f(std::integral_constant<int, 32>());
  if (d == 64) return f(std::integral_constant<int, 64>());
  if (d == 96) return f(std::integral_constant<int, 96>());
  if (d == 128) return f(std::integral_constant<int, 128>());
  return f(std::integral_constant<int, 256>());
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
