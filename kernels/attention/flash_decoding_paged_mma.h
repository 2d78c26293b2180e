// Flash-Decoding on tensor cores with K and V in pages: the kernel of flash_decoding_mma.h, whose CTAs look up the
// pages of a tile while they compute the scores of the one before. Inaccuracies: those of flash2_mma.h.
#pragma once
#include "kernels/attention/flash_decoding_mma.h"
#include "kernels/attention/paged_instances.h"
#include "kernels/attention/rows_of_pages.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Locates the rows of a CTA whose K and V are in pages.
template <class Shape>
struct InPages {
  using Rows = RowsOfPages<Shape, Shape::smem_bytes>;
  const Pages& pages;
  __device__ Rows rows(const Arguments& a, const CtaBlocks& at, Range keys) const { return {a, at, pages, keys}; }
};

template <class Shape>
__global__ void __launch_bounds__(128, 2)
    flash_decoding_mma_paged_kernel(const Arguments a, const ScoreScale scale, const __grid_constant__ Pages pages) {
  flash_decoding_block<Shape, false>(a, scale, InPages<Shape>{pages});
}

template <int d>
void FlashDecodingPagedMmaOf<d>::launch(dev::Stream stream, const Arguments& a, const PagedBatch& batch) {
  with_decoding_shape<d>(a, [&](auto shape) {
    using Shape = decltype(shape);
    dev::launch(stream, a.parts > 0 ? "flash_decoding_split" : "flash_decoding", flash_decoding_mma_paged_kernel<Shape>,
                row_blocks_in_parts(a), Shape::threads, Shape::smem_bytes + InPages<Shape>::Rows::bytes, a,
                score_scale(a), pages_of(batch, a, Shape::bc));
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
