#include "kernels/bench/samples.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "kernels/bench/sampled_keys.h"
#include "kernels/bench/sampled_rows.h"
#include "sim/model/numerics_rule.h"
#include "sim/model/simulation.h"

namespace bench {
namespace {

using sim::Tensor;

/// Counts elements that still hold bytes of 0xff, a NaN that no arithmetic produces.
std::int64_t unwritten_of(const std::vector<unsigned char>& bytes, std::int64_t element_bytes) {
  const std::vector<unsigned char> poison(static_cast<std::size_t>(element_bytes), 0xff);
  std::int64_t count = 0;
  for (std::size_t at = 0; at < bytes.size(); at += poison.size()) {
    count += std::memcmp(bytes.data() + at, poison.data(), poison.size()) == 0;
  }
  return count;
}

/// Outputs that the plan returns to the caller.
std::vector<Tensor> outputs_of(const sim::Plan& plan) {
  std::vector<Tensor> outputs;
  if (plan.has_forward()) outputs.push_back(Tensor::O);
  if (plan.has_backward()) outputs.insert(outputs.end(), {Tensor::dQ, Tensor::dK, Tensor::dV});
  return outputs;
}

void add(SampledTensor& into, const Compared& compared, double k, sim::Dtype dtype) {
  const auto worst = [&](const std::vector<float>& values) {
    return sim::check_values(values, compared.reference).max_abs_error;
  };
  const double error = worst(compared.kernel);
  const double allowed = sim::numerics::bound(k, worst(compared.plain), compared.reference, dtype);
  into.samples += std::ssize(compared.kernel);
  const bool first = into.samples == std::ssize(compared.kernel), bounded = std::isfinite(allowed);
  if (first || (into.within() && (!bounded || !(error - allowed <= into.error - into.allowed)))) {
    into.error = error;
    into.allowed = allowed;
  }
}

/// Reason why no values can be compared; "" if they can.
std::string why_no_values(const sim::Plan& plan) {
  const sim::Mask& mask = plan.problem.shape.mask;
  if (plan.problem.dropout.any()) return "values are not compared under dropout";
  return mask.window && !mask.causal ? "values are not compared with a window that looks ahead" : "";
}

/// Samples of every output that has some.
std::map<Tensor, std::vector<Compared>> compared_values(const sim::Plan& plan, const kernels::Tensors& tensors,
                                                        DrawnInputs& inputs, std::string& left_out) {
  std::map<Tensor, std::vector<Compared>> compared;
  left_out = why_no_values(plan);
  if (!left_out.empty()) return compared;
  if (plan.has_forward()) compared[Tensor::O] = compared_rows(plan, tensors, Tensor::O, inputs);
  if (!plan.has_backward()) return compared;
  compared[Tensor::dQ] = compared_rows(plan, tensors, Tensor::dQ, inputs);
  if (tensors.has(Tensor::L)) {
    KeyGradients keys = compared_keys(plan, tensors, inputs);
    compared[Tensor::dK] = std::move(keys.d_k);
    compared[Tensor::dV] = std::move(keys.d_v);
  } else {
    left_out = "dK and dV are not compared: the kernel stores no L";
  }
  return compared;
}

}  // namespace

bool Samples::ok() const {
  return std::all_of(tensors.begin(), tensors.end(), [](const SampledTensor& each) { return each.ok(); });
}

Samples sample(const Buffers& buffers, std::size_t set, DrawnInputs& inputs) {
  const sim::Plan& plan = buffers.plan();
  const kernels::Tensors& tensors = buffers.set(set);
  Samples samples;
  auto compared = compared_values(plan, tensors, inputs, samples.left_out);
  for (const Tensor tensor : outputs_of(plan)) {
    SampledTensor result{tensor};
    result.unwritten = unwritten_of(tensors.download_bytes(tensor), size_of(tensors.dtype(tensor)));
    const double k = tensor == Tensor::O ? 2 : 3;
    for (const Compared& each : compared[tensor]) add(result, each, k, plan.problem.dtype);
    samples.tensors.push_back(result);
  }
  return samples;
}

}  // namespace bench
