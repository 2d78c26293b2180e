// Ragged batches for the tests of kernels: scenarios, the errors that `verify` reports, and the values of every class.
#pragma once
#include "kernels/verify/verify.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/ragged.h"
#include "tests/support/kernel_check.h"

namespace ragged_kernels {

using Classes = sim::SequenceClasses;

inline sim::Scenario ragged(Classes classes, std::int64_t head_dim = 64, std::int64_t br = 64, std::int64_t bc = 64) {
  sim::Scenario s;
  s.shape.heads = 4;
  s.shape.kv_heads = 2;
  s.shape.head_dim = head_dim;
  s.br = br;
  s.bc = bc;
  s.seed = 11;
  s.sequences = std::make_shared<const Classes>(std::move(classes));
  return s;
}

/// Scenario for the plain kernels, which accept fp32 and any tile.
inline sim::Scenario plain(Classes classes) {
  sim::Scenario s = ragged(std::move(classes), 16, 16, 16);
  s.dtype = sim::Dtype::fp32;
  return s;
}

inline std::string rows_of(const kernels::Verdict& verdict) {
  std::string rows;
  for (const kernels::VerdictRow& row : verdict.rows) {
    if (!row.ok)
      rows +=
          sim::text(row.quantity, " ", row.simulated, " ", row.measured, " (", row.tolerance, ") ", row.cause, "\n");
  }
  return rows;
}

/// Returns the errors that `verify` reports: values, bytes by tensor, sectors, shared-memory passes, memory, races.
inline std::string wrong(std::string_view kernel, const sim::Scenario& s, std::uint64_t schedules = 0) {
  const kernels::Verification verification(sim::simulate(s), std::string(kernel), sim::inputs_of(s));
  std::string all;
  for (std::uint64_t seed = 0; seed <= schedules; ++seed) {
    emulator::EmulatedDevice device({.traced = true, .order = {seed > 0, seed}});
    all += rows_of(verification.run(device));
  }
  return all;
}

inline kernels::KernelRun run(std::string_view kernel, const sim::Scenario& s, const sim::AttentionInputs& inputs) {
  emulator::EmulatedDevice device({.workers = 1});  // one order of the sums of dQ
  return kernels::run(device, sim::make_plan(s), kernel, inputs);
}

/// Returns the values of one class from the values of all heads, entry after entry.
inline std::vector<float> part_of(const sim::Plan& plan, const std::vector<float>& all, const sim::Plan& c,
                                  sim::Tensor tensor) {
  const auto elements = [tensor](const sim::Plan& of) {
    const sim::HbmTensor& own = of.problem.hbm[tensor];
    return own.total_bytes(of.problem.shape).count() / size_of(own.dtype);
  };
  if (all.empty()) return {};
  auto begin = all.begin();
  for (const sim::Plan* before = sim::classes_of(plan).data(); before != &c; ++before) begin += elements(*before);
  return {begin, begin + elements(c)};
}

inline sim::AttentionOutputs outputs_of_class(const sim::Plan& plan, const sim::AttentionOutputs& all,
                                              const sim::Plan& c) {
  using enum sim::Tensor;
  return {part_of(plan, all.o, c, O), part_of(plan, all.log_sum_exp, c, L), part_of(plan, all.d_q, c, dQ),
          part_of(plan, all.d_k, c, dK), part_of(plan, all.d_v, c, dV)};
}

/// Checks that the kernels compute for every class the values of the reference in double, by the numerics rule.
inline void values(std::string_view kernel, const sim::Scenario& s) {
  const sim::Plan plan = sim::make_plan(s);
  const sim::AttentionInputs inputs = sim::inputs_of(s);
  const sim::AttentionOutputs all = run(kernel, s, inputs).outputs;
  for (const sim::Plan& c : sim::classes_of(plan)) {
    INFO(kernel << ": entries of " << c.problem.shape.seqlen_q << " x " << c.problem.shape.seqlen_k);
    kernel_check::outputs_within_rule(c, sim::inputs_of_class(plan, inputs, c), outputs_of_class(plan, all, c));
  }
}

}  // namespace ragged_kernels
