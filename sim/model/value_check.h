// Computed values against the reference in double: errors, values that are not finite, and what the numerics rule says
// of each head.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sim/programs/run.h"

namespace sim {

/// max |O - reference| over all elements, absolute and relative to max |reference|. Elements where both are the same
/// non-finite value have no error; a lone NaN or infinity makes both errors infinite. NaN, no number, where no element
/// has one.
struct ValueCheck {
  double max_abs_error = 0, max_rel_error = 0;
  std::int64_t nonfinite = 0;  ///< values that are NaN or infinite
};

/// Compares values with the reference in double. Of `statistics` -infinity is a value like others: that of L in a row
/// that saw nothing.
ValueCheck check_values(std::span<const float> values, std::span<const double> reference, bool statistics = false);
inline ValueCheck check_values(const std::vector<float>& values, const std::vector<double>& reference,
                               bool statistics = false) {
  return check_values(std::span(values), std::span(reference), statistics);
}

/// The larger error, NaN where one of them is no number.
double larger_error(double a, double b);

/// The checks of every output: O and, with a backward pass, dQ, dK and dV.
struct ValueChecks {
  std::vector<std::pair<Tensor, ValueCheck>> by_tensor;
  ValueCheck worst() const;  ///< the largest of each error
};

/// Compares what a plan computed with the reference in double: O and the gradients of its passes. The largest error of
/// values some of which are not finite is no number.
ValueChecks check_outputs(const Plan& plan, const AttentionInputs& inputs, const AttentionOutputs& outputs);

/// One output of a plan, its exact values, and what the numerics rule (numerics_rule.h) lets pass of each head: of a
/// query head of O and dQ, of a KV head of dK and dV. Where the plain formula is not finite, because a dtype holds no
/// such scores, the one that keeps scores in fp32 bounds the head; NaN where that is not finite either.
struct JudgedOutput {
  Tensor tensor = Tensor::none;
  std::vector<float> AttentionOutputs::*values = nullptr;
  std::vector<double> exact;
  std::vector<double> allowed;    ///< by head
  std::vector<bool> wide_scores;  ///< by head: bounded by the formula with scores in fp32
  std::size_t elements() const { return exact.size() / allowed.size(); }  ///< of a head
};

/// Told what begins: "reference in double", "plain formula in fp16".
using OnJudging = std::function<void(std::string_view)>;

/// What a plan is held to.
struct Judged {
  std::vector<JudgedOutput> outputs;  ///< of the plan's passes
  std::vector<double> log_sum_exp;    ///< the exact L of a forward pass
};

/// Throws Error when a head's matrix of scores is too large for the plain formula
/// (4 GiB). Cost: O(N^2 d) per head.
Judged judge_outputs(const Plan& plan, const AttentionInputs& inputs, const OnJudging& on_judging);

/// The checks of each head of an output. The largest error of values some of which are not finite is no number.
std::vector<ValueCheck> check_heads(const JudgedOutput& output, const std::vector<float>& values);

/// All values are finite, and none is further off than a finite bound allows.
bool agrees(const ValueCheck& head, double allowed);

/// "head 3", "batch 1, head 3", "KV head 0": head n of a tensor, counted through all batch entries.
std::string head_text(const Shape& shape, Tensor tensor, std::int64_t n);

/// Of a plan whose kernels see the queries of several heads as those of one: "heads 0 to 3".
std::string head_text(const Plan& plan, Tensor tensor, std::int64_t n);

/// "since line 17 of standard/standard.cpp, kernel qk_gemm: cta.store(...)", or where no verb shows one "".
std::string origin_text(const Plan& plan, const AttentionInputs& inputs, Tensor tensor, std::int64_t n);

/// "the scores of 2 heads are beyond fp16: bounded by the plain formula with scores in fp32"
std::string wide_scores_text(Dtype dtype, std::size_t heads);

/// "64 of 4096 values of O in head 0 are not finite, since line ..."; `where`: the head.
std::string nonfinite_text(std::int64_t count, std::size_t elements, Tensor tensor, const std::string& where,
                           const std::string& since);

/// The largest number of heads that a message names.
inline constexpr std::size_t most_named_heads = 4;

/// A nonfinite_text for each of the first heads that have such values, then how many more heads have some. Empty where
/// all values are finite.
std::vector<std::string> nonfinite_results(const Plan& plan, const AttentionInputs& inputs,
                                           const AttentionOutputs& outputs);

}  // namespace sim
