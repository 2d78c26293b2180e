#include "kernels/verify/verify.h"

#include <cmath>

#include "kernels/verify/run.h"
#include "sim/model/numerics_rule.h"

namespace kernels {
namespace {

using Outputs = sim::AttentionOutputs;

/// How many passes through shared memory a kernel may need for one without bank conflicts. Those on tensor cores have
/// none by their layout; without its permutation the eight rows that ldmatrix reads at a time may lie in the same four
/// banks. Plain ones walk down columns, where the rows of all 32 lanes may begin in the same bank.
std::int64_t most_passes(std::string_view kernel) {
  if (kernel == "flash2_mma_unswizzled") return 8;
  return on_tensor_cores(kernel) ? 1 : 32;
}

double largest_error(const std::vector<float>& values, const std::vector<double>& reference) {
  return sim::check_values(values, reference).max_abs_error;
}

Verdict failed_run(const std::string& what) { return {"", {{"run", "failures", 0, 1, 0, false, what}}}; }

}  // namespace

Verification::Verification(sim::Simulation program, std::string kernel, sim::AttentionInputs inputs,
                           const OnProgress& on_progress)
    : program_(std::move(program)), kernel_(std::move(kernel)), inputs_(std::move(inputs)) {
  if (on_progress) on_progress("values of the program");
  outputs_ = sim::compute(program_.plan, inputs_);
  if (on_progress) on_progress("reference in double");
  if (program_.plan.has_forward()) add_forward();
  if (program_.plan.has_backward()) add_backward();
}

void Verification::add(const char* tensor, std::vector<float> Outputs::*values, std::vector<double> reference, double k,
                       const std::vector<float>& plain, sim::Dtype dtype) {
  Yardstick y{tensor, values, std::move(reference)};
  y.program = largest_error(outputs_.*values, y.reference);
  // A plain formula that overflows is no yardstick: then a kernel may be as wrong as its program.
  const double plain_error = largest_error(plain, y.reference);
  y.allowed = sim::numerics::bound(k, std::isfinite(plain_error) ? plain_error : y.program, y.reference, dtype);
  yardsticks_.push_back(std::move(y));
}

void Verification::add_forward() {
  const sim::Problem& p = program_.plan.problem;
  sim::AttentionReference reference = sim::attention_reference(p.shape, p.scale, inputs_, p.dropout);
  add("O", &Outputs::o, std::move(reference.o), 2, sim::attention_plain(p.shape, p.scale, p.dtype, inputs_, p.dropout),
      p.dtype);
  // The sequence leaves L, or m and l, only when no backward pass has used them up. They are fp32 in every dtype, and
  // the plain formula has none: the program's own are the yardstick.
  if (program_.plan.has_backward() || outputs_.log_sum_exp.empty()) return;
  add("L", &Outputs::log_sum_exp, std::move(reference.log_sum_exp), 2, outputs_.log_sum_exp, sim::Dtype::fp32);
}

void Verification::add_backward() {
  const sim::Problem& p = program_.plan.problem;
  auto reference = sim::attention_reference_backward(p.shape, p.scale, inputs_, p.dropout);
  const auto plain = sim::attention_plain_backward(p.shape, p.scale, p.dtype, inputs_, p.dropout);
  add("dQ", &Outputs::d_q, std::move(reference.d_q), 3, plain.d_q, p.dtype);
  add("dK", &Outputs::d_k, std::move(reference.d_k), 3, plain.d_k, p.dtype);
  add("dV", &Outputs::d_v, std::move(reference.d_v), 3, plain.d_v, p.dtype);
}

Measurement Verification::measure(dev::Device& device, counters::Counters* counters) const {
  const KernelRun run = kernels::run(device, program_.plan, kernel_, inputs_);
  Measurement m;
  for (const Yardstick& y : yardsticks_) {
    m.errors.push_back({y.tensor, y.program, y.allowed, largest_error(run.outputs.*y.values, y.reference)});
  }
  m.reports = run.reports;
  m.traced = device.flavour() == dev::Flavour::traced;
  m.most_passes = most_passes(kernel_);
  m.peak_bytes = run.peak_bytes;
  if (counters) {
    m.counters = counters->read(static_cast<std::int64_t>(program_.plan.launches.size()), [&](const auto& around) {
      kernels::run(device, program_.plan, kernel_, inputs_, around);
    });
  }
  return m;
}

Verdict Verification::run(dev::Device& device, counters::Counters* counters) const {
  Verdict verdict;
  try {
    verdict = compare(program_, measure(device, counters));
  } catch (const dev::DeviceError& error) {
    if (error.kind != dev::DeviceError::Kind::failed) throw;
    verdict = failed_run(error.what());
  }
  verdict.device = device.description();
  return verdict;
}

}  // namespace kernels
