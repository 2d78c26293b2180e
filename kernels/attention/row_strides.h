// Elements from one row of a head to the next, in both layouts that tensor-core kernels read.
#pragma once
#include "kernels/tile/fragment.h"
#include "kernels/tile/grid.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Strides of (batch, heads, N, d): the rows of a head are contiguous.
struct StridesOfHeads {
  template <int d>
  __device__ static WithoutGaps<d> query_stride(const Arguments&) {
    return {};
  }
  template <int d>
  __device__ static WithoutGaps<d> key_stride(const Arguments&) {
    return {};
  }
};

/// Strides of packed rows (total, heads, d): rows of all heads are interleaved.
struct StridesOfEntries {
  template <int d>
  __device__ static std::int32_t query_stride(const Arguments& a) {
    return a.heads * d;
  }
  template <int d>
  __device__ static std::int32_t key_stride(const Arguments& a) {
    return a.kv_heads * d;
  }
};

}  // namespace DEV_FLAVOUR
}  // namespace kernels
