// Closed forms of the fused programs, backward. What belongs to a KV head (K, V and their gradients) moves once per
// column block, however many query heads share it; what belongs to a query head passes by once per live tile.
// Sources: Dao et al. 2022, Algorithm 4 and appendix B.2; Dao 2023, Algorithm 2.
#include "sim/model/kernel_form.h"

namespace sim {
namespace {

constexpr Direction read = Direction::read, write = Direction::write;
constexpr Bucket matrix = Bucket::matrix, statistics = Bucket::statistics, initialisation = Bucket::initialisation;

constexpr WorkRule exponentials{"exp_count", "P", "B H A"};
constexpr WorkRule row_products{"other_flops", "D = rowsum(dO o O)", "2 B H Nq d"};
constexpr WorkRule dropout_of_p{"other_flops", "dropout of P", "B H A"};
constexpr WorkRule dropout_of_dp{"other_flops", "dropout of dP", "B H A"};
constexpr WorkRule dropout_of_both{"other_flops", "dropout of P and dP", "2 B H A"};
constexpr WorkRule score_gradients{"other_flops", "scale, subtraction; dS = P o (dP - D)", "4 B H A"};

}  // namespace

/// One key at a time: Q and dO pass by.
KernelForm memory_efficient_dv_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::K, read, matrix, "B Hk Ck d e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::L, read, statistics, "4 B H Aq"},
                        {Tensor::dO, read, matrix, "B H Aq d e"},
                        {Tensor::dV, write, matrix, "B Hk Nk d e"}},
                       {{"matmul_flops", "Q K^T and P^T dO", "4 B H A d"},
                        {"other_flops", "scale, subtraction", "2 B H A"},
                        exponentials}},
                      dropout_of_p);
}

KernelForm memory_efficient_d_form(const Problem&) {
  return {{{Tensor::dO, read, matrix, "B H Nq d e"},
           {Tensor::O, read, matrix, "B H Nq d e"},
           {Tensor::D, write, statistics, "4 B H Nq"}},
          {row_products}};
}

/// One query at a time: K and V pass by.
KernelForm memory_efficient_dq_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::Q, read, matrix, "B H Rq d e"},
                        {Tensor::dO, read, matrix, "B H Rq d e"},
                        {Tensor::L, read, statistics, "4 B H Rq"},
                        {Tensor::D, read, statistics, "4 B H Rq"},
                        {Tensor::K, read, matrix, "B H Ak d e"},
                        {Tensor::V, read, matrix, "B H Ak d e"},
                        {Tensor::dQ, write, matrix, "B H Nq d e"}},
                       {{"matmul_flops", "Q K^T, dO V^T and dS K", "6 B H A d"},
                        score_gradients,
                        {"other_flops", "scale of dQ", "B H Nq d"},
                        exponentials}},
                      dropout_of_dp);
}

/// One key at a time: Q and dO pass by.
KernelForm memory_efficient_dk_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::K, read, matrix, "B Hk Ck d e"},
                        {Tensor::V, read, matrix, "B Hk Ck d e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::dO, read, matrix, "B H Aq d e"},
                        {Tensor::L, read, statistics, "4 B H Aq"},
                        {Tensor::D, read, statistics, "4 B H Aq"},
                        {Tensor::dK, write, matrix, "B Hk Nk d e"}},
                       {{"matmul_flops", "Q K^T, dO V^T and dS^T Q", "6 B H A d"},
                        score_gradients,
                        {"other_flops", "scale of dK", "B Hk Nk d"},
                        exponentials}},
                      dropout_of_dp);
}

