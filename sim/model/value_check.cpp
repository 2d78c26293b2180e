#include "sim/model/value_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/check.h"
#include "sim/model/numerics_rule.h"
#include "sim/programs/fp8.h"
#include "sim/programs/ragged.h"

namespace sim {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<float> AttentionOutputs::*;

bool of_kv_heads(Tensor tensor) { return tensor == Tensor::dK || tensor == Tensor::dV; }

/// Returns the outputs of a plan's passes, and the members that hold them.
std::vector<std::pair<Tensor, Values>> outputs_of(const Plan& plan) {
  std::vector<std::pair<Tensor, Values>> outputs;
  if (plan.has_forward()) outputs.emplace_back(Tensor::O, &AttentionOutputs::o);
  if (!plan.has_backward()) return outputs;
  outputs.emplace_back(Tensor::dQ, &AttentionOutputs::d_q);
  outputs.emplace_back(Tensor::dK, &AttentionOutputs::d_k);
  outputs.emplace_back(Tensor::dV, &AttentionOutputs::d_v);
  return outputs;
}

std::int64_t heads_of(const Shape& shape, Tensor tensor) {
  return checked_multiply(shape.batch, of_kv_heads(tensor) ? shape.kv_heads : shape.heads);
}

template <class Scalar>
std::span<const Scalar> head_of(const std::vector<Scalar>& values, std::size_t head, std::size_t elements) {
  return std::span(values).subspan(head * elements, elements);
}

/// Checks an output. The largest error is NaN if some values are not finite, also if the reference has them.
ValueCheck check_output(std::span<const float> values, std::span<const double> reference, bool statistics) {
  ValueCheck check = check_values(values, reference, statistics);
  if (check.nonfinite > 0) check.max_abs_error = check.max_rel_error = no_number;
  return check;
}

/// Returns the exact values of the outputs, in their order; stores L of a forward pass in `log_sum_exp`.
std::vector<std::vector<double>> exact_values(const Plan& plan, const AttentionInputs& inputs,
                                              std::vector<double>& log_sum_exp) {
  const Problem& p = plan.problem;
  const double scale = static_cast<double>(p.scale);
  std::vector<std::vector<double>> exact;
  if (plan.has_forward()) {
    AttentionReference reference =
        attention_reference(p.shape, scale, inputs, p.dropout, p.score_steps.get(), p.sinks.get());
    exact.push_back(std::move(reference.o));
    log_sum_exp = std::move(reference.log_sum_exp);
  }
  if (!plan.has_backward()) return exact;
  auto gradients = attention_reference_backward(p.shape, scale, inputs, p.dropout, p.score_steps.get(), p.sinks.get());
  for (std::vector<double>* values : {&gradients.d_q, &gradients.d_k, &gradients.d_v})
    exact.push_back(std::move(*values));
  return exact;
}

/// Returns the outputs of the plain formula, with scores in a dtype of their own.
std::vector<std::vector<float>> plain_values(const Plan& plan, const AttentionInputs& inputs, Dtype scores) {
  const Problem& p = plan.problem;
  std::vector<std::vector<float>> plain;
  if (plan.has_forward())
    plain.push_back(
        attention_plain(p.shape, p.scale, {p.dtype, scores}, inputs, p.dropout, p.score_steps.get(), p.sinks.get()));
  if (!plan.has_backward()) return plain;
  auto gradients = attention_plain_backward(p.shape, p.scale, {p.dtype, scores}, inputs, p.dropout, p.score_steps.get(),
                                            p.sinks.get());
  for (std::vector<float>* values : {&gradients.d_q, &gradients.d_k, &gradients.d_v})
    plain.push_back(std::move(*values));
  return plain;
}

/// Returns the bound of one head from these plain values; NaN if they are not finite.
double bound_by(const JudgedOutput& output, std::size_t head, const std::vector<float>& plain, Dtype dtype) {
  const auto exact = head_of(output.exact, head, output.elements());
  const ValueCheck check = check_values(head_of(plain, head, output.elements()), exact);
  const double k = output.tensor == Tensor::O ? 2 : 3;
  return check.nonfinite == 0 ? numerics::bound(k, check.max_abs_error, exact, result_dtype(dtype)) : no_number;
}

bool any_unbounded(const std::vector<JudgedOutput>& outputs) {
  const auto unbounded = [](const JudgedOutput& output) {
    return std::any_of(output.allowed.begin(), output.allowed.end(), [](double bound) { return std::isnan(bound); });
  };
  return std::any_of(outputs.begin(), outputs.end(), unbounded);
}

void set_bounds(std::vector<JudgedOutput>& outputs, const std::vector<std::vector<float>>& plain, Dtype dtype,
                bool wide_scores) {
  for (std::size_t n = 0; n < outputs.size(); ++n) {
    JudgedOutput& output = outputs[n];
    for (std::size_t head = 0; head < output.allowed.size(); ++head) {
      if (!std::isnan(output.allowed[head])) continue;
      output.allowed[head] = bound_by(output, head, plain[n], dtype);
      output.wide_scores[head] = wide_scores && !std::isnan(output.allowed[head]);
    }
  }
}

}  // namespace

