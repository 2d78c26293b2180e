// Closed forms of memory-efficient attention. Sources: Dao et al. 2022, appendices B.1 and B.2.
#include "sim/programs/kernel_form.h"

namespace sim {
namespace {

using namespace form;

/// Two passes over K, one over V, for each row block; L is written to HBM between them.
KernelForm memory_efficient_forward_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::Q, read, matrix, "B H Rq d e"},
                        {Tensor::K, read, matrix, "2 B H Ak d e"},
                        {Tensor::L, write, statistics, "4 B H Nq"},
                        {Tensor::L, read, statistics, "4 B H Rq"},
                        {Tensor::V, read, matrix, "B H Ak dv e"},
                        {Tensor::O, write, matrix, "B H Nq dv e"}},
                       {{"matmul_flops", /*say*/ "Q K^T twice, P V", "2 B H A (2d+dv)"},
                        {"other_flops", /*say*/ "scale, max, subtraction, sum; scale, subtraction, sum", "7 B H A"},
                        {"other_flops", "O / l", "B H Nq dv"},
                        {"exp_count", /*say*/ "P in each pass", "2 B H A"}}},
                      dropout);
}

/// One key at a time: Q and dO stream through.
KernelForm memory_efficient_dv_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::K, read, matrix, "B Hk Ck d e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::L, read, statistics, "4 B H Aq"},
                        {Tensor::dO, read, matrix, "B H Aq dv e"},
                        {Tensor::dV, write, matrix, "B Hk Nk dv e"}},
                       {{"matmul_flops", /*say*/ "Q K^T and P^T dO", "2 B H A (d+dv)"},
                        {"other_flops", /*say*/ "scale, subtraction", "2 B H A"},
                        exponentials}},
                      dropout);
}

KernelForm memory_efficient_d_form(const Problem&) {
  return {{{Tensor::dO, read, matrix, "B H Nq dv e"},
           {Tensor::O, read, matrix, "B H Nq dv e"},
           {Tensor::D, write, statistics, "4 B H Nq"}},
          {row_products}};
}

/// One query at a time: K and V stream through.
KernelForm memory_efficient_dq_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::Q, read, matrix, "B H Rq d e"},
                        {Tensor::dO, read, matrix, "B H Rq dv e"},
                        {Tensor::L, read, statistics, "4 B H Rq"},
                        {Tensor::D, read, statistics, "4 B H Rq"},
                        {Tensor::K, read, matrix, "B H Ak d e"},
                        {Tensor::V, read, matrix, "B H Ak dv e"},
                        {Tensor::dQ, write, matrix, "B H Nq d e"}},
                       {{"matmul_flops", /*say*/ "Q K^T, dO V^T and dS K", "2 B H A (2d+dv)"},
                        score_gradients,
                        {"other_flops", /*say*/ "scale of dQ", "B H Nq d"},
                        exponentials}},
                      dropout_of_dp);
}

/// One key at a time: Q and dO stream through.
KernelForm memory_efficient_dk_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::K, read, matrix, "B Hk Ck d e"},
                        {Tensor::V, read, matrix, "B Hk Ck dv e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::dO, read, matrix, "B H Aq dv e"},
                        {Tensor::L, read, statistics, "4 B H Aq"},
                        {Tensor::D, read, statistics, "4 B H Aq"},
                        {Tensor::dK, write, matrix, "B Hk Nk d e"}},
                       {{"matmul_flops", /*say*/ "Q K^T, dO V^T and dS^T Q", "2 B H A (2d+dv)"},
                        score_gradients,
                        {"other_flops", /*say*/ "scale of dK", "B Hk Nk d"},
                        exponentials}},
                      dropout_of_dp);
}

}  // namespace

std::span<const NamedForm> memory_efficient_forms() {
  static constexpr NamedForm forms[] = {{"memory_efficient_forward", memory_efficient_forward_form, "4 B H Ts", 2},
                                        {"memory_efficient_dv", memory_efficient_dv_form, "4 B H Tc"},
                                        {"memory_efficient_d", memory_efficient_d_form},
                                        {"memory_efficient_dq", memory_efficient_dq_form, "4 B H Ts", 1, true},
                                        {"memory_efficient_dk", memory_efficient_dk_form, "4 B H Tc", 1, true}};
  return forms;
}

}  // namespace sim
