// Closed forms of FlashAttention-1, alone and under a pattern, which hides no block of K and V: then the forward pass
// moves 2 N d + 3 s Tc N d elements without statistics and initialisation, with s the share of visible blocks.
// Sources: Dao et al. 2022, Algorithms 1 and 4, appendix C; Algorithm 5, Proposition 4.
#include "sim/programs/kernel_form.h"

namespace sim {
namespace {

using namespace form;

/// Outer loop over K and V: Q, O, l and m move once per column block.
KernelForm flash1_forward_form(const Problem& p) {
  const std::string_view keys = p.pattern() ? "B H Nk d e" : "B H Ck d e",
                         values = p.pattern() ? "B H Nk dv e" : "B H Ck dv e";
  return with_dropout(
      p,
      {{{Tensor::O, write, initialisation, "B H Nq dv e"},
        {Tensor::l, write, initialisation, "4 B H Nq"},
        {Tensor::m, write, initialisation, "4 B H Nq"},
        {Tensor::K, read, matrix, keys},
        {Tensor::V, read, matrix, values},
        {Tensor::Q, read, matrix, "B H Aq d e"},
        {Tensor::O, read, matrix, "B H Aq dv e"},
        {Tensor::l, read, statistics, "4 B H Aq"},
        {Tensor::m, read, statistics, "4 B H Aq"},
        {Tensor::O, write, matrix, "B H Aq dv e"},
        {Tensor::l, write, statistics, "4 B H Aq"},
        {Tensor::m, write, statistics, "4 B H Aq"}},
       {products, softmax, {"other_flops", /*say*/ "(alpha l O + beta P V) / l'", "3 B H Aq dv"}, exponentials}},
      dropout);
}

/// Outer loop over K and V: Q, O, dO, dQ, l and m move once per column block, and D is computed each time.
KernelForm flash1_backward_form(const Problem& p) {
  const std::string_view keys = p.pattern() ? "B Hk Nk d e" : "B Hk Ck d e",
                         values = p.pattern() ? "B Hk Nk dv e" : "B Hk Ck dv e";
  return with_dropout(p,
                      {{{Tensor::dQ, write, initialisation, "B H Nq d e"},
                        {Tensor::dK, write, initialisation, "B Hk Nk d e"},
                        {Tensor::dV, write, initialisation, "B Hk Nk dv e"},
                        {Tensor::K, read, matrix, keys},
                        {Tensor::V, read, matrix, values},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::O, read, matrix, "B H Aq dv e"},
                        {Tensor::dO, read, matrix, "B H Aq dv e"},
                        {Tensor::dQ, read, matrix, "B H Aq d e"},
                        {Tensor::l, read, statistics, "4 B H Aq"},
                        {Tensor::m, read, statistics, "4 B H Aq"},
                        {Tensor::dQ, write, matrix, "B H Aq d e"},
                        {Tensor::dK, write, matrix, keys},
                        {Tensor::dV, write, matrix, values}},
                       {{"matmul_flops", /*say*/ "Q K^T, P^T dO, dO V^T, dS K and dS^T Q", "2 B H A (3d+2dv)"},
                        {"other_flops", /*say*/ "scale, subtraction, division; dS = P o (dP - D), scale", "6 B H A"},
                        {"other_flops", "D = rowsum(dO o O)", "2 B H Aq dv"},
                        exponentials}},
                      dropout_of_both);
}

}  // namespace

std::span<const NamedForm> flash1_forms() {
  static constexpr NamedForm forms[] = {
      {"flash1_forward", flash1_forward_form, "4 B H"},
      {"flash1_backward", flash1_backward_form, "4 B H", 1, true},
      {"block_sparse_forward", under_pattern<flash1_forward_form>, "4 B H"},
      {"block_sparse_backward", under_pattern<flash1_backward_form>, "4 B H", 1, true}};
  return forms;
}

}  // namespace sim