double larger_error(double a, double b) { return std::isnan(a) || std::isnan(b) ? no_number : std::max(a, b); }

ValueCheck ValueChecks::worst() const {
  ValueCheck worst;
  for (const auto& [tensor, check] : by_tensor) {
    worst.max_abs_error = larger_error(worst.max_abs_error, check.max_abs_error);
    worst.max_rel_error = larger_error(worst.max_rel_error, check.max_rel_error);
    worst.nonfinite += check.nonfinite;
  }
  return worst;
}

double ValueChecks::Squares::root_mean() const {
  return count == 0 ? no_number : std::sqrt(sum / static_cast<double>(count));
}

namespace {

ValueChecks::Squares squares_of(const std::vector<float>& values, const std::vector<double>& exact) {
  ValueChecks::Squares squares{0, std::ssize(values)};
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double difference = static_cast<double>(values[n]) - exact[n];
    squares.sum += difference * difference;
  }
  return squares;
}

}  // namespace

ValueChecks check_outputs(const Plan& plan, const AttentionInputs& inputs, const AttentionOutputs& outputs) {
  ValueChecks checks;
  std::vector<double> unused;
  AttentionInputs room;
  const std::vector<std::vector<double>> exact = exact_values(plan, as_read(plan, inputs, room), unused);
  if (plan.problem.fp8()) checks.of_unquantised = squares_of(outputs.o, exact_values(plan, inputs, unused).front());
  const auto names = outputs_of(plan);
  for (std::size_t n = 0; n < names.size(); ++n)
    checks.by_tensor.emplace_back(names[n].first, check_output(outputs.*names[n].second, exact[n], false));
  return checks;
}

ValueCheck check_values(std::span<const float> values, std::span<const double> reference, bool statistics) {
  require(values.size() == reference.size(), "check: ", values.size(), " values against ", reference.size());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ValueCheck check;
  double largest = 0;
  bool compared = values.empty();
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double got = static_cast<double>(values[n]), want = reference[n];
    if (std::isfinite(want)) largest = std::max(largest, std::abs(want));
    const bool same = got == want || (std::isnan(got) && std::isnan(want));
    const bool number = std::isfinite(got) || (statistics && got == -infinity && same);
    if (!number) ++check.nonfinite;
    if (!number && same) continue;
    compared = true;
    const double error = same ? 0 : std::abs(got - want);
    check.max_abs_error = std::max(check.max_abs_error, std::isfinite(error) ? error : infinity);
  }
  if (!compared) check.max_abs_error = no_number;
  check.max_rel_error = largest > 0 ? check.max_abs_error / largest : check.max_abs_error;
  return check;
}

Judged judge_outputs(const Plan& plan, const AttentionInputs& inputs, const OnJudging& on_judging) {
  require_alike(plan.scenario, "values of each head");
  const auto begin = [&](const std::string& step) {
    if (on_judging) on_judging(step);
  };
  const Dtype dtype = plan.problem.dtype;
  begin("reference in double");
  Judged judged;
  AttentionInputs room;
  const AttentionInputs& read = as_read(plan, inputs, room);
  std::vector<std::vector<double>> exact = exact_values(plan, read, judged.log_sum_exp);
  std::vector<JudgedOutput>& outputs = judged.outputs;
  const auto names = outputs_of(plan);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const auto heads = static_cast<std::size_t>(heads_of(plan.problem.shape, names[n].first));
    outputs.push_back({names[n].first, names[n].second, std::move(exact[n]), std::vector<double>(heads, no_number),
                       std::vector<bool>(heads)});
  }
  begin(text("plain formula in ", name_of(dtype)));
  set_bounds(outputs, plain_values(plan, read, dtype), dtype, false);
  if (dtype != Dtype::fp32 && any_unbounded(outputs))
    set_bounds(outputs, plain_values(plan, read, Dtype::fp32), dtype, true);
  return judged;
}

