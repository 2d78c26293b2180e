#include "kernels/verify/verify.h"

#include <cmath>

#include "kernels/verify/run.h"
#include "sim/model/numerics_rule.h"
#include "sim/programs/ragged.h"

namespace kernels {
namespace {

using Outputs = sim::AttentionOutputs;

/// Maximum passes through shared memory per pass without bank conflicts. Tensor-core kernels have no conflicts by their
/// layout; unswizzled, the eight rows that ldmatrix reads at a time may be in the same four banks. Plain kernels walk
/// down columns, where the rows of all 32 lanes may start in the same bank.
std::int64_t most_passes(std::string_view kernel) {
  if (kernel == "flash2_mma_unswizzled") return 8;
  return on_tensor_cores(kernel) ? 1 : 32;
}

/// Error relative to the bound: more than 1 fails, and so does NaN.
double closeness(const sim::ValueCheck& program, const sim::ValueCheck& kernel, double allowed) {
  const double error = sim::larger_error(program.max_abs_error, kernel.max_abs_error);
  return std::isnan(error) ? INFINITY : error / allowed;
}

Verdict failed_run(const std::string& what) { return {"", {{"run", "failures", 0, 1, 0, false, what}}}; }

}  // namespace

Verification::Verification(sim::Simulation program, std::string kernel, sim::AttentionInputs inputs,
                           const OnProgress& on_progress)
    : program_(std::move(program)), kernel_(std::move(kernel)), inputs_(std::move(inputs)) {
  for (const sim::Plan& c : sim::classes_of(program_.plan)) {
    if (on_progress) on_progress("values of the program");
    if (program_.plan.classes == nullptr) {
      add({c, inputs_, sim::compute(c, inputs_)}, on_progress);
    } else {
      const sim::AttentionInputs own = sim::inputs_of_class(program_.plan, inputs_, c);
      add({c, own, sim::compute(c, own)}, on_progress);
    }
  }
}

void Verification::add(const Class& of, const OnProgress& on_progress) {
  sim::Judged judged = sim::judge_outputs(of.plan, of.inputs, on_progress);
  for (sim::JudgedOutput& output : judged.outputs) add(of, std::move(output));
  add_statistics(of, std::move(judged.log_sum_exp));
}

void Verification::add(const Class& of, sim::JudgedOutput output) {
  Yardstick y{std::move(output), {}, {}};
  y.program = sim::check_heads(y.output, of.outputs.*y.output.values);
  for (std::size_t head = 0; head < y.program.size() && y.origins.size() < sim::most_named_heads; ++head) {
    if (y.program[head].nonfinite == 0) continue;
    y.origins[head] = sim::origin_text(of.plan, of.inputs, y.output.tensor, static_cast<std::int64_t>(head));
  }
  for (const Yardstick& before : yardsticks_) {
    if (before.output.tensor != y.output.tensor) continue;
    y.first_head += std::ssize(before.program);
    y.first += std::ssize(before.output.exact);
  }
  yardsticks_.push_back(std::move(y));
}

/// Checks L, or m and l, which exist only if no backward pass consumed them. They are fp32 in every dtype, and the
/// plain formula has none: the program's own are the reference. A row that saw nothing has -inf, as in the reference.
void Verification::add_statistics(const Class& of, std::vector<double> exact) {
  if (exact.empty() || of.plan.has_backward() || of.outputs.log_sum_exp.empty()) return;
  const sim::Shape& shape = of.plan.problem.shape;
  const auto heads = static_cast<std::size_t>(shape.batch * shape.heads);
  sim::JudgedOutput L{sim::Tensor::L, &Outputs::log_sum_exp, std::move(exact), std::vector<double>(heads),
                      std::vector<bool>(heads)};
  const std::vector<sim::ValueCheck> program = sim::check_heads(L, of.outputs.log_sum_exp);
  for (std::size_t head = 0; head < heads; ++head) {
    const auto rows = std::span<const double>(L.exact).subspan(head * L.elements(), L.elements());
    L.allowed[head] = sim::numerics::bound(2, program[head].max_abs_error, rows, sim::Dtype::fp32);
  }
  add(of, std::move(L));
}

/// Non-finite values of one head, "" if there are none: "64 of 4096 values of O in head 0 are not finite in the
/// program, since line 17 of ..., and 64 in the kernel".
std::string Verification::nonfinite_text(const Yardstick& y, std::size_t head, std::int64_t of_kernel) const {
  const std::int64_t of_program = y.program[head].nonfinite;
  const std::int64_t over_batch = y.first_head + static_cast<std::int64_t>(head);
  const std::string where = sim::text(" values of ", sim::name_of(y.output.tensor), " in ",
                                      sim::head_text(program_.plan, y.output.tensor, over_batch));
  if (of_program == 0 && of_kernel == 0) {
    return std::isfinite(y.output.allowed[head]) ? "" : "the plain formula is not finite: it bounds no" + where;
  }
  std::string text = sim::text(std::max(of_program, of_kernel), " of ", y.output.elements(), where, " are not finite");
  if (of_program == 0) return text + " in the kernel, all are in the program";
  text +=
      of_kernel == of_program ? " in program and kernel" : sim::text(" in the program, ", of_kernel, " in the kernel");
  const auto origin = y.origins.find(head);
  return origin == y.origins.end() || origin->second.empty() ? text : text + ", " + origin->second;
}

namespace {

/// Errors of one output over the heads of all classes: those of the head closest to its bound.
struct Worst {
  ValueErrors errors;
  double closest = -1;
  std::size_t nonfinite = 0, widened = 0;

