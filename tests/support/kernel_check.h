// Runs the kernels of a scenario on the emulated device and checks their results by the numerics rule
// (sim/model/numerics_rule.h), with k = 2 forward and 3 for gradients.
#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "kernels/emulator/device.h"
#include "kernels/verify/run.h"
#include "sim/base/attention.h"
#include "sim/model/numerics_rule.h"
#include "sim/model/simulation.h"

namespace kernel_check {

/// Returns the largest error. Requires a reference without NaN, so that a computed NaN always fails.
inline double largest_error(const std::vector<float>& values, const std::vector<double>& reference) {
  REQUIRE(std::none_of(reference.begin(), reference.end(), [](double value) { return std::isnan(value); }));
  return sim::check_values(values, reference, true).max_abs_error;  // -inf is a value of L
}

inline void within_rule(const char* name, const std::vector<float>& values, const std::vector<double>& reference,
                        const std::vector<float>& plain, double k, sim::Dtype dtype) {
  INFO("error of " << name);
  const double allowed = sim::numerics::bound(k, largest_error(plain, reference), reference, dtype);
  CHECK(largest_error(values, reference) <= allowed);
}

inline sim::AttentionInputs inputs_of(const sim::Plan& plan) {
  sim::AttentionInputs inputs = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
  if (plan.has_backward())
    inputs.d_o = sim::draw_output_gradient(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
  return inputs;
}

inline void outputs_within_rule(const sim::Plan& plan, const sim::AttentionInputs& inputs,
                                const sim::AttentionOutputs& outputs) {
  const sim::Problem& p = plan.problem;
  const sim::ScoreSteps* steps = p.score_steps.get();
  const sim::Sinks* sinks = p.sinks.get();
  const auto reference = sim::attention_reference(p.shape, p.scale, inputs, p.dropout, steps, sinks);
  within_rule("O", outputs.o, reference.o,
              sim::attention_plain(p.shape, p.scale, p.dtype, inputs, p.dropout, steps, sinks), 2, p.dtype);
  if (!outputs.log_sum_exp.empty()) CHECK(largest_error(outputs.log_sum_exp, reference.log_sum_exp) < 1e-3);
  if (!plan.has_backward()) return;
  const auto gradients = sim::attention_reference_backward(p.shape, p.scale, inputs, p.dropout, steps, sinks);
  const auto plain = sim::attention_plain_backward(p.shape, p.scale, p.dtype, inputs, p.dropout, steps, sinks);
  within_rule("dQ", outputs.d_q, gradients.d_q, plain.d_q, 3, p.dtype);
  within_rule("dK", outputs.d_k, gradients.d_k, plain.d_k, 3, p.dtype);
  within_rule("dV", outputs.d_v, gradients.d_v, plain.d_v, 3, p.dtype);
}

/// Checks that the kernels of a family compute the values of the reference.
inline void values(std::string_view kernel, const sim::Scenario& scenario, const emulator::Options& options = {}) {
  const sim::Plan plan = sim::make_plan(scenario);
  const sim::AttentionInputs inputs = inputs_of(plan);
  emulator::EmulatedDevice device(options);
  INFO(kernel << " Nq " << plan.problem.shape.seqlen_q << " Nk " << plan.problem.shape.seqlen_k << " d "
              << plan.problem.shape.head_dim);
  outputs_within_rule(plan, inputs, kernels::run(device, plan, kernel, inputs).outputs);
}

/// Checks the report of a launch on a traced device: each tensor moved as often as its program states, and no race.
inline void same_traffic(const dev::LaunchReport& report, const sim::Totals& totals) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> moved, expected;
  std::int64_t atomic = 0;
  for (const auto& [name, traffic] : report.tensors) {
    moved[name] = {traffic.read_bytes, traffic.write_bytes};
    atomic += traffic.atomic_bytes;
  }
  for (const auto& [tensor, traffic] : totals.by_tensor) {
    if (traffic.read.count() + traffic.written.count() > 0)
      expected[std::string(name_of(tensor))] = {traffic.read.count(), traffic.written.count()};
  }
  INFO("kernel " << report.kernel);
  CHECK(moved == expected);
  CHECK(atomic == totals.atomic.count());
  CHECK(report.races == std::vector<std::string>{});
}

/// Checks that the kernels of a family compute the right values and move, tensor by tensor, the bytes that the programs
/// count.
inline void traffic(std::string_view kernel, const sim::Scenario& scenario, emulator::Options options = {}) {
  const sim::Plan plan = sim::make_plan(scenario);
  const sim::AttentionInputs inputs = inputs_of(plan);
  options.traced = true;
  emulator::EmulatedDevice device(options);
  INFO(kernel << " Nq " << plan.problem.shape.seqlen_q << " Nk " << plan.problem.shape.seqlen_k << " d "
              << plan.problem.shape.head_dim);
  const kernels::KernelRun run = kernels::run(device, plan, kernel, inputs);
  outputs_within_rule(plan, inputs, run.outputs);
  REQUIRE(run.reports.size() == plan.launches.size());
  for (std::size_t k = 0; k < plan.launches.size(); ++k) {
    sim::Totals totals;
    sim::add_to(totals, sim::count(plan, plan.launches[k]));
    same_traffic(run.reports[k], totals);
  }
}

}  // namespace kernel_check
