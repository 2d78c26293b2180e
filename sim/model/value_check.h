// Computed values compared with the reference in double: errors, values that are not finite, and the verdict of the
// numerics rule on each head.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/programs/run.h"

namespace sim {

/// Errors of values: max |O - reference| over all elements, absolute and relative to max |reference|. Elements at which
/// both are the same non-finite value have no error; a NaN or infinity in only one of them makes both errors infinite.
/// NaN if no element has an error.
struct ValueCheck {
  double max_abs_error = 0, max_rel_error = 0;
  std::int64_t nonfinite = 0;  ///< values that are NaN or infinite
};

/// Compares values with the reference in double. In `statistics`, -infinity is an ordinary value: L of a row that saw
/// nothing.
ValueCheck check_values(std::span<const float> values, std::span<const double> reference, bool statistics = false);
inline ValueCheck check_values(const std::vector<float>& values, const std::vector<double>& reference,
                               bool statistics = false) {
  return check_values(std::span(values), std::span(reference), statistics);
}

/// Returns the larger error; NaN if one of them is NaN.
double larger_error(double a, double b);

/// Checks of every output: O and, with a backward pass, dQ, dK and dV.
struct ValueChecks {
  std::vector<std::pair<Tensor, ValueCheck>> by_tensor;
  /// Squares of the differences of O in e4m3 from attention in double on the inputs before they were quantised.
  struct Squares {
    double sum = 0;
    std::int64_t count = 0;
    double root_mean() const;
  };
  std::optional<Squares> of_unquantised = {};
  ValueCheck worst() const;  ///< largest of each error
};

/// Compares the outputs of a plan with the reference in double: O and the gradients of its passes. The largest error is
/// NaN if some of the values are not finite.
ValueChecks check_outputs(const Plan& plan, const AttentionInputs& inputs, const AttentionOutputs& outputs);

/// One output of a plan, its exact values, and the error that the numerics rule (numerics_rule.h) allows for each head:
/// a query head for O and dQ, a KV head for dK and dV. If the plain formula is not finite, because scores exceed the
/// range of its dtype, the formula with scores in fp32 bounds the head; NaN if that is not finite either.
struct JudgedOutput {
  Tensor tensor = Tensor::none;
  std::vector<float> AttentionOutputs::*values = nullptr;
  std::vector<double> exact;
  std::vector<double> allowed;    ///< by head
  std::vector<bool> wide_scores;  ///< by head: true if bounded by the formula with scores in fp32
  std::size_t elements() const { return exact.size() / allowed.size(); }  ///< elements per head
};

/// Called at the start of each step: "reference in double", "plain formula in fp16".
using OnJudging = std::function<void(std::string_view)>;

/// Exact values and allowed errors of a plan.
struct Judged {
  std::vector<JudgedOutput> outputs;  ///< outputs of the plan's passes
  std::vector<double> log_sum_exp;    ///< the exact L of a forward pass
};

/// Computes what a plan is judged by. Throws Error if a head's matrix of scores is too large for the plain formula (4
/// GiB). Cost: O(N^2 d) per head.
Judged judge_outputs(const Plan& plan, const AttentionInputs& inputs, const OnJudging& on_judging);

/// Checks each head of an output. The largest error is NaN if some of the values are not finite.
std::vector<ValueCheck> check_heads(const JudgedOutput& output, const std::vector<float>& values);

/// True if all values are finite and the largest error is within a finite bound.
bool agrees(const ValueCheck& head, double allowed);

/// Names head n of a tensor, counted through all batch entries: "head 3", "batch 1, head 3", "KV head 0".
std::string head_text(const Shape& shape, Tensor tensor, std::int64_t n);

/// As above; for a plan whose kernels see the queries of several heads as those of one: "heads 0 to 3".
std::string head_text(const Plan& plan, Tensor tensor, std::int64_t n);

/// Returns "since line 17 of standard/standard.cpp, kernel qk_gemm: cta.store(...)"; "" if no verb shows an origin.
std::string origin_text(const Plan& plan, const AttentionInputs& inputs, Tensor tensor, std::int64_t n);

/// Returns "the scores of 2 heads are beyond fp16: bounded by the plain formula with scores in fp32".
std::string wide_scores_text(Dtype dtype, std::size_t heads);

/// Returns "64 of 4096 values of O in head 0 are not finite, since line ..."; `where`: the head.
std::string nonfinite_text(std::int64_t count, std::size_t elements, Tensor tensor, const std::string& where,
                           const std::string& since);

/// Returns how many row blocks had a score out of the range of a unified maximum and were computed again; "" if none.
std::string recomputed_text(const Plan& plan, const AttentionOutputs& outputs);

/// Largest number of heads that a message names.
inline constexpr std::size_t most_named_heads = 4;

/// Returns a nonfinite_text for each of the first heads that have such values, then the number of further ones. Empty
/// if all values are finite.
std::vector<std::string> nonfinite_results(const Plan& plan, const AttentionInputs& inputs,
                                           const AttentionOutputs& outputs);

}  // namespace sim
