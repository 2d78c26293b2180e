#include "viz/terminal/head_check.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>

#include "kernels/threads/threads.h"
#include "sim/model/numerics_rule.h"
#include "sim/programs/drawn_rows.h"
#include "sim/report/numbers.h"
#include "viz/terminal/in_order.h"
#include "viz/terminal/status_line.h"

namespace terminal {
namespace {

using Errors = std::map<sim::Tensor, sim::ValueCheck>;

/// The query heads that share a KV head: the least that every pass can compute alone.
struct Heads {
  std::int64_t first_query_head, first_kv_head;  ///< counted through all batch entries
};

/// What one of them, or some, showed.
struct Findings {
  Errors plain;                            ///< of the plain formula
  std::map<sim::Tensor, double> rounding;  ///< see numerics::rounding_error
  std::vector<Errors> programs;            ///< of each algorithm
};

sim::Scenario one_group(sim::Scenario scenario) {
  scenario.shape.heads /= scenario.shape.kv_heads;
  scenario.shape.batch = scenario.shape.kv_heads = 1;
  return scenario;
}

/// The inputs of one group: cut out of those of files, or drawn as in the whole.
sim::AttentionInputs inputs_of(const sim::Scenario& one, const Heads& heads, const sim::AttentionInputs* given) {
  const sim::Shape& shape = one.shape;
  const auto part = [&](std::int64_t first, std::int64_t count, std::int64_t rows, sim::DrawnTensor tensor,
                        std::vector<float> sim::AttentionInputs::*member) {
    const std::int64_t each = sim::product(rows, shape.head_dim);
    const sim::Interval elements{first * each, (first + count) * each};
    if (given == nullptr) return sim::input_elements(one, elements, tensor);
    const std::vector<float>& all = given->*member;
    return std::vector<float>(all.begin() + elements.begin, all.begin() + elements.end);
  };
  using In = sim::AttentionInputs;
  sim::AttentionInputs inputs;
  inputs.q = part(heads.first_query_head, shape.heads, shape.seqlen_q, sim::DrawnTensor::Q, &In::q);
  inputs.k = part(heads.first_kv_head, 1, shape.seqlen_k, sim::DrawnTensor::K, &In::k);
  inputs.v = part(heads.first_kv_head, 1, shape.seqlen_k, sim::DrawnTensor::V, &In::v);
  if (one.pass != sim::Pass::forward)
    inputs.d_o = part(heads.first_query_head, shape.heads, shape.seqlen_q, sim::DrawnTensor::dO, &In::d_o);
  return inputs;
}

/// What is compared: the outputs of a pass by name.
template <class Scalar>
using Outputs = std::map<sim::Tensor, std::vector<Scalar>>;

Outputs<double> exact_outputs(const sim::Plan& plan, const sim::AttentionInputs& inputs) {
  const sim::Problem& p = plan.problem;
  const double scale = static_cast<double>(p.scale);
  Outputs<double> exact;
  if (plan.has_forward()) exact[sim::Tensor::O] = sim::attention_reference(p.shape, scale, inputs, p.dropout).o;
  if (!plan.has_backward()) return exact;
  auto gradients = sim::attention_reference_backward(p.shape, scale, inputs, p.dropout);
  exact[sim::Tensor::dQ] = std::move(gradients.d_q);
  exact[sim::Tensor::dK] = std::move(gradients.d_k);
  exact[sim::Tensor::dV] = std::move(gradients.d_v);
  return exact;
}

Outputs<float> plain_outputs(const sim::Plan& plan, const sim::AttentionInputs& inputs) {
  const sim::Problem& p = plan.problem;
  Outputs<float> plain;
  if (plan.has_forward()) plain[sim::Tensor::O] = sim::attention_plain(p.shape, p.scale, p.dtype, inputs, p.dropout);
  if (!plan.has_backward()) return plain;
  auto gradients = sim::attention_plain_backward(p.shape, p.scale, p.dtype, inputs, p.dropout);
  plain[sim::Tensor::dQ] = std::move(gradients.d_q);
  plain[sim::Tensor::dK] = std::move(gradients.d_k);
  plain[sim::Tensor::dV] = std::move(gradients.d_v);
  return plain;
}

Outputs<float> program_outputs(const sim::Plan& plan, const sim::AttentionInputs& inputs) {
  sim::AttentionOutputs computed = sim::compute(plan, inputs);
  Outputs<float> outputs;
  if (plan.has_forward()) outputs[sim::Tensor::O] = std::move(computed.o);
  if (!plan.has_backward()) return outputs;
  outputs[sim::Tensor::dQ] = std::move(computed.d_q);
  outputs[sim::Tensor::dK] = std::move(computed.d_k);
  outputs[sim::Tensor::dV] = std::move(computed.d_v);
  return outputs;
}

Errors errors_of(const Outputs<float>& outputs, const Outputs<double>& exact) {
  Errors errors;
  for (const auto& [name, values] : outputs) errors[name] = sim::check_values(values, exact.at(name));
  return errors;
}

/// The exact values, those of the plain formula, and those of each program.
std::int64_t steps_of(const std::vector<sim::Plan>& plans) { return 2 + static_cast<std::int64_t>(plans.size()); }

/// Calls `done` after each of those steps.
Findings check_group(const std::vector<sim::Plan>& plans, const Heads& heads, const sim::AttentionInputs* given,
                     const std::function<void()>& done) {
  const sim::AttentionInputs inputs = inputs_of(plans.front().scenario, heads, given);
  Findings found;
  Outputs<double> exact;
  for (sim::Plan plan : plans) {
    plan.problem.dropout.first_head = heads.first_query_head;
    if (exact.empty()) {
      exact = exact_outputs(plan, inputs);
      done();
      found.plain = errors_of(plain_outputs(plan, inputs), exact);
      done();
      for (const auto& [name, values] : exact)
        found.rounding[name] = sim::numerics::rounding_error(values, plan.problem.dtype);
    }
    found.programs.push_back(errors_of(program_outputs(plan, inputs), exact));
    done();
  }
  return found;
}

void take_larger(Errors& all, const Errors& one) {
  for (const auto& [name, check] : one) {
    all[name].max_abs_error = std::max(all[name].max_abs_error, check.max_abs_error);
    all[name].max_rel_error = std::max(all[name].max_rel_error, check.max_rel_error);
  }
}

void take_larger(Findings& all, const Findings& one) {
  take_larger(all.plain, one.plain);
  for (const auto& [name, error] : one.rounding) all.rounding[name] = std::max(all.rounding[name], error);
  all.programs.resize(one.programs.size());
  for (std::size_t n = 0; n < one.programs.size(); ++n) take_larger(all.programs[n], one.programs[n]);
}

/// Largest errors do not depend on who is done first: the outcome is the same on any number of cores.
Findings check_groups(const std::vector<sim::Plan>& plans, std::int64_t groups, const sim::AttentionInputs* given) {
  const std::int64_t group = plans.front().problem.shape.heads;
  Findings all;
  StatusLine status("values", "");
  const std::int64_t steps = groups * steps_of(plans);
  std::mutex mutex;
  std::int64_t done = 0;
  const auto step = [&] {
    const std::lock_guard lock(mutex);
    status.show(sim::text(++done * 100 / steps, " % of ", report::thousands(groups * group), " heads"));
  };
  const auto check = [&](std::int64_t n) { return check_group(plans, {n * group, n}, given, step); };
  const auto take = [&](const Findings& found) { take_larger(all, found); };
  InOrder<Findings>(check, take).run(0, groups, threads::all_cores());
  return all;
}

/// The sum of the plain formula's error and two roundings, each the largest of any head, so that it bounds all heads.
std::map<sim::Tensor, double> allowed_errors(const Findings& found) {
  std::map<sim::Tensor, double> allowed;
  for (const auto& [name, plain] : found.plain) {
    const double k = name == sim::Tensor::O ? 2 : 3;
    allowed[name] = sim::numerics::bound(k, plain.max_abs_error, found.rounding.at(name));
  }
  return allowed;
}

}  // namespace

bool HeadCheck::agrees() const {
  return std::all_of(errors.begin(), errors.end(), [this](const sim::ValueChecks& program) {
    return std::all_of(program.by_tensor.begin(), program.by_tensor.end(),
                       [this](const auto& one) { return one.second.max_abs_error <= allowed.at(one.first); });
  });
}

HeadCheck check_heads(Request& request, const std::vector<std::string>& algorithms, std::int64_t most_scores) {
  const sim::Shape& shape = request.scenario.shape;
  std::optional<sim::AttentionInputs> given;
  if (request.any_given()) {
    check_value_memory(shape, request.scenario.pass);
    given = make_inputs(request);
  }
  std::vector<sim::Plan> plans;
  std::vector<sim::Scenario> each;
  for (const std::string& algorithm : algorithms)
    each.push_back(with_algorithm(one_group(request.scenario), algorithm));
  share_pattern(each, request.scenario.pattern);
  for (const sim::Scenario& one : each) plans.push_back(sim::make_plan(one));
  const std::int64_t group = shape.heads / shape.kv_heads, all = sim::checked_multiply(shape.batch, shape.kv_heads);
  const std::int64_t fit = most_scores / sim::product(group, shape.seqlen_q, shape.seqlen_k);
  const std::int64_t groups = given ? all : std::clamp<std::int64_t>(fit, 1, all);
  const Findings found = check_groups(plans, groups, given ? &*given : nullptr);

  HeadCheck check{groups * group, all * group, allowed_errors(found), {}, {}};
  for (const Errors& errors : found.programs) check.errors.push_back({{errors.begin(), errors.end()}});
  if (given) check.warnings = sim::nonfinite_warnings(*given);
  return check;
}

}  // namespace terminal
