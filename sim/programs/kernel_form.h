// Equations of one kernel, in the symbols of sim/model/closed_form.h, and those shared by several programs. They are
// derived from the papers and the conventions only, without the tile machine; tests check count == closed form.
#pragma once
#include <string_view>
#include <vector>

#include "sim/programs/program.h"

namespace sim {

struct TrafficRule {
  Tensor tensor;
  Direction direction;
  Bucket bucket;
  std::string_view equation;
};

struct WorkRule {
  std::string_view quantity, what, equation;
};

struct KernelForm {
  std::vector<TrafficRule> traffic;
  std::vector<WorkRule> work;
};

/// Returns the form with one more item of work if there is dropout.
inline KernelForm with_dropout(const Problem& p, KernelForm form, WorkRule work) {
  if (p.dropout.any()) form.work.push_back(work);
  return form;
}

/// Form of a kernel that reads a pattern: one more byte for each tile and query head. Sums over live tiles are those of
/// the visible ones.
template <KernelForm (*dense)(const Problem&)>
KernelForm under_pattern(const Problem& p) {
  KernelForm form = dense(p);
  form.traffic.push_back({Tensor::mask_blocks, Direction::read, Bucket::matrix, "B H Tr Tc"});
  return form;
}

namespace form {

inline constexpr Direction read = Direction::read, write = Direction::write;
inline constexpr Bucket matrix = Bucket::matrix, statistics = Bucket::statistics,
                        initialisation = Bucket::initialisation;

// Work of fused programs, which skip tiles without a visible pair. They differ in the data that stays on chip: the
// outer loop's blocks are read once, the inner loop's once per live tile. Tensors of a KV head (K, V and their
// gradients) move once per column block, however many query heads share it.
inline constexpr WorkRule products{"matmul_flops", /*say*/ "Q K^T and P V", "2 B H A (d+dv)"};
inline constexpr WorkRule softmax{"other_flops", /*say*/ "scale, max, subtraction, sum", "4 B H A"};
inline constexpr WorkRule exponentials{"exp_count", "P", "B H A"};
inline constexpr WorkRule dropout{"other_flops", /*say*/ "dropout of P", "B H A"};
inline constexpr WorkRule row_products{"other_flops", "D = rowsum(dO o O)", "2 B H Nq dv"};
inline constexpr WorkRule dropout_of_dp{"other_flops", /*say*/ "dropout of dP", "B H A"};
inline constexpr WorkRule dropout_of_both{"other_flops", /*say*/ "dropout of P and dP", "2 B H A"};
inline constexpr WorkRule score_gradients{"other_flops", /*say*/ "scale, subtraction; dS = P o (dP - D)", "4 B H A"};

/// Forms of flash2's kernels. Its forward pass moves the bytes of flash-decoding with a single part; its backward pass
/// those of other programs that have a CTA for each column block and accumulate dQ in HBM.
KernelForm flash2_forward(const Problem& p);
KernelForm flash2_backward_prepare(const Problem& p);
KernelForm flash2_backward(const Problem& p);
KernelForm flash2_backward_finish(const Problem& p);

}  // namespace form

}  // namespace sim
