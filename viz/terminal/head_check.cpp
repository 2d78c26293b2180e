#include "viz/terminal/head_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <optional>

#include "kernels/threads/threads.h"
#include "sim/programs/drawn_rows.h"
#include "sim/report/numbers.h"
#include "viz/results/in_order.h"
#include "viz/terminal/status_line.h"

namespace terminal {
namespace {

/// A group of query heads that share a KV head: the smallest unit that every pass can compute alone.
struct Heads {
  std::int64_t first_query_head, first_kv_head;  ///< counted over all batch entries
};

/// Results of checking one or several groups.
struct Findings {
  std::map<sim::Tensor, double> allowed;       ///< the tightest bound of a head
  std::size_t widened = 0;                     ///< heads bounded by the plain formula with scores in fp32
  std::vector<HeadCheck::OfProgram> programs;  ///< by algorithm
};

sim::Scenario one_group(sim::Scenario scenario) {
  scenario = sim::with_entry_per_sample(std::move(scenario));
  scenario.shape.heads /= scenario.shape.kv_heads;
  scenario.shape.batch = scenario.shape.kv_heads = 1;
  return scenario;
}

/// The inputs of one group: a part of the files' inputs, or drawn as for the whole. `shared`: V is a part of K.
sim::AttentionInputs inputs_of(const sim::Scenario& one, const Heads& heads, const sim::AttentionInputs* given,
                               bool shared) {
  const sim::Shape& shape = one.shape;
  const auto part = [&](std::int64_t first, std::int64_t count, std::int64_t rows, sim::DrawnTensor tensor,
                        std::vector<float> sim::AttentionInputs::*member) {
    const std::int64_t each = sim::product(rows, sim::cols_of(tensor, shape));
    const sim::Interval elements{first * each, (first + count) * each};
    if (given == nullptr) return sim::input_elements(one, elements, tensor);
    const std::vector<float>& all = given->*member;
    return std::vector<float>(all.begin() + elements.begin, all.begin() + elements.end);
  };
  using In = sim::AttentionInputs;
  sim::AttentionInputs inputs;
  inputs.q = part(heads.first_query_head, shape.heads, shape.seqlen_q, sim::DrawnTensor::Q, &In::q);
  inputs.k = part(heads.first_kv_head, 1, shape.seqlen_k, sim::DrawnTensor::K, &In::k);
  inputs.v = shared ? sim::values_in(inputs.k, shape.head_dims())
                    : part(heads.first_kv_head, 1, shape.seqlen_k, sim::DrawnTensor::V, &In::v);
  if (one.pass != sim::Pass::forward)
    inputs.d_o = part(heads.first_query_head, shape.heads, shape.seqlen_q, sim::DrawnTensor::dO, &In::d_o);
  return inputs;
}

/// "head 3": a head of one group by its number in the whole.
std::string head_text_of(const sim::Shape& whole, sim::Tensor tensor, const Heads& heads, std::size_t head) {
  const bool of_keys = tensor == sim::Tensor::dK || tensor == sim::Tensor::dV;
  return sim::head_text(whole, tensor,
                        (of_keys ? heads.first_kv_head : heads.first_query_head) + static_cast<std::int64_t>(head));
}

void take(HeadCheck::OfProgram& all, sim::Tensor tensor, const sim::ValueCheck& check) {
  const auto [entry, fresh] = all.errors.emplace(tensor, check);
  if (fresh) return;
  entry->second.max_abs_error = sim::larger_error(entry->second.max_abs_error, check.max_abs_error);
  entry->second.max_rel_error = sim::larger_error(entry->second.max_rel_error, check.max_rel_error);
  entry->second.nonfinite += check.nonfinite;
}

/// Records the check of one head: its errors and reasons for disagreement.
void judge_head(HeadCheck::OfProgram& program, const sim::Plan& plan, const sim::AttentionInputs& inputs,
                const sim::JudgedOutput& output, std::size_t head, const sim::ValueCheck& check,
                const std::string& where) {
  take(program, output.tensor, check);
  if (sim::agrees(check, output.allowed[head])) return;
  ++program.disagreeing;
  if (program.reasons.size() == sim::most_named_heads) return;
  const std::string_view name = sim::name_of(output.tensor);
  if (check.nonfinite == 0 && !std::isfinite(output.allowed[head])) {
    program.reasons.push_back(
        sim::text("the plain formula is not finite: it bounds no values of ", name, " in ", where));
  } else if (check.nonfinite == 0) {
    program.reasons.push_back(sim::text("the error of ", name, " in ", where, " is ",
                                        report::scientific(check.max_abs_error), ", more than the ",
                                        report::scientific(output.allowed[head]), " allowed"));
  } else {
    const std::string since = sim::origin_text(plan, inputs, output.tensor, static_cast<std::int64_t>(head));
    program.reasons.push_back(sim::nonfinite_text(check.nonfinite, output.elements(), output.tensor, where, since));
  }
}

/// Progress steps per group: the exact values, those of the plain formula, and those of each program.
std::int64_t steps_of(const std::vector<sim::Plan>& plans) { return 2 + static_cast<std::int64_t>(plans.size()); }

/// Checks one group; calls `done` after each step. `whole`: shape of all heads.
Findings check_group(const std::vector<sim::Plan>& plans, const sim::Shape& whole, const Heads& heads,
                     const sim::AttentionInputs* given, const std::function<void()>& done) {
  const bool shared =
      std::any_of(plans.begin(), plans.end(), [](const sim::Plan& plan) { return plan.problem.shape.kv_shared; });
  const sim::AttentionInputs inputs = inputs_of(plans.front().scenario, heads, given, shared);
  Findings found;
  std::vector<sim::JudgedOutput> outputs;
  for (sim::Plan plan : plans) {
    plan.problem.dropout.first_head = heads.first_query_head;
    if (outputs.empty()) outputs = sim::judge_outputs(plan, inputs, [&](std::string_view) { done(); }).outputs;
    const sim::AttentionOutputs computed = sim::compute(plan, inputs);
    found.programs.emplace_back();
    for (const sim::JudgedOutput& output : outputs) {
      const std::vector<sim::ValueCheck> checks = sim::check_heads(output, computed.*output.values);
      for (std::size_t head = 0; head < checks.size(); ++head)
        judge_head(found.programs.back(), plan, inputs, output, head, checks[head],
                   head_text_of(whole, output.tensor, heads, head));
    }
    done();
  }
  for (const sim::JudgedOutput& output : outputs) {
    found.allowed[output.tensor] = *std::min_element(output.allowed.begin(), output.allowed.end());
    found.widened += static_cast<std::size_t>(std::count(output.wide_scores.begin(), output.wide_scores.end(), true));
  }
  return found;
}

void take(HeadCheck::OfProgram& all, const HeadCheck::OfProgram& one) {
  for (const auto& [tensor, check] : one.errors) take(all, tensor, check);
  all.disagreeing += one.disagreeing;
  for (const std::string& reason : one.reasons) {
    if (all.reasons.size() < sim::most_named_heads) all.reasons.push_back(reason);
  }
}

void take(Findings& all, const Findings& one) {
  for (const auto& [tensor, bound] : one.allowed) {
    const auto [entry, fresh] = all.allowed.emplace(tensor, bound);
    if (!fresh && !(entry->second < bound)) entry->second = bound;  // also replaces NaN
  }
  all.widened += one.widened;
  all.programs.resize(one.programs.size());
  for (std::size_t n = 0; n < one.programs.size(); ++n) take(all.programs[n], one.programs[n]);
}

/// Checks all groups, combined in the order of heads: the result does not depend on the number of cores.
Findings check_groups(const std::vector<sim::Plan>& plans, const sim::Shape& whole, std::int64_t groups,
                      const sim::AttentionInputs* given) {
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
  const auto check = [&](std::int64_t n) { return check_group(plans, whole, {n * group, n}, given, step); };
  const auto add = [&](const Findings& found) { take(all, found); };
  results::InOrder<Findings>(check, add).run(groups, threads::all_cores());
  return all;
}

}  // namespace

bool HeadCheck::agrees() const {
  return std::all_of(programs.begin(), programs.end(), [](const OfProgram& each) { return each.disagreeing == 0; });
}

std::int64_t checked_heads(const Request& request, std::int64_t most_scores) {
  const sim::Shape& shape = request.scenario.shape;
  const std::int64_t group = shape.heads / shape.kv_heads, all = sim::checked_multiply(shape.batch, shape.kv_heads);
  const std::int64_t fit = most_scores / sim::product(group, shape.seqlen_q, shape.seqlen_k);
  return group * (request.any_given() ? all : std::clamp<std::int64_t>(fit, 1, all));
}

HeadCheck check_heads(Request& request, const std::vector<std::string>& algorithms, std::int64_t most_scores) {
  const sim::Shape& shape = request.scenario.shape;
  const std::int64_t checked = checked_heads(request, most_scores);
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
  const std::int64_t groups = checked / (shape.heads / shape.kv_heads);
  Findings found = check_groups(plans, shape, groups, given ? &*given : nullptr);
  return {checked, sim::checked_multiply(shape.batch, shape.heads), std::move(found.allowed), found.widened,
          std::move(found.programs)};
}

}  // namespace terminal
