// Closed forms of standard attention as PyTorch runs it: every kernel reads its operands once and writes its result
// once, GEMMs as those of `standard`. Nothing is skipped. Source: as in the listings.
#include "sim/programs/kernel_form.h"
#include "sim/programs/standard_pytorch/tensors.h"

namespace sim {
namespace {

using form::matrix;
using form::read;
using form::write;

Tensor scores_in_pytorch(const Problem& p) { return p.shape.mask.any() ? Tensor::S_masked : Tensor::S; }

KernelForm scale_q_in_pytorch(const Problem&) {
  return {{{Tensor::Q, read, matrix, "B H Nq d e"}, {Q_scaled, write, matrix, "B H Nq d e"}},
          {{"other_flops", /*say*/ "scale", "B H Nq d"}}};
}

KernelForm scale_k_in_pytorch(const Problem&) {
  return {{{Tensor::K, read, matrix, "B Hk Nk d e"}, {K_scaled, write, matrix, "B Hk Nk d e"}},
          {{"other_flops", /*say*/ "scale", "B Hk Nk d"}}};
}

KernelForm qk_bmm_in_pytorch(const Problem&) {
  return {{{Q_scaled, read, matrix, "B H Tc Nq d e"},
           {K_scaled, read, matrix, "B H Tr Nk d e"},
           {Tensor::S, write, matrix, "B H Nq Nk e"}},
          {{"matmul_flops", "Q K^T", "2 B H Nq Nk d"}}};
}

KernelForm add_bias_in_pytorch(const Problem&) {
  return {{{Tensor::S, read, matrix, "B H Nq Nk e"},
           {bias, read, matrix, "B H Nq Nk e"},
           {Tensor::S_masked, write, matrix, "B H Nq Nk e"}},
          {{"other_flops", /*say*/ "addition of the mask", "B H Nq Nk"}}};
}

KernelForm softmax_in_pytorch(const Problem& p) {
  const TrafficRule result{P_soft, write, matrix, "B H Nq Nk e"};
  if (Bytes(product(p.shape.seqlen_k, size_of(p.dtype))) <= p.row_capacity) {  // a row stays on chip
    return {
        {{scores_in_pytorch(p), read, matrix, "B H Nq Nk e"}, result},
        {{"other_flops", /*say*/ "max, subtraction, sum, division", "4 B H Nq Nk"}, {"exp_count", "P", "B H Nq Nk"}}};
  }
  return {{{scores_in_pytorch(p), read, matrix, "2 B H Nq Nk e"}, result},
          {{"other_flops", /*say*/ "max, subtraction, sum; subtraction, division", "5 B H Nq Nk"},
           {"exp_count", /*say*/ "P in each pass", "2 B H Nq Nk"}}};
}

KernelForm compare_in_pytorch(const Problem& p) {
  return {{{scores_in_pytorch(p), read, matrix, "B H Nq Nk e"}, {hidden, write, matrix, "B H Nq Nk"}},
          {{"other_flops", /*say*/ "comparison with -inf", "B H Nq Nk"}}};
}

KernelForm all_hidden_in_pytorch(const Problem&) {
  return {{{hidden, read, matrix, "B H Nq Nk"}, {empty, write, matrix, "B H Nq"}}, {}};
}

KernelForm select_in_pytorch(const Problem&) {
  return {{{empty, read, matrix, "B H Nq"},
           {P_soft, read, matrix, "B H Nq Nk e"},
           {Tensor::P, write, matrix, "B H Nq Nk e"}},
          {}};
}

KernelForm pv_bmm_in_pytorch(const Problem&) {
  return {{{Tensor::P, read, matrix, "B H Nq Nk e"},
           {Tensor::V, read, matrix, "B H Tr Nk dv e"},
           {Tensor::O, write, matrix, "B H Nq dv e"}},
          {{"matmul_flops", "P V", "2 B H Nq Nk dv"}}};
}

KernelForm dp_bmm_in_pytorch(const Problem&) {
  return {{{Tensor::dO, read, matrix, "B H Tc Nq dv e"},
           {Tensor::V, read, matrix, "B H Tr Nk dv e"},
           {Tensor::dP, write, matrix, "B H Nq Nk e"}},
          {{"matmul_flops", "dO V^T", "2 B H Nq Nk dv"}}};
}

KernelForm dv_bmm_in_pytorch(const Problem&) {
  return {{{Tensor::P, read, matrix, "B H Nq Nk e"},
           {Tensor::dO, read, matrix, "B H Tc Nq dv e"},
           {Tensor::dV, write, matrix, "B Hk Nk dv e"}},
          {{"matmul_flops", "P^T dO", "2 B H Nq Nk dv"}}};
}

KernelForm multiply_in_pytorch(const Problem&) {
  return {{{Tensor::P, read, matrix, "B H Nq Nk e"},
           {Tensor::dP, read, matrix, "B H Nq Nk e"},
           {dP_weighted, write, matrix, "B H Nq Nk e"}},
          {{"other_flops", "P o dP", "B H Nq Nk"}}};
}

KernelForm softmax_backward_in_pytorch(const Problem& p) {
  const bool rows_fit = Bytes(product(2, p.shape.seqlen_k, size_of(p.dtype))) <= p.row_capacity;
  return {{{Tensor::P, read, matrix, "B H Nq Nk e"},
           {dP_weighted, read, matrix, rows_fit ? "B H Nq Nk e" : "2 B H Nq Nk e"},
           {Tensor::dS, write, matrix, "B H Nq Nk e"}},
          {{"other_flops", "D = rowsum(P o dP); dS = P o dP - D P", "3 B H Nq Nk"}}};
}

KernelForm dq_bmm_in_pytorch(const Problem&) {
  return {{{Tensor::dS, read, matrix, "B H Nq Nk e"},
           {K_scaled, read, matrix, "B H Tr Nk d e"},
           {dQ_scaled, write, matrix, "B H Nq d e"}},
          {{"matmul_flops", "dS K", "2 B H Nq Nk d"}}};
}

KernelForm dk_bmm_in_pytorch(const Problem&) {
  return {{{Tensor::dS, read, matrix, "B H Nq Nk e"},
           {Q_scaled, read, matrix, "B H Tc Nq d e"},
           {dK_scaled, write, matrix, "B Hk Nk d e"}},
          {{"matmul_flops", "dS^T Q", "2 B H Nq Nk d"}}};
}

KernelForm scale_dq_in_pytorch(const Problem&) {
  return {{{dQ_scaled, read, matrix, "B H Nq d e"}, {Tensor::dQ, write, matrix, "B H Nq d e"}},
          {{"other_flops", /*say*/ "scale", "B H Nq d"}}};
}

KernelForm scale_dk_in_pytorch(const Problem&) {
  return {{{dK_scaled, read, matrix, "B Hk Nk d e"}, {Tensor::dK, write, matrix, "B Hk Nk d e"}},
          {{"other_flops", /*say*/ "scale", "B Hk Nk d"}}};
}

}  // namespace

std::span<const NamedForm> standard_pytorch_forms() {
  static constexpr NamedForm forms[] = {{"scale_q", scale_q_in_pytorch},
                                        {"scale_k", scale_k_in_pytorch},
                                        {"qk_bmm", qk_bmm_in_pytorch},
                                        {"add_bias", add_bias_in_pytorch},
                                        {"softmax", softmax_in_pytorch},
                                        {"compare", compare_in_pytorch},
                                        {"all_hidden", all_hidden_in_pytorch},
                                        {"select", select_in_pytorch},
                                        {"pv_bmm", pv_bmm_in_pytorch},
                                        {"dp_bmm", dp_bmm_in_pytorch},
                                        {"dv_bmm", dv_bmm_in_pytorch},
                                        {"multiply", multiply_in_pytorch},
                                        {"softmax_backward", softmax_backward_in_pytorch},
                                        {"dq_bmm", dq_bmm_in_pytorch},
                                        {"dk_bmm", dk_bmm_in_pytorch},
                                        {"scale_dq", scale_dq_in_pytorch},
                                        {"scale_dk", scale_dk_in_pytorch}};
  return forms;
}

}  // namespace sim