std::vector<ValueCheck> check_heads(const JudgedOutput& output, const std::vector<float>& values) {
  std::vector<ValueCheck> checks;
  for (std::size_t head = 0; head < output.allowed.size(); ++head)
    checks.push_back(check_output(head_of(values, head, output.elements()),
                                  head_of(output.exact, head, output.elements()), is_statistic(output.tensor)));
  return checks;
}

bool agrees(const ValueCheck& head, double allowed) {
  return head.nonfinite == 0 && std::isfinite(allowed) && head.max_abs_error <= allowed;
}

std::string head_text(const Shape& shape, Tensor tensor, std::int64_t n) {
  const std::int64_t heads = of_kv_heads(tensor) ? shape.kv_heads : shape.heads;
  const bool grouped = of_kv_heads(tensor) && shape.kv_heads != shape.heads;
  return text(shape.batch > 1 ? text("batch ", n / heads, ", ") : "", grouped ? "KV head " : "head ", n % heads);
}

std::string head_text(const Plan& plan, Tensor tensor, std::int64_t n) {
  const Shape& seen = plan.problem.shape;
  const std::int64_t packed = plan.scenario.shape.heads / seen.heads;
  if (packed == 1 || of_kv_heads(tensor)) return head_text(seen, tensor, n);
  const std::int64_t first = n % seen.heads * packed;
  return text(seen.batch > 1 ? text("batch ", n / seen.heads, ", ") : "", "heads ", first, " to ", first + packed - 1);
}

std::string wide_scores_text(Dtype dtype, std::size_t heads) {
  return text("the scores of ", heads, heads == 1 ? " head are" : " heads are", " beyond ", name_of(dtype),
              ": bounded by the plain formula with scores in fp32");
}

std::string origin_text(const Plan& plan, const AttentionInputs& inputs, Tensor tensor, std::int64_t n) {
  const Shape& shape = plan.problem.shape;
  const std::int64_t head = of_kv_heads(tensor) ? n * (shape.heads / shape.kv_heads) : n;
  const auto origin = nonfinite_origin(plan, inputs, head);
  if (!origin) return "";
  constexpr std::string_view folder = "programs/";
  std::string_view file = origin->listing;
  if (file.starts_with(folder)) file.remove_prefix(folder.size());
  return text("since line ", origin->line, " of ", file, ", kernel ", origin->kernel, ": ",
              listing_code(origin->listing, origin->line));
}

std::string nonfinite_text(std::int64_t count, std::size_t elements, Tensor tensor, const std::string& where,
                           const std::string& since) {
  return text(count, " of ", elements, " values of ", name_of(tensor), " in ", where, " are not finite",
              since.empty() ? "" : ", ", since);
}

std::string recomputed_text(const Plan& plan, const AttentionOutputs& outputs) {
  if (outputs.recomputed_blocks == 0) return "";
  const Shape& shape = plan.problem.shape;
  const std::int64_t all = product(shape.batch, shape.heads, ceil_div(shape.seqlen_q, plan.problem.tiling.br));
  return text("range: ", outputs.recomputed_blocks, " of ", all, all == 1 ? " row block" : " row blocks",
              " had a score out of ", text_of(unified_range(plan.scenario)),
              " and ran flash-decoding's kernels as well; counts are without them: --numerics off --fallback ",
              static_cast<double>(outputs.recomputed_blocks) / static_cast<double>(all), " adds them");
}

std::vector<std::string> nonfinite_results(const Plan& plan, const AttentionInputs& inputs,
                                           const AttentionOutputs& outputs) {
  std::vector<std::string> results;
  std::int64_t more = 0;
  for (const auto& [tensor, values] : outputs_of(plan)) {
    const std::vector<float>& all = outputs.*values;
    const auto heads = static_cast<std::size_t>(heads_of(plan.problem.shape, tensor));
    const std::size_t elements = all.size() / heads;
    for (std::size_t head = 0; head < heads; ++head) {
      const auto own = head_of(all, head, elements);
      const auto bad = std::count_if(own.begin(), own.end(), [](float x) { return !std::isfinite(x); });
      if (bad == 0) continue;
      if (results.size() == most_named_heads) {
        ++more;
        continue;
      }
      const auto n = static_cast<std::int64_t>(head);
      const std::string since = origin_text(plan, inputs, tensor, n);
      results.push_back(nonfinite_text(bad, elements, tensor, head_text(plan, tensor, n), since));
    }
  }
  if (more > 0) results.push_back(text("values of ", more, " more heads are not finite"));
  return results;
}

}  // namespace sim