  void take(double close, const sim::ValueCheck& program, const sim::ValueCheck& kernel, double allowed) {
    if (close <= closest) return;
    closest = close;
    errors.program = program.max_abs_error;
    errors.allowed = allowed;
    errors.kernel = kernel.max_abs_error;
  }
  void take_nonfinite(const std::string& text) {
    if (++nonfinite <= sim::most_named_heads) errors.nonfinite += (errors.nonfinite.empty() ? "" : "; ") + text;
  }
  ValueErrors result(sim::Dtype dtype) && {
    if (nonfinite > sim::most_named_heads)
      errors.nonfinite += sim::text("; and ", nonfinite - sim::most_named_heads, " more heads");
    if (widened > 0) errors.note = sim::wide_scores_text(dtype, widened);
    return std::move(errors);
  }
};

Worst& worst_of(std::vector<Worst>& all, std::string_view tensor) {
  for (Worst& worst : all) {
    if (worst.errors.tensor == tensor) return worst;
  }
  return all.emplace_back(Worst{{std::string(tensor)}});
}

}  // namespace

std::vector<ValueErrors> Verification::errors_of(const sim::AttentionOutputs& outputs) const {
  std::vector<Worst> all;
  for (const Yardstick& y : yardsticks_) {
    const auto own = (outputs.*y.output.values).begin() + y.first;
    const std::vector<sim::ValueCheck> kernel = sim::check_heads(y.output, {own, own + std::ssize(y.output.exact)});
    Worst& worst = worst_of(all, sim::name_of(y.output.tensor));
    for (std::size_t head = 0; head < kernel.size(); ++head) {
      worst.widened += y.output.wide_scores[head] ? 1 : 0;
      const std::string text = nonfinite_text(y, head, kernel[head].nonfinite);
      if (!text.empty()) worst.take_nonfinite(text);
      const double allowed = y.output.allowed[head];
      worst.take(text.empty() ? closeness(y.program[head], kernel[head], allowed) : INFINITY, y.program[head],
                 kernel[head], allowed);
    }
  }
  std::vector<ValueErrors> errors;
  for (Worst& worst : all) errors.push_back(std::move(worst).result(program_.plan.problem.dtype));
  return errors;
}

Measurement Verification::measure(dev::Device& device, counters::Counters* counters) const {
  const KernelRun run = kernels::run(device, program_.plan, kernel_, inputs_);
  Measurement m;
  m.kernel = kernel_;
  m.errors = errors_of(run.outputs);
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
