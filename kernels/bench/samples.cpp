#include "kernels/bench/samples.h"

#include <algorithm>
#include <cstring>

#include "kernels/bench/sampled_keys.h"
#include "kernels/bench/sampled_rows.h"
#include "sim/model/numerics_rule.h"
#include "sim/model/simulation.h"

namespace bench {
namespace {

using sim::Tensor;

/// Memory is filled with bytes of 0xff, a NaN that no arithmetic makes.
std::int64_t unwritten_of(const std::vector<unsigned char>& bytes, std::int64_t element_bytes) {
  const std::vector<unsigned char> poison(static_cast<std::size_t>(element_bytes), 0xff);
  std::int64_t count = 0;
  for (std::size_t at = 0; at < bytes.size(); at += poison.size()) {
    count += std::memcmp(bytes.data() + at, poison.data(), poison.size()) == 0;
  }
  return count;
}

/// What the caller gets from the plan.
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
  if (into.samples == std::ssize(compared.kernel) || error - allowed > into.error - into.allowed) {
    into.error = error;
    into.allowed = allowed;
  }
}

std::string why_left_out(const sim::Plan& plan, const kernels::Tensors& tensors) {
  const sim::Mask& mask = plan.problem.shape.mask;
  if (plan.problem.dropout.any()) return "values are not compared under dropout";
  if (mask.window && !mask.causal) return "values are not compared with a window that looks ahead";
  if (plan.has_backward() && !tensors.has(Tensor::L)) return "dK and dV are not compared: the kernel stores no L";
  return "";
}

bool rows_can_be_compared(const sim::Plan& plan) {
  const sim::Mask& mask = plan.problem.shape.mask;
  return !plan.problem.dropout.any() && (!mask.window || mask.causal);
}

}  // namespace

bool Samples::ok() const {
  return std::all_of(tensors.begin(), tensors.end(), [](const SampledTensor& each) { return each.ok(); });
}

Samples sample(const Buffers& buffers, std::size_t set, DrawnInputs& inputs) {
  const sim::Plan& plan = buffers.plan();
  const kernels::Tensors& tensors = buffers.set(set);
  Samples samples{{}, why_left_out(plan, tensors)};
  for (const Tensor tensor : outputs_of(plan)) {
    SampledTensor result{tensor};
    result.unwritten = unwritten_of(tensors.download_bytes(tensor), size_of(tensors.dtype(tensor)));
    const bool of_keys = tensor == Tensor::dK || tensor == Tensor::dV;
    const double k = tensor == Tensor::O ? 2 : 3;
    if (!of_keys && rows_can_be_compared(plan)) {
      for (const Compared& each : compared_rows(plan, tensors, tensor, inputs))
        add(result, each, k, plan.problem.dtype);
    }
    if (of_keys && rows_can_be_compared(plan) && tensors.has(Tensor::L)) {
      for (const Compared& each : compared_keys(plan, tensors, tensor, inputs))
        add(result, each, k, plan.problem.dtype);
    }
    samples.tensors.push_back(result);
  }
  return samples;
}

}  // namespace bench
