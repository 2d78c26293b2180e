// Closed forms of FlashAttention-1 as its 2022 code implements it.
#include "sim/programs/flash1_released/tensors.h"
#include "sim/programs/kernel_form.h"

namespace sim {
namespace {

using namespace form;

/// Released forward pass: L instead of l and m, O in fp32 between the passes; the first pass reads neither.
KernelForm flash1_released_forward_form(const Problem& p) {
  return with_dropout(
      p,
      {{{Tensor::K, read, matrix, "B H Ck d e"},
        {Tensor::V, read, matrix, "B H Ck dv e"},
        {Tensor::Q, read, matrix, "B H Aq d e"},
        {Tensor::L, read, statistics, "4 B H Mq"},
        {O_tmp, read, matrix, "4 B H Mq dv"},
        {Tensor::L, write, statistics, "4 B H Aq"},
        {O_tmp, write, matrix, "4 B H Mq dv"},
        {Tensor::O, write, matrix, "B H Nq dv e"}},
       {products, softmax, {"other_flops", "l O", "B H Mq dv"}, {"other_flops", "O / l", "B H Aq dv"}, exponentials}},
      dropout);
}

/// Released backward pass: D computed once, dQ in fp32 between the passes; the first pass does not read dQ.
KernelForm flash1_released_backward_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::K, read, matrix, "B Hk Ck d e"},
                        {Tensor::V, read, matrix, "B Hk Ck dv e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::dO, read, matrix, "B H Aq dv e"},
                        {Tensor::O, read, matrix, "B H Nq dv e"},
                        {Tensor::D, write, statistics, "4 B H Nq"},
                        {Tensor::L, read, statistics, "4 B H Aq"},
                        {Tensor::D, read, statistics, "4 B H Aq"},
                        {dQ_tmp, read, matrix, "4 B H Mq d"},
                        {dQ_tmp, write, matrix, "4 B H Mq d"},
                        {Tensor::dQ, write, matrix, "B H Nq d e"},
                        {Tensor::dK, write, matrix, "B Hk Ck d e"},
                        {Tensor::dV, write, matrix, "B Hk Ck dv e"}},
                       {{"matmul_flops", /*say*/ "Q K^T, P^T dO, dO V^T, dS K and dS^T Q", "2 B H A (3d+2dv)"},
                        score_gradients,
                        row_products,
                        {"other_flops", /*say*/ "scale of dQ", "B H Nq d"},
                        {"other_flops", /*say*/ "scale of dK", "B Hk Ck d"},
                        exponentials}},
                      dropout_of_both);
}

}  // namespace

std::span<const NamedForm> flash1_released_forms() {
  static constexpr NamedForm forms[] = {{"flash1_released_forward", flash1_released_forward_form, "4 B H"},
                                        {"flash1_released_backward", flash1_released_backward_form, "4 B H", 1, true}};
  return forms;
}

}  // namespace sim
