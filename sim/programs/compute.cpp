// Computes the values of all heads.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/programs/head_tensors.h"

namespace sim {
namespace {

void append(std::vector<float>& all, std::span<const float> values) {
  all.insert(all.end(), values.begin(), values.end());
}

/// Appends L as the program stored it, or m + log l.
void append_log_sum_exp(std::vector<float>& all, const HeadTensors& tensors) {
  const auto L = tensors.values_of(Tensor::L), m = tensors.values_of(Tensor::m), l = tensors.values_of(Tensor::l);
  append(all, L);
  if (!L.empty()) return;
  for (std::size_t r = 0; r < l.size(); ++r) all.push_back(log_sum_exp(m[r], l[r]));
}

/// All launches that the results of a plan need, in order.
std::vector<const Launch*> launches_with_values(const Plan& plan) {
  std::vector<const Launch*> launches;
  for (const auto* sequence : {&plan.before, &plan.launches, &plan.if_needed}) {
    for (const Launch& launch : *sequence) launches.push_back(&launch);
  }
  return launches;
}

}  // namespace

float log_sum_exp(float m, float l) { return l == 0.0f ? -std::numeric_limits<float>::infinity() : m + std::log(l); }

AttentionOutputs compute(const Plan& plan, const AttentionInputs& inputs, Progress progress) {
  AttentionOutputs outputs;
  HeadTensors tensors(plan, inputs);
  const std::vector<const Launch*> launches = launches_with_values(plan);
  std::int64_t done = 0, all = 0;
  for (const Launch* launch : launches) all = checked_add(all, make_grid(plan.problem.shape, launch->grid).ctas());
  const auto report = [&] {
    if (progress != nullptr) progress(++done, all);
  };
  for (std::int64_t bundle = 0; bundle < tensors.bundles(); ++bundle) {
    tensors.select(bundle);
    for (const Launch* launch : launches) {
      const std::int64_t ctas = tensors.run(*launch, report);
      if (launch->needed != nullptr && launch->reads(Tensor::Q))
        outputs.recomputed_blocks += ctas / std::max<std::int64_t>(1, plan.problem.parts);
    }
    append(outputs.o, tensors.values_of(Tensor::O));
    append_log_sum_exp(outputs.log_sum_exp, tensors);
    append(outputs.d_q, tensors.values_of(Tensor::dQ));
    append(outputs.d_k, tensors.values_of(Tensor::dK));
    append(outputs.d_v, tensors.values_of(Tensor::dV));
  }
  return outputs;
}

std::optional<NonfiniteOrigin> nonfinite_origin(const Plan& plan, const AttentionInputs& inputs, std::int64_t head) {
  HeadTensors tensors(plan, inputs);
  tensors.select(head / tensors.group());
  FirstNonfinite first;
  for (const Launch* launch : launches_with_values(plan)) {
    tensors.run(
        *launch, [] {}, &first, head % tensors.group());
    if (first.found()) return NonfiniteOrigin{launch->name, launch->listing, first.line};
  }
  return std::nullopt;
}

}  // namespace sim
