// Closed forms of block-sparse FlashAttention: those of FlashAttention-1 with sums over the live tiles of the pattern,
// except for K and V, which every column block reads, and for the pattern, a byte for each tile and query head. Without
// statistics and initialisation, 2 N d + 3 s Tc N d elements forward, with s the share of visible blocks.
// Source: Dao et al. 2022, Algorithm 5, Proposition 4.
#include "sim/programs/kernel_form.h"

namespace sim {
namespace {

using namespace form;

KernelForm block_sparse_forward_form(const Problem& p) {
  return with_dropout(
      p,
      {{{Tensor::O, write, initialisation, "B H Nq d e"},
        {Tensor::l, write, initialisation, "4 B H Nq"},
        {Tensor::m, write, initialisation, "4 B H Nq"},
        {Tensor::K, read, matrix, "B H Nk d e"},
        {Tensor::V, read, matrix, "B H Nk d e"},
        {Tensor::mask_blocks, read, matrix, "B H Tr Tc"},
        {Tensor::Q, read, matrix, "B H Aq d e"},
        {Tensor::O, read, matrix, "B H Aq d e"},
        {Tensor::l, read, statistics, "4 B H Aq"},
        {Tensor::m, read, statistics, "4 B H Aq"},
        {Tensor::O, write, matrix, "B H Aq d e"},
        {Tensor::l, write, statistics, "4 B H Aq"},
        {Tensor::m, write, statistics, "4 B H Aq"}},
       {products, softmax, {"other_flops", /*say*/ "(alpha l O + beta P V) / l'", "3 B H Aq d"}, exponentials}},
      dropout);
}

KernelForm block_sparse_backward_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::dQ, write, initialisation, "B H Nq d e"},
                        {Tensor::dK, write, initialisation, "B Hk Nk d e"},
                        {Tensor::dV, write, initialisation, "B Hk Nk d e"},
                        {Tensor::K, read, matrix, "B Hk Nk d e"},
                        {Tensor::V, read, matrix, "B Hk Nk d e"},
                        {Tensor::mask_blocks, read, matrix, "B H Tr Tc"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::O, read, matrix, "B H Aq d e"},
                        {Tensor::dO, read, matrix, "B H Aq d e"},
                        {Tensor::dQ, read, matrix, "B H Aq d e"},
                        {Tensor::l, read, statistics, "4 B H Aq"},
                        {Tensor::m, read, statistics, "4 B H Aq"},
                        {Tensor::dQ, write, matrix, "B H Aq d e"},
                        {Tensor::dK, write, matrix, "B Hk Nk d e"},
                        {Tensor::dV, write, matrix, "B Hk Nk d e"}},
                       {{"matmul_flops", /*say*/ "Q K^T, P^T dO, dO V^T, dS K and dS^T Q", "10 B H A d"},
                        {"other_flops", /*say*/ "scale, subtraction, division; dS = P o (dP - D), scale", "6 B H A"},
                        {"other_flops", "D = rowsum(dO o O)", "2 B H Aq d"},
                        exponentials}},
                      dropout_of_both);
}

}  // namespace

std::span<const NamedForm> block_sparse_forms() {
  static constexpr NamedForm forms[] = {{"block_sparse_forward", block_sparse_forward_form},
                                        {"block_sparse_backward", block_sparse_backward_form}};
  return forms;
}

}  // namespace sim
