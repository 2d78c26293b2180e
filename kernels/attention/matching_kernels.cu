// Table of the kernels of one flavour.
#include "kernels/attention/kernel_list.h"
#include "kernels/attention/launches.h"
#include "kernels/attention/support.h"
#include "kernels/dev/dev.h"
#include "kernels/tile/accumulator.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

const std::vector<MatchingKernel>& all_matching_kernels() {
  static const std::vector<MatchingKernel> matching_kernels = {
      {"standard", "qk_gemm", qk_gemm},
      {"standard", "mask", mask},
      {"standard", "softmax", softmax},
      {"standard", "dropout", dropout},
      {"standard", "pv_gemm", pv_gemm},
      {"standard", "dv_gemm", dv_gemm},
      {"standard", "dp_gemm", dp_gemm},
      {"standard", "dropout_backward", dropout_backward},
      {"standard", "softmax_backward", softmax_backward},
      {"standard", "dq_gemm", dq_gemm},
      {"standard", "dk_gemm", dk_gemm},
      {"flash1", "flash1_forward", flash1_forward},
      {"flash1", "flash1_backward", flash1_backward, nullptr, nullptr, sums_bytes},
      {"flash2", "flash2_forward", flash2_forward, nullptr, flash2_forward_ragged, 0, true},
      {"flash2", "flash2_backward_prepare", flash2_backward_prepare, nullptr, flash2_backward_prepare_ragged},
      {"flash2", "flash2_backward", flash2_backward, nullptr, flash2_backward_ragged, sums_bytes, true},
      {"flash2", "flash2_backward_finish", flash2_backward_finish, nullptr, flash2_backward_finish_ragged},
      {"flash2_mma", "flash2_forward", flash2_mma_forward, [](const Arguments& a) { require_mma("flash2_mma", a); },
       flash2_mma_forward_ragged, 0, true},
      {"flash2_mma", "flash2_backward_prepare", flash2_mma_backward_prepare, nullptr,
       flash2_mma_backward_prepare_ragged},
      {"flash2_mma", "flash2_backward", flash2_mma_backward, require_flash2_mma_backward, flash2_mma_backward_ragged},
      {"flash2_mma", "flash2_backward_finish", flash2_mma_backward_finish, nullptr, flash2_mma_backward_finish_ragged},
      {"flash2_mma_unmixed", "flash2_forward", flash2_mma_unmixed_forward,
       [](const Arguments& a) { require_mma("flash2_mma_unmixed", a); }},
      {"flash2_mma_unswizzled", "flash2_forward", flash2_mma_unswizzled_forward,
       [](const Arguments& a) { require_mma("flash2_mma_unswizzled", a); }},
      {"flash2_mma_single_buffered", "flash2_forward", flash2_mma_single_buffered_forward,
       [](const Arguments& a) { require_mma("flash2_mma_single_buffered", a); }},
      {"flash2_mma_split_k", "flash2_forward", flash2_mma_split_k_forward,
       [](const Arguments& a) { require_mma("flash2_mma_split_k", a); }},
      {"flash3_wgmma", "flash3_forward", flash3_wgmma_forward,
       [](const Arguments& a) { require_mma("flash3_wgmma", a); }},
      {"flash-decoding", "flash_decoding", flash_decoding, nullptr, nullptr, 0, true},
      {"flash-decoding", "flash_decoding_split", flash_decoding_split, nullptr, nullptr, 0, true},
      {"flash-decoding", "flash_decoding_combine", flash_decoding_combine, nullptr, nullptr, 0, true},
      {"flash-decoding_mma", "flash_decoding", flash_decoding_mma,
       [](const Arguments& a) { require_mma("flash-decoding_mma", a); }, nullptr, 0, true, flash_decoding_mma_paged,
       require_flash_decoding_mma_paged},
      {"flash-decoding_mma", "flash_decoding_split", flash_decoding_mma,
       [](const Arguments& a) { require_mma("flash-decoding_mma", a); }, nullptr, 0, true, flash_decoding_mma_paged,
       require_flash_decoding_mma_paged},
      {"flash-decoding_mma", "flash_decoding_combine", flash_decoding_combine, nullptr, nullptr, 0, true},
      {"paged-attention", "paged_attention_v1", nullptr, nullptr, nullptr, 0, false, paged_attention_v1},
      {"paged-attention", "paged_attention_v2", nullptr, nullptr, nullptr, 0, false, paged_attention_v2},
      {"paged-attention", "paged_attention_reduce", nullptr, nullptr, nullptr, 0, false, paged_attention_reduce},
      {"flash2-block-sparse", "flash2_block_sparse_forward", flash2_block_sparse_forward, nullptr, nullptr, 0, true},
      {"flash2-block-sparse", "flash2_block_sparse_backward_prepare", flash2_backward_prepare},
      {"flash2-block-sparse", "flash2_block_sparse_backward", flash2_block_sparse_backward, nullptr, nullptr,
       sums_bytes, true},
      {"flash2-block-sparse", "flash2_block_sparse_backward_finish", flash2_backward_finish},
      {"flash2-block-sparse_mma", "flash2_block_sparse_forward", flash2_block_sparse_mma_forward,
       [](const Arguments& a) { require_mma("flash2-block-sparse_mma", a); }},
      {"flash2-block-sparse_mma", "flash2_block_sparse_backward_prepare", flash2_mma_backward_prepare},
      {"flash2-block-sparse_mma", "flash2_block_sparse_backward", flash2_block_sparse_mma_backward,
       require_flash2_block_sparse_mma_backward},
      {"flash2-block-sparse_mma", "flash2_block_sparse_backward_finish", flash2_mma_backward_finish},
  };
  return matching_kernels;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
