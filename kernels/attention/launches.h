// Launch functions, named like the kernels of programs. Each flavour has them in its own namespace.
#pragma once
#include "kernels/dev/dev.h"
#include "kernels/tile/arguments.h"
#include "kernels/tile/paged_batch.h"
#include "kernels/tile/ragged_batch.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

// standard.cu
void qk_gemm(dev::Stream stream, const Arguments& a);
void mask(dev::Stream stream, const Arguments& a);
void softmax(dev::Stream stream, const Arguments& a);
void dropout(dev::Stream stream, const Arguments& a);
void pv_gemm(dev::Stream stream, const Arguments& a);

// standard_backward.cu
void dv_gemm(dev::Stream stream, const Arguments& a);
void dp_gemm(dev::Stream stream, const Arguments& a);
void dropout_backward(dev::Stream stream, const Arguments& a);
void softmax_backward(dev::Stream stream, const Arguments& a);
void dq_gemm(dev::Stream stream, const Arguments& a);
void dk_gemm(dev::Stream stream, const Arguments& a);

void flash1_forward(dev::Stream stream, const Arguments& a);           // flash1.cu
void flash1_backward(dev::Stream stream, const Arguments& a);          // flash1_backward.cu
void flash2_forward(dev::Stream stream, const Arguments& a);           // flash2.cu
void flash2_mma_forward(dev::Stream stream, const Arguments& a);       // flash2_mma.cu
void flash2_backward_prepare(dev::Stream stream, const Arguments& a);  // flash2_backward.cu
void flash2_backward(dev::Stream stream, const Arguments& a);
void flash2_backward_finish(dev::Stream stream, const Arguments& a);

// flash_decoding.cu
void flash_decoding(dev::Stream stream, const Arguments& a);
void flash_decoding_split(dev::Stream stream, const Arguments& a);
void flash_decoding_combine(dev::Stream stream, const Arguments& a);
void flash_decoding_mma(dev::Stream stream, const Arguments& a);  // flash_decoding_mma.cu: with and without parts

void flash2_block_sparse_forward(dev::Stream stream, const Arguments& a);      // flash2.cu
void flash2_block_sparse_backward(dev::Stream stream, const Arguments& a);     // flash2_backward.cu
void flash2_block_sparse_mma_forward(dev::Stream stream, const Arguments& a);  // flash2_mma.cu

void flash3_wgmma_forward(dev::Stream stream, const Arguments& a);  // flash3_wgmma.cu: on sm_90 alone

// flash2_mma_steps.cu
void flash2_mma_unmixed_forward(dev::Stream stream, const Arguments& a);
void flash2_mma_unswizzled_forward(dev::Stream stream, const Arguments& a);
void flash2_mma_single_buffered_forward(dev::Stream stream, const Arguments& a);
void flash2_mma_split_k_forward(dev::Stream stream, const Arguments& a);

// flash2_mma_backward.cu
void flash2_mma_backward_prepare(dev::Stream stream, const Arguments& a);
void flash2_mma_backward(dev::Stream stream, const Arguments& a);
void flash2_mma_backward_finish(dev::Stream stream, const Arguments& a);
/// Throws sim::Error, listing the available tiles, if flash2_mma_backward rejects the arguments.
void require_flash2_mma_backward(const Arguments& a);
void flash2_block_sparse_mma_backward(dev::Stream stream, const Arguments& a);
void require_flash2_block_sparse_mma_backward(const Arguments& a);  ///< as above, under a pattern

// Kernels for a ragged batch. CTAs are in the order of the classes.
void flash2_forward_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch);
void flash2_mma_forward_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch);
void flash2_mma_backward_prepare_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch);
void flash2_mma_backward_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch);
void flash2_mma_backward_finish_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch);
void flash2_backward_prepare_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch);
void flash2_backward_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch);
void flash2_backward_finish_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch);

// Kernels for K and V in pages. Those of paged_attention.cu take a ragged batch, too; their a.O_part is of `element`,
// and a.m and a.l, like it, have a row for each head, which has its parts.
void paged_attention_v1(dev::Stream stream, const Arguments& a, const PagedBatch& batch);
void paged_attention_v2(dev::Stream stream, const Arguments& a, const PagedBatch& batch);
void paged_attention_reduce(dev::Stream stream, const Arguments& a, const PagedBatch& batch);
void flash_decoding_mma_paged(dev::Stream stream, const Arguments& a, const PagedBatch& batch);
/// Throws sim::Error, with what there is, if flash_decoding_mma_paged takes no such pages or arguments.
void require_flash_decoding_mma_paged(const Arguments& a, std::int32_t page_rows);

}  // namespace DEV_FLAVOUR
}  // namespace kernels
