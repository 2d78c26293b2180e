// Closed forms of the fused programs, forward, which skip tiles without a visible pair. They differ in what stays on
// chip: the outer loop's blocks are read once, the inner loop's once per live tile. Sources: Dao et al. 2022, Algorithm
// 1 and appendices B.1 and C; Dao 2023, Algorithm 1.
#include "sim/model/kernel_form.h"

namespace sim {
namespace {

constexpr Direction read = Direction::read, write = Direction::write;
constexpr Bucket matrix = Bucket::matrix, statistics = Bucket::statistics, initialisation = Bucket::initialisation;

constexpr WorkRule products{"matmul_flops", "Q K^T and P V", "4 B H A d"};
constexpr WorkRule softmax{"other_flops", "scale, max, subtraction, sum", "4 B H A"};
constexpr WorkRule exponentials{"exp_count", "P", "B H A"};
constexpr WorkRule dropout{"other_flops", "dropout of P", "B H A"};

}  // namespace

/// Two passes over K, one over V, for each row block; L goes to HBM between them.
KernelForm memory_efficient_forward_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::Q, read, matrix, "B H Rq d e"},
                        {Tensor::K, read, matrix, "2 B H Ak d e"},
                        {Tensor::L, write, statistics, "4 B H Nq"},
                        {Tensor::L, read, statistics, "4 B H Rq"},
                        {Tensor::V, read, matrix, "B H Ak d e"},
                        {Tensor::O, write, matrix, "B H Nq d e"}},
                       {{"matmul_flops", "Q K^T twice, P V", "6 B H A d"},
                        {"other_flops", "scale, max, subtraction, sum; scale, subtraction, sum", "7 B H A"},
                        {"other_flops", "O / l", "B H Nq d"},
                        {"exp_count", "P in each pass", "2 B H A"}}},
                      dropout);
}

/// K and V outside: Q, O, l and m pass by once per column block.
KernelForm flash1_forward_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::O, write, initialisation, "B H Nq d e"},
                        {Tensor::l, write, initialisation, "4 B H Nq"},
                        {Tensor::m, write, initialisation, "4 B H Nq"},
                        {Tensor::K, read, matrix, "B H Ck d e"},
                        {Tensor::V, read, matrix, "B H Ck d e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::O, read, matrix, "B H Aq d e"},
                        {Tensor::l, read, statistics, "4 B H Aq"},
                        {Tensor::m, read, statistics, "4 B H Aq"},
                        {Tensor::O, write, matrix, "B H Aq d e"},
                        {Tensor::l, write, statistics, "4 B H Aq"},
                        {Tensor::m, write, statistics, "4 B H Aq"}},
                       {products, softmax, {"other_flops", "(alpha l O + beta P V) / l'", "3 B H Aq d"}, exponentials}},
                      dropout);
}

/// As released: L in place of l and m, O in fp32 between the passes; nothing is read in the first pass.
KernelForm flash1_released_forward_form(const Problem& p) {
  return with_dropout(
      p,
      {{{Tensor::K, read, matrix, "B H Ck d e"},
        {Tensor::V, read, matrix, "B H Ck d e"},
        {Tensor::Q, read, matrix, "B H Aq d e"},
        {Tensor::L, read, statistics, "4 B H Mq"},
        {Tensor::O_tmp, read, matrix, "4 B H Mq d"},
        {Tensor::L, write, statistics, "4 B H Aq"},
        {Tensor::O_tmp, write, matrix, "4 B H Mq d"},
        {Tensor::O, write, matrix, "B H Nq d e"}},
       {products, softmax, {"other_flops", "l O", "B H Mq d"}, {"other_flops", "O / l", "B H Aq d"}, exponentials}},
      dropout);
}

/// Q outside: K and V pass by once per row block; O is rescaled on chip and divided by l once.
KernelForm flash2_forward_form(const Problem& p) {
  return with_dropout(
      p,
      {{{Tensor::Q, read, matrix, "B H Rq d e"},
        {Tensor::K, read, matrix, "B H Ak d e"},
        {Tensor::V, read, matrix, "B H Ak d e"},
        {Tensor::O, write, matrix, "B H Nq d e"},
        {Tensor::L, write, statistics, "4 B H Nq"}},
       {products, softmax, {"other_flops", "alpha O", "B H Aq d"}, {"other_flops", "O / l", "B H Nq d"}, exponentials}},
      dropout);
}

}  // namespace sim
