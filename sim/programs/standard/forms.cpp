// Closed forms of standard attention. A GEMM with output tiles Bm x Bn reads its left factor once per column of tiles
// and its right factor once per row of tiles; products with d columns have one column of tiles. Nothing is skipped, so
// a mask changes no count. Source: Dao et al. 2022, Algorithms 0 and 3.
#include "sim/programs/standard/tensors.h"

namespace sim {
namespace {

using form::matrix;
using form::read;
using form::write;

KernelForm qk_gemm_form(const Problem&) {
  return {{{Tensor::Q, read, matrix, "B H Tc Nq d e"},
           {Tensor::K, read, matrix, "B H Tr Nk d e"},
           {Tensor::S, write, matrix, "B H Nq Nk e"}},
          {{"matmul_flops", "Q K^T", "2 B H Nq Nk d"}, {"other_flops", /*say*/ "scale", "B H Nq Nk"}}};
}

Tensor modified_scores(const Problem& p) { return p.modified() ? S_modified : Tensor::S; }

KernelForm step_form(Tensor scores) {
  return {{{scores, read, matrix, "B H Nq Nk e"},
           {S_modified, write, matrix, "B H Nq Nk e"},
           {Tensor::slopes, read, matrix, "4 Sl B H Tr Tc"}},
          {{"other_flops", /*say*/ "score steps", "So B H Nq Nk"},
           {"tanh_count", /*say*/ "score steps", "St B H Nq Nk"},
           {"exp_count", /*say*/ "score steps", "Se B H Nq Nk"}}};
}

KernelForm mask_form(const Problem& p) {
  return {{{modified_scores(p), read, matrix, "B H Nq Nk e"}, {Tensor::S_masked, write, matrix, "B H Nq Nk e"}}, {}};
}

KernelForm softmax_form(const Problem& p) {
  const Tensor scores = p.shape.mask.any() ? Tensor::S_masked : modified_scores(p);
  const TrafficRule result{Tensor::P, write, matrix, "B H Nq Nk e"};
  if (Bytes(product(p.shape.seqlen_k, size_of(p.dtype))) <= p.row_capacity) {  // a row stays on chip
    return {
        {{scores, read, matrix, "B H Nq Nk e"}, result},
        {{"other_flops", /*say*/ "max, subtraction, sum, division", "4 B H Nq Nk"}, {"exp_count", "P", "B H Nq Nk"}}};
  }
  return {{{scores, read, matrix, "2 B H Nq Nk e"}, result},
          {{"other_flops", /*say*/ "max, subtraction, sum; subtraction, division", "5 B H Nq Nk"},
           {"exp_count", /*say*/ "P in each pass", "2 B H Nq Nk"}}};
}

KernelForm dropout_form(const Problem&) {
  return {{{Tensor::P, read, matrix, "B H Nq Nk e"},
           {Tensor::mask, write, matrix, "B H Nq Nk"},
           {Tensor::P_dropped, write, matrix, "B H Nq Nk e"}},
          {{"other_flops", /*say*/ "dropout of P", "B H Nq Nk"}}};
}

KernelForm pv_gemm_form(const Problem& p) {
  const Tensor weights = p.dropout.any() ? Tensor::P_dropped : Tensor::P;
  return {{{weights, read, matrix, "B H Nq Nk e"},
           {Tensor::V, read, matrix, "B H Tr Nk dv e"},
           {Tensor::O, write, matrix, "B H Nq dv e"}},
          {{"matmul_flops", "P V", "2 B H Nq Nk dv"}}};
}

KernelForm dv_gemm_form(const Problem& p) {
  const Tensor weights = p.dropout.any() ? Tensor::P_dropped : Tensor::P;
  return {{{weights, read, matrix, "B H Nq Nk e"},
           {Tensor::dO, read, matrix, "B H Tc Nq dv e"},
           {Tensor::dV, write, matrix, "B Hk Nk dv e"}},
          {{"matmul_flops", "P^T dO", "2 B H Nq Nk dv"}}};
}

KernelForm dp_gemm_form(const Problem& p) {
  return {{{Tensor::dO, read, matrix, "B H Tc Nq dv e"},
           {Tensor::V, read, matrix, "B H Tr Nk dv e"},
           {p.dropout.any() ? Tensor::dP_dropped : Tensor::dP, write, matrix, "B H Nq Nk e"}},
          {{"matmul_flops", "dO V^T", "2 B H Nq Nk dv"}}};
}

KernelForm dropout_backward_form(const Problem&) {
  return {{{Tensor::dP_dropped, read, matrix, "B H Nq Nk e"},
           {Tensor::mask, read, matrix, "B H Nq Nk"},
           {Tensor::dP, write, matrix, "B H Nq Nk e"}},
          {{"other_flops", /*say*/ "dropout of dP", "B H Nq Nk"}}};
}

KernelForm softmax_backward_form(const Problem& p) {
  const bool rows_fit = Bytes(product(2, p.shape.seqlen_k, size_of(p.dtype))) <= p.row_capacity;
  const std::string_view reads = rows_fit ? "B H Nq Nk e" : "2 B H Nq Nk e";
  return {
      {{Tensor::P, read, matrix, reads}, {Tensor::dP, read, matrix, reads}, {Tensor::dS, write, matrix, "B H Nq Nk e"}},
      {{"other_flops", "D = rowsum(P o dP); dS = P o (dP - D)", "4 B H Nq Nk"}}};
}

KernelForm dq_gemm_form(const Problem&) {
  return {{{Tensor::dS, read, matrix, "B H Nq Nk e"},
           {Tensor::K, read, matrix, "B H Tr Nk d e"},
           {Tensor::dQ, write, matrix, "B H Nq d e"}},
          {{"matmul_flops", "dS K", "2 B H Nq Nk d"}, {"other_flops", /*say*/ "scale", "B H Nq d"}}};
}

KernelForm dk_gemm_form(const Problem&) {
  return {{{Tensor::dS, read, matrix, "B H Nq Nk e"},
           {Tensor::Q, read, matrix, "B H Tc Nq d e"},
           {Tensor::dK, write, matrix, "B Hk Nk d e"}},
          {{"matmul_flops", "dS^T Q", "2 B H Nq Nk d"}, {"other_flops", /*say*/ "scale", "B Hk Nk d"}}};
}

}  // namespace

KernelForm standard_first_step_form(const Problem&) { return step_form(Tensor::S); }
KernelForm standard_step_form(const Problem&) { return step_form(S_modified); }

std::span<const NamedForm> standard_forms() {
  static constexpr NamedForm forms[] = {{"qk_gemm", qk_gemm_form},
                                        {"mask", mask_form},
                                        {"softmax", softmax_form},
                                        {"dropout", dropout_form},
                                        {"pv_gemm", pv_gemm_form},
                                        {"dv_gemm", dv_gemm_form},
                                        {"dp_gemm", dp_gemm_form},
                                        {"dropout_backward", dropout_backward_form},
                                        {"softmax_backward", softmax_backward_form},
                                        {"dq_gemm", dq_gemm_form},
                                        {"dk_gemm", dk_gemm_form}};
  return forms;
}

}  // namespace sim
