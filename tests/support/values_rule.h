// Checks the values of a program against the reference in double, by the numerics rule (sim/model/numerics_rule.h).
#pragma once
#include <catch2/catch.hpp>

#include "sim/model/numerics_rule.h"
#include "sim/programs/ragged.h"
#include "sim/programs/run.h"

namespace sim {

/// Draws Q, K, V and dO.
inline AttentionInputs draw_with_gradient(const Scenario& s, std::uint64_t seed) {
  Shape shape = s.shape;
  shape.kv_shared = shares_kv(s);
  AttentionInputs inputs = draw_inputs(shape, s.dtype, seed);
  inputs.d_o = draw_output_gradient(s.shape, s.dtype, seed);
  return inputs;
}

/// Checks one result: its error is at most k times that of the plain formula in the same dtype.
inline void check_by_rule(const char* name, double k, const std::vector<float>& got, const std::vector<float>& plain,
                          const std::vector<double>& exact, Dtype dtype) {
  INFO(name);
  const double plain_error = check_values(plain, exact).max_abs_error;
  CHECK(check_values(got, exact).max_abs_error <= numerics::bound(k, plain_error, exact, dtype));
}

inline void check_gradients_by_rule(const Problem& p, const AttentionInputs& inputs, const AttentionOutputs& got) {
  const auto exact = attention_reference_backward(p.shape, static_cast<double>(p.scale), inputs, p.dropout,
                                                  p.score_steps.get(), p.sinks.get());
  const auto plain =
      attention_plain_backward(p.shape, p.scale, p.dtype, inputs, p.dropout, p.score_steps.get(), p.sinks.get());
  check_by_rule("dQ", 3, got.d_q, plain.d_q, exact.d_q, p.dtype);
  check_by_rule("dK", 3, got.d_k, plain.d_k, exact.d_k, p.dtype);
  check_by_rule("dV", 3, got.d_v, plain.d_v, exact.d_v, p.dtype);
}

struct RuledValues {
  AttentionOutputs got;
  AttentionReference exact;
};

/// Checks O, and the gradients if the run has a backward pass.
inline RuledValues check_values_by_rule(const Scenario& s, std::uint64_t seed) {
  const Plan plan = make_plan(s);
  const Problem& p = plan.problem;
  const AttentionInputs inputs = draw_with_gradient(s, seed);
  RuledValues values{compute(plan, inputs), attention_reference(p.shape, static_cast<double>(p.scale), inputs,
                                                                p.dropout, p.score_steps.get(), p.sinks.get())};
  const std::vector<float> plain =
      attention_plain(p.shape, p.scale, p.dtype, inputs, p.dropout, p.score_steps.get(), p.sinks.get());
  check_by_rule("O", 2, values.got.o, plain, values.exact.o, p.dtype);
  if (s.pass != Pass::forward) check_gradients_by_rule(p, inputs, values.got);
  return values;
}

/// Checks O of each class of a ragged batch, on its part of the inputs.
inline void check_classes_by_rule(const Plan& batch, const AttentionInputs& all) {
  for (const Plan& one : classes_of(batch)) {
    const AttentionInputs inputs = inputs_of_class(batch, all, one);
    const Problem& p = one.problem;
    const AttentionReference exact = attention_reference(p.shape, static_cast<double>(p.scale), inputs);
    check_by_rule("O", 2, compute(one, inputs).o, attention_plain(p.shape, p.scale, p.dtype, inputs), exact.o, p.dtype);
  }
}

/// Derivative of loss() by an element of its inputs: a central difference with steps of 2^-8.
template <class Loss>
double central_difference(float& x, const Loss& loss) {
  const float before = x, above = before + 0x1p-8f, below = before - 0x1p-8f;
  x = above;
  const double more = loss();
  x = below;
  const double less = loss();
  x = before;
  return (more - less) / (static_cast<double>(above) - static_cast<double>(below));
}

}  // namespace sim
