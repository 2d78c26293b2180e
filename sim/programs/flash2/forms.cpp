// Closed forms of FlashAttention-2, alone and under a pattern. Sources: Dao 2023, Algorithms 1 and 2.
#include "sim/programs/kernel_form.h"

namespace sim {

/// Outer loop over Q: K and V move once per row block; O is rescaled on chip and divided by l once.
KernelForm form::flash2_forward(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::Q, read, matrix, "B H Rq d e"},
                        {Tensor::K, read, matrix, "B H Ak d e"},
                        {Tensor::V, read, matrix, "B H Ak dv e"},
                        {Tensor::O, write, matrix, "B H Nq dv e"},
                        {Tensor::L, write, statistics, "4 B H Nq"}},
                       {products,
                        softmax,
                        {"other_flops", /*say*/ "alpha O", "B H Aq dv"},
                        {"other_flops", "O / l", "B H Nq dv"},
                        exponentials}},
                      dropout);
}

KernelForm form::flash2_backward_prepare(const Problem&) {
  return {{{Tensor::O, read, matrix, "B H Nq dv e"},
           {Tensor::dO, read, matrix, "B H Nq dv e"},
           {Tensor::D, write, statistics, "4 B H Nq"},
           {Tensor::dQ_acc, write, initialisation, "4 B H Nq d"}},
          {row_products}};
}

/// A column block per CTA: Q and dO stream through; dQ_acc is read and written by reductions.
KernelForm form::flash2_backward(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::K, read, matrix, "B Hk Ck d e"},
                        {Tensor::V, read, matrix, "B Hk Ck dv e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::dO, read, matrix, "B H Aq dv e"},
                        {Tensor::L, read, statistics, "4 B H Aq"},
                        {Tensor::D, read, statistics, "4 B H Aq"},
                        {Tensor::dQ_acc, read, matrix, "4 B H Aq d"},
                        {Tensor::dQ_acc, write, matrix, "4 B H Aq d"},
                        {Tensor::dK, write, matrix, "B Hk Nk d e"},
                        {Tensor::dV, write, matrix, "B Hk Nk dv e"}},
                       {{"matmul_flops", /*say*/ "Q K^T, P^T dO, dO V^T, dS K and dS^T Q", "2 B H A (3d+2dv)"},
                        score_gradients,
                        {"other_flops", /*say*/ "scale of dK", "B Hk Nk d"},
                        exponentials}},
                      dropout_of_both);
}

KernelForm form::flash2_backward_finish(const Problem&) {
  return {{{Tensor::dQ_acc, read, matrix, "4 B H Nq d"}, {Tensor::dQ, write, matrix, "B H Nq d e"}},
          {{"other_flops", /*say*/ "scale of dQ", "B H Nq d"}}};
}

std::span<const NamedForm> flash2_forms() {
  static constexpr NamedForm forms[] = {
      {"flash2_forward", form::flash2_forward, "4 B H Ts"},
      {"flash2_backward", form::flash2_backward, "4 B H Tc", 1, true},
      {"flash2_block_sparse_forward", under_pattern<form::flash2_forward>, "4 B H Ts"},
      {"flash2_block_sparse_backward", under_pattern<form::flash2_backward>, "4 B H Tc", 1, true}};
  return forms;
}

}  // namespace sim
