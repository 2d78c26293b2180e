// Closed forms of standard attention. A GEMM with output tiles Bm x Bn reads its left factor once per column of tiles
// and its right factor once per row of tiles. Nothing is skipped, so that a mask changes no count.
// Source: Dao et al. 2022, Algorithm 0.
#include "sim/model/kernel_form.h"

namespace sim {
namespace {

constexpr Direction read = Direction::read, write = Direction::write;
constexpr Bucket matrix = Bucket::matrix;

}  // namespace

KernelForm qk_gemm_form(const Problem&) {
  return {{{Tensor::Q, read, matrix, "B H Tc Nq d e"},
           {Tensor::K, read, matrix, "B H Tr Nk d e"},
           {Tensor::S, write, matrix, "B H Nq Nk e"}},
          {{"matmul_flops", "Q K^T", "2 B H Nq Nk d"}, {"other_flops", "scale", "B H Nq Nk"}}};
}

KernelForm mask_form(const Problem&) {
  return {{{Tensor::S, read, matrix, "B H Nq Nk e"}, {Tensor::S_masked, write, matrix, "B H Nq Nk e"}}, {}};
}

KernelForm softmax_form(const Problem& p) {
  const Tensor scores = p.shape.mask.any() ? Tensor::S_masked : Tensor::S;
  const TrafficRule result{Tensor::P, write, matrix, "B H Nq Nk e"};
  if (Bytes(product(p.shape.seqlen_k, size_of(p.dtype))) <= p.row_capacity) {  // a row stays on chip
    return {{{scores, read, matrix, "B H Nq Nk e"}, result},
            {{"other_flops", "max, subtraction, sum, division", "4 B H Nq Nk"}, {"exp_count", "P", "B H Nq Nk"}}};
  }
  return {{{scores, read, matrix, "2 B H Nq Nk e"}, result},
          {{"other_flops", "max, subtraction, sum; subtraction, division", "5 B H Nq Nk"},
           {"exp_count", "P in each pass", "2 B H Nq Nk"}}};
}

KernelForm pv_gemm_form(const Problem&) {  // output tiles Br x d: one column of tiles
  return {{{Tensor::P, read, matrix, "B H Nq Nk e"},
           {Tensor::V, read, matrix, "B H Tr Nk d e"},
           {Tensor::O, write, matrix, "B H Nq d e"}},
          {{"matmul_flops", "P V", "2 B H Nq Nk d"}}};
}

}  // namespace sim
