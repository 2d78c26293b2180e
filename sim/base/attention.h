// The reference: attention in double precision with Eigen, independent of the tile machine and of the programs.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/dropout.h"
#include "sim/base/dtype.h"
#include "sim/base/shape.h"

namespace sim {

/// The inputs of attention in HBM, row-major: q (batch, heads, Nq, d), k and v (batch, kv_heads, Nk, d), and for a
/// backward pass d_o, the gradient of O, like q.
struct AttentionInputs {
  std::vector<float> q, k, v, d_o = {};
};

/// o (batch, heads, Nq, d) and L = m + log l (batch, heads, Nq) in double.
struct AttentionReference {
  std::vector<double> o, log_sum_exp;
};

/// The gradients of q, k and v in their layouts; those of k and v are sums over the query heads of a group.
template <class Scalar>
struct AttentionGradients {
  std::vector<Scalar> d_q, d_k, d_v;
};

/// O = (Z o softmax(mask(scale Q K^T))) V per head, Z = 1 / (1 - p) where dropout keeps an entry, else 0; L_i = log
/// sum_j exp(S_ij), which dropout leaves alone. Sums run over visible keys only, so what a mask hides never poisons a
/// row. A row that sees nothing, or only scores of -inf, gives O = 0 and L = -inf. Cost: O(N^2 d) FLOPs and a block of
/// scores at a time. Throws Error when the sizes of the inputs do not fit the shape. Source: Dao et al. 2022,
/// section 2.2 (with the scale, mask and dropout of its Algorithm 2).
AttentionReference attention_reference(const Shape& shape, double scale, const AttentionInputs& inputs,
                                       const Dropout& dropout = {});

/// Its gradients: with P the softmax and P_d = Z o P: dV = P_d^T dO; dP = Z o (dO V^T); D = rowsum(P o dP);
/// dS = P o (dP - D); dQ = scale dS K; dK = scale dS^T Q. Cost and errors as above.
/// Source: Dao et al. 2022, appendix B.4.
AttentionGradients<double> attention_reference_backward(const Shape& shape, double scale, const AttentionInputs& inputs,
                                                        const Dropout& dropout = {});

/// What the plain formula stores its matrices in: one dtype, or scores (S, dP) in another.
struct PlainDtypes {
  Dtype stored, scores;
  PlainDtypes(Dtype dtype) : PlainDtypes(dtype, dtype) {}  // NOLINT(google-explicit-constructor): one dtype is enough
  PlainDtypes(Dtype of_others, Dtype of_scores) : stored(of_others), scores(of_scores) {}
};

/// The plain formula in one dtype: S, P, P_d and O are rounded to `dtype` wherever a framework stores them; sums in
/// fp32; what P hides poisons nothing. It is the yardstick of the numerics rule (error of a kernel <= 2x the error of
/// this), and the Eigen baseline of the benchmarks. Returns o in the layout of the reference. Throws Error when a
/// matrix of scores is larger than 4 GiB.
std::vector<float> attention_plain(const Shape& shape, float scale, PlainDtypes dtypes, const AttentionInputs& inputs,
                                   const Dropout& dropout = {});

/// The same of the gradients: dP, dS, dQ, dK and dV are rounded where a framework stores them (rule: 3x).
AttentionGradients<float> attention_plain_backward(const Shape& shape, float scale, PlainDtypes dtypes,
                                                   const AttentionInputs& inputs, const Dropout& dropout = {});

/// Inputs drawn from N(0, 1) by Philox4x32-10 (Salmon et al. 2011) from the seed alone, rounded to dtype. Element n of
/// tensor t depends only on (seed, t, n). d_o stays empty.
AttentionInputs draw_inputs(const Shape& shape, Dtype dtype, std::uint64_t seed);

/// The tensors that are drawn, by the number that stands in their counters.
enum class DrawnTensor : std::uint32_t { Q = 0, K = 1, V = 2, dO = 3 };

/// Some of the elements of one tensor as draw_inputs draws them: those of a row block, without the rest.
std::vector<float> draw_elements(Interval elements, Dtype dtype, std::uint64_t seed, DrawnTensor tensor);

/// dO drawn in the same way.
std::vector<float> draw_output_gradient(const Shape& shape, Dtype dtype, std::uint64_t seed);

}  // namespace sim
