// The reference: attention in double precision with Eigen, independent of the tile machine and of the programs.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/dtype.h"
#include "sim/base/shape.h"

namespace sim {

/// The inputs of attention in HBM, row-major: q (batch, heads, Nq, d), k and v (batch, kv_heads, Nk, d).
struct AttentionInputs {
  std::vector<float> q, k, v;
};

/// o (batch, heads, Nq, d) and L = m + log l (batch, heads, Nq) in double.
struct AttentionReference {
  std::vector<double> o, log_sum_exp;
};

/// O = softmax(mask(scale Q K^T)) V per head; L_i = log sum_j exp(S_ij). Sums run over visible keys only, so what a
/// mask hides never poisons a row. A row that sees nothing, or only scores of -inf, gives O = 0 and L = -inf.
/// Cost: O(N^2 d) FLOPs and one row of scores per head. Throws Error when the sizes of the inputs do not fit the shape.
/// Source: Dao et al. 2022, section 2.2 (with the scale and mask of its Algorithm 2).
AttentionReference attention_reference(const Shape& shape, double scale, const AttentionInputs& inputs);

/// The plain formula in one dtype: S, P and O are rounded to `dtype` wherever a framework stores them; sums in fp32.
/// It is the yardstick of the numerics rule (error of a kernel <= 2x the error of this), and the Eigen baseline of the
/// benchmarks. Returns o in the layout of the reference.
std::vector<float> attention_plain(const Shape& shape, float scale, Dtype dtype, const AttentionInputs& inputs);

/// Inputs drawn from N(0, 1) by Philox4x32-10 (Salmon et al. 2011) from the seed alone, rounded to dtype. Element n of
/// tensor t depends only on (seed, t, n).
AttentionInputs draw_inputs(const Shape& shape, Dtype dtype, std::uint64_t seed);

}  // namespace sim