/// K and V outside: Q, O, dO, dQ, l and m pass by once per column block, and D is computed each time.
KernelForm flash1_backward_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::dQ, write, initialisation, "B H Nq d e"},
                        {Tensor::dK, write, initialisation, "B Hk Nk d e"},
                        {Tensor::dV, write, initialisation, "B Hk Nk d e"},
                        {Tensor::K, read, matrix, "B Hk Ck d e"},
                        {Tensor::V, read, matrix, "B Hk Ck d e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::O, read, matrix, "B H Aq d e"},
                        {Tensor::dO, read, matrix, "B H Aq d e"},
                        {Tensor::dQ, read, matrix, "B H Aq d e"},
                        {Tensor::l, read, statistics, "4 B H Aq"},
                        {Tensor::m, read, statistics, "4 B H Aq"},
                        {Tensor::dQ, write, matrix, "B H Aq d e"},
                        {Tensor::dK, write, matrix, "B Hk Ck d e"},
                        {Tensor::dV, write, matrix, "B Hk Ck d e"}},
                       {{"matmul_flops", "Q K^T, P^T dO, dO V^T, dS K and dS^T Q", "10 B H A d"},
                        {"other_flops", "scale, subtraction, division; dS = P o (dP - D), scale", "6 B H A"},
                        {"other_flops", "D = rowsum(dO o O)", "2 B H Aq d"},
                        exponentials}},
                      dropout_of_both);
}

/// As released: D once, dQ in fp32 between the passes; nothing is read of it in the first pass.
KernelForm flash1_released_backward_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::K, read, matrix, "B Hk Ck d e"},
                        {Tensor::V, read, matrix, "B Hk Ck d e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::dO, read, matrix, "B H Aq d e"},
                        {Tensor::O, read, matrix, "B H Nq d e"},
                        {Tensor::D, write, statistics, "4 B H Nq"},
                        {Tensor::L, read, statistics, "4 B H Aq"},
                        {Tensor::D, read, statistics, "4 B H Aq"},
                        {Tensor::dQ_tmp, read, matrix, "4 B H Mq d"},
                        {Tensor::dQ_tmp, write, matrix, "4 B H Mq d"},
                        {Tensor::dQ, write, matrix, "B H Nq d e"},
                        {Tensor::dK, write, matrix, "B Hk Ck d e"},
                        {Tensor::dV, write, matrix, "B Hk Ck d e"}},
                       {{"matmul_flops", "Q K^T, P^T dO, dO V^T, dS K and dS^T Q", "10 B H A d"},
                        score_gradients,
                        row_products,
                        {"other_flops", "scale of dQ", "B H Nq d"},
                        {"other_flops", "scale of dK", "B Hk Ck d"},
                        exponentials}},
                      dropout_of_both);
}

KernelForm flash2_backward_prepare_form(const Problem&) {
  return {{{Tensor::O, read, matrix, "B H Nq d e"},
           {Tensor::dO, read, matrix, "B H Nq d e"},
           {Tensor::D, write, statistics, "4 B H Nq"},
           {Tensor::dQ_acc, write, initialisation, "4 B H Nq d"}},
          {row_products}};
}

/// A column block per CTA: Q and dO pass by; dQ_acc is read and written by reductions.
KernelForm flash2_backward_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::K, read, matrix, "B Hk Ck d e"},
                        {Tensor::V, read, matrix, "B Hk Ck d e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::dO, read, matrix, "B H Aq d e"},
                        {Tensor::L, read, statistics, "4 B H Aq"},
                        {Tensor::D, read, statistics, "4 B H Aq"},
                        {Tensor::dQ_acc, read, matrix, "4 B H Aq d"},
                        {Tensor::dQ_acc, write, matrix, "4 B H Aq d"},
                        {Tensor::dK, write, matrix, "B Hk Nk d e"},
                        {Tensor::dV, write, matrix, "B Hk Nk d e"}},
                       {{"matmul_flops", "Q K^T, P^T dO, dO V^T, dS K and dS^T Q", "10 B H A d"},
                        score_gradients,
                        {"other_flops", "scale of dK", "B Hk Nk d"},
                        exponentials}},
                      dropout_of_both);
}

KernelForm flash2_backward_finish_form(const Problem&) {
  return {{{Tensor::dQ_acc, read, matrix, "4 B H Nq d"}, {Tensor::dQ, write, matrix, "B H Nq d e"}},
          {{"other_flops", "scale of dQ", "B H Nq d"}}};
}

}  // namespace sim
