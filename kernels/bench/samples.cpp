#include "kernels/bench/samples.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "kernels/bench/sampled_rows.h"
#include "sim/model/numerics_rule.h"
#include "sim/model/simulation.h"

namespace bench {
namespace {

using sim::Interval;
using sim::Tensor;

// Samples of key rows of dK and dV, and their expected values, given the kernel's own L and O.

/// Compared elements at each position.
struct KeyGradients {
  std::vector<Compared> d_k, d_v;
};

constexpr std::int64_t keys_at_a_place = 8;

/// Rows of one query head: q, o, d_o (Nq, d) and L (Nq).
struct HeadRows {
  std::vector<float> q, o, d_o, L;
};

/// Results of the kernel in device memory, downloaded once.
struct Stored {
  std::vector<float> o, L, d_k, d_v;
};

HeadRows rows_of_head(const SamplePlace& place, std::int64_t head, const Stored& stored, DrawnInputs& drawn) {
  const Interval own = query_elements(place, head, {0, place.shape().seqlen_q});
  const std::int64_t d = place.shape().head_dim;
  return {drawn.floats(Tensor::Q, own), part(stored.o, own), drawn.floats(Tensor::dO, own),
          part(stored.L, {own.begin / d, own.end / d})};
}

template <class Number>
Number dot(const float* a, const float* b, std::int64_t d) {
  Number sum = 0;
  for (std::int64_t c = 0; c < d; ++c) sum += static_cast<Number>(a[c]) * static_cast<Number>(b[c]);
  return sum;
}

template <class Number>
void add_scaled(Number* to, Number factor, const float* row, std::int64_t d) {
  for (std::int64_t c = 0; c < d; ++c) to[c] += factor * static_cast<Number>(row[c]);
}

/// Adds a query head's part of dV and dK of one key; `stored` rounds P and dS as a kernel does.
template <class Number, class Rounding>
void add_head(Number* d_v, Number* d_k, const sim::Shape& s, Number scale, std::int64_t key, const float* k,
              const float* v, const HeadRows& head, const Rounding& stored) {
  const std::int64_t d = s.head_dim;
  for (std::int64_t q = 0; q < s.seqlen_q; ++q) {
    if (!s.visible(q, key)) continue;
    const float *q_row = &head.q[static_cast<std::size_t>(q * d)], *o = &head.o[static_cast<std::size_t>(q * d)],
                *d_o = &head.d_o[static_cast<std::size_t>(q * d)];
    const Number L = static_cast<Number>(head.L[static_cast<std::size_t>(q)]);
    const Number P = stored(std::exp(scale * dot<Number>(q_row, k, d) - L));
    const Number dS = stored(P * (dot<Number>(d_o, v, d) - dot<Number>(o, d_o, d)));
    add_scaled(d_v, P, d_o, d);
    add_scaled(d_k, scale * dS, q_row, d);
  }
}

/// dK and dV of the keys of one position.
template <class Number>
struct Gradients {
  std::vector<Number> d_k, d_v;
};

template <class Number, class Rounding>
Gradients<Number> gradients(const SamplePlace& place, const std::vector<HeadRows>& group, const std::vector<float>& k,
                            const std::vector<float>& v, const Rounding& stored) {
  const sim::Problem& problem = place.problem();
  const auto d = static_cast<std::size_t>(problem.shape.head_dim);
  Gradients<Number> sums{std::vector<Number>(k.size()), std::vector<Number>(k.size())};
  for (const HeadRows& head : group) {
    for (std::size_t n = 0; n < k.size(); n += d) {
      add_head(&sums.d_v[n], &sums.d_k[n], problem.shape, static_cast<Number>(problem.scale),
               place.elements.begin + static_cast<std::int64_t>(n / d), &k[n], &v[n], head, stored);
    }
  }
  return sums;
}

/// Query heads of the position's KV head.
std::vector<HeadRows> group_of(const SamplePlace& place, const Stored& stored, DrawnInputs& drawn) {
  const std::int64_t group = place.shape().heads / place.shape().kv_heads, first = place.kv_head() * group;
  std::vector<HeadRows> heads;
  for (std::int64_t h = first; h < first + group; ++h) heads.push_back(rows_of_head(place, h, stored, drawn));
  return heads;
}

void add_place(KeyGradients& all, const SamplePlace& place, const Stored& stored, DrawnInputs& drawn) {
  const std::vector<HeadRows> heads = group_of(place, stored, drawn);
  const Interval keys = key_elements(place, place.kv_head(), place.elements);
  const std::vector<float> k = drawn.floats(Tensor::K, keys), v = drawn.floats(Tensor::V, keys);
  const auto rounded = [&](float x) { return sim::round_to(place.problem().dtype, x); };
  Gradients<double> exact = gradients<double>(place, heads, k, v, [](double x) { return x; });
  Gradients<float> plain = gradients<float>(place, heads, k, v, rounded);
  for (auto* values : {&plain.d_k, &plain.d_v}) {
    for (float& value : *values) value = rounded(value);
  }
  all.d_k.push_back({part(stored.d_k, keys), std::move(exact.d_k), std::move(plain.d_k)});
  all.d_v.push_back({part(stored.d_v, keys), std::move(exact.d_v), std::move(plain.d_v)});
}

/// Compares dK and dV of 8 keys at each position with the formula: P = exp(scale q k^T - L), D = rowsum(O o dO),
/// dS = P o (dO V^T - D), and, summed over the query heads of the key's group, dV = P^T dO, dK = scale dS^T Q. L and O
/// are the kernel's; other samples check them. The plain formula rounds P and dS to the dtype.
KeyGradients compared_keys(const sim::Plan& plan, const kernels::Tensors& tensors, DrawnInputs& drawn) {
  const Stored stored{tensors.download(Tensor::O), tensors.download(Tensor::L), tensors.download(Tensor::dK),
                      tensors.download(Tensor::dV)};
  KeyGradients all;
  for (const SamplePlace& place : sample_places(plan, &sim::Shape::seqlen_k, keys_at_a_place)) {
    add_place(all, place, stored, drawn);
  }
  return all;
}

// All samples of a run.

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
  if (plan.problem.modified()) return "values are not compared with softcap or ALiBi";
  if (plan.problem.has_sinks()) return "values are not compared with sinks";
  if (mask.prefix > 0) return "values are not compared with a prefix";
  const bool ahead = (mask.window || mask.window_right) && !mask.causal;
  return ahead ? "values are not compared with a window that looks ahead" : "";
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
