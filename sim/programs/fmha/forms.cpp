// Closed forms of fused attention as in Apex. All keys are on chip, so every N x d matrix moves once, and no tile is
// skipped. Source: Apex, contrib/fmha.
#include "sim/programs/kernel_form.h"

namespace sim {
namespace {

using form::matrix;
using form::read;
using form::write;

KernelForm fmha_forward_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::Q, read, matrix, "B H Nq d e"},
                        {Tensor::K, read, matrix, "B Hk Nk d e"},
                        {Tensor::V, read, matrix, "B Hk Nk dv e"},
                        {Tensor::P, write, matrix, "B H Nq Nk e"},
                        {Tensor::O, write, matrix, "B H Nq dv e"}},
                       {{"matmul_flops", /*say*/ "Q K^T and P V", "2 B H Nq Nk (d+dv)"},
                        {"other_flops", /*say*/ "scale, max, subtraction, sum, division", "5 B H Nq Nk"},
                        {"exp_count", "P", "B H Nq Nk"}}},
                      {"other_flops", /*say*/ "dropout of P", "B H Nq Nk"});
}

KernelForm fmha_backward_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::K, read, matrix, "B Hk Nk d e"},
                        {Tensor::V, read, matrix, "B Hk Nk dv e"},
                        {Tensor::P, read, matrix, "B H Nq Nk e"},
                        {Tensor::dO, read, matrix, "B H Nq dv e"},
                        {Tensor::dS, write, matrix, "B H Nq Nk e"},
                        {Tensor::dS, read, matrix, "B H Nq Nk e"},
                        {Tensor::Q, read, matrix, "B H Nq d e"},
                        {Tensor::dQ, write, matrix, "B H Nq d e"},
                        {Tensor::dK, write, matrix, "B Hk Nk d e"},
                        {Tensor::dV, write, matrix, "B Hk Nk dv e"}},
                       {{"matmul_flops", /*say*/ "P^T dO, dO V^T, dS K and dS^T Q", "4 B H Nq Nk (d+dv)"},
                        {"other_flops", /*say*/ "D = rowsum(P o dP); dS = P o (dP - D), scale", "5 B H Nq Nk"}}},
                      {"other_flops", /*say*/ "dropout of P and dP", "2 B H Nq Nk"});
}

}  // namespace

std::span<const NamedForm> fmha_forms() {
  static constexpr NamedForm forms[] = {{"fmha_forward", fmha_forward_form}, {"fmha_backward", fmha_backward_form}};
  return forms;
}

}  // namespace sim
