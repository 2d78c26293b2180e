// Reference attention in double precision with Eigen, independent of the tile machine and of the programs.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/dropout.h"
#include "sim/base/dtype.h"
#include "sim/base/score.h"
#include "sim/base/shape.h"
#include "sim/base/sinks.h"

namespace sim {

/// Inputs of attention in HBM, row-major: q (batch, heads, Nq, d), k and v (batch, kv_heads, Nk, d), and for a backward
/// pass d_o, the gradient of O, laid out like q.
struct AttentionInputs {
  std::vector<float> q, k, v, d_o = {};
};

/// o (batch, heads, Nq, d) and L = m + log l (batch, heads, Nq) in double.
struct AttentionReference {
  std::vector<double> o, log_sum_exp;
};

/// Gradients of q, k and v in the layouts of q, k and v; d_k and d_v are summed over the query heads of a group.
template <class Scalar>
struct AttentionGradients {
  std::vector<Scalar> d_q, d_k, d_v;
};

/// O = (Z o softmax(mask(scale Q K^T))) V per head, with Z = 1 / (1 - p) if dropout keeps an entry, else 0; L_i = log
/// sum_j exp(S_ij), unaffected by dropout. A sink adds exp(sink) to that sum and nothing to O. Sums run over visible
/// keys only, so a NaN at a hidden key cannot reach a row. A row without visible keys, or with scores of -inf only,
/// gives O = 0 and L = -inf. Cost: O(N^2 d) FLOPs and a block of scores at a time. Throws Error if the sizes of the
/// inputs do not fit the shape. Source: Dao et al. 2022, section 2.2 (with the scale, mask and dropout of its Algorithm
/// 2).
AttentionReference attention_reference(const Shape& shape, double scale, const AttentionInputs& inputs,
                                       const Dropout& dropout = {}, const ScoreSteps* steps = nullptr,
                                       const Sinks* sinks = nullptr);

/// Gradients of attention_reference(): with P the softmax and P_d = Z o P: dV = P_d^T dO; dP = Z o (dO V^T); D =
/// rowsum(P o dP); dS = P o (dP - D); dQ = scale dS K; dK = scale dS^T Q. Cost and errors as above. Source: Dao et al.
/// 2022, appendix B.4.
AttentionGradients<double> attention_reference_backward(const Shape& shape, double scale, const AttentionInputs& inputs,
                                                        const Dropout& dropout = {}, const ScoreSteps* steps = nullptr,
                                                        const Sinks* sinks = nullptr);

/// Dtypes in which the plain formula stores its matrices: one for all, or a separate one for the scores (S, dP). With
/// e4m3 the weights P have it, 448 times as large, and all others bf16.
struct PlainDtypes {
  Dtype stored, scores, weights;
  PlainDtypes(Dtype dtype) : PlainDtypes(dtype, dtype) {}  // NOLINT(google-explicit-constructor): one dtype is enough
  PlainDtypes(Dtype of_others, Dtype of_scores)
      : stored(result_dtype(of_others)), scores(result_dtype(of_scores)), weights(of_others) {}
};

/// Plain (unfused) attention: S, P, P_d and O are rounded to their dtype wherever a framework stores them; sums in
/// fp32; NaN and infinity at hidden keys do not propagate. It is the yardstick of the numerics rule (error of a kernel
/// <= 2x the error of plain attention), and the Eigen baseline of the benchmarks. Returns o in the layout of the
/// reference. Throws Error if a matrix of scores is larger than 4 GiB.
std::vector<float> attention_plain(const Shape& shape, float scale, PlainDtypes dtypes, const AttentionInputs& inputs,
                                   const Dropout& dropout = {}, const ScoreSteps* steps = nullptr,
                                   const Sinks* sinks = nullptr);

/// Gradients of plain attention: dP, dS, dQ, dK and dV are rounded where a framework stores them (rule: 3x).
AttentionGradients<float> attention_plain_backward(const Shape& shape, float scale, PlainDtypes dtypes,
                                                   const AttentionInputs& inputs, const Dropout& dropout = {},
                                                   const ScoreSteps* steps = nullptr, const Sinks* sinks = nullptr);

/// Inputs drawn from N(0, 1) by Philox4x32-10 (Salmon et al. 2011) from the seed alone, rounded to dtype. Element n of
/// tensor t depends only on (seed, t, n); V of a shape with kv_shared is taken from K. d_o stays empty.
AttentionInputs draw_inputs(const Shape& shape, Dtype dtype, std::uint64_t seed);

/// V of a shape whose V is the first columns of K (Shape::kv_shared).
std::vector<float> values_in(const std::vector<float>& k, HeadDims dims);

/// Tensors that are drawn, and the numbers that give a rotation its signs; each value is the number in the Philox
/// counter.
enum class DrawnTensor : std::uint32_t { Q = 0, K = 1, V = 2, dO = 3, signs = 4 };

/// Draws a range of one tensor's elements, equal to those of draw_inputs, without drawing the rest.
std::vector<float> draw_elements(Interval elements, Dtype dtype, std::uint64_t seed, DrawnTensor tensor);

/// As draw_elements, from N(0, 1) + N(0, 100) Bernoulli(0.001): one in a thousand has 10 times another normal number
/// added to it. Source: Shah et al. 2024, section 4.3.
std::vector<float> draw_with_outliers(Interval elements, Dtype dtype, std::uint64_t seed, DrawnTensor tensor);

inline constexpr std::int64_t largest_draw = std::int64_t{1} << 31;  ///< elements of one tensor: 8 GiB

/// Draws dO as draw_inputs draws q.
std::vector<float> draw_output_gradient(const Shape& shape, Dtype dtype, std::uint64_t seed);

}  // namespace sim
