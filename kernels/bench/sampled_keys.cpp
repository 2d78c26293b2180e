#include "kernels/bench/sampled_keys.h"

#include <cmath>

namespace bench {
namespace {

using sim::Interval;
using sim::Tensor;

constexpr std::int64_t keys_at_a_place = 8;

/// One query head: its rows of q, o, d_o (Nq, d) and L (Nq).
struct HeadRows {
  std::vector<float> q, o, d_o, L;
};

/// What the kernel left in device memory, downloaded once.
struct Stored {
  std::vector<float> o, L, result;
};

std::vector<float> part(const std::vector<float>& all, std::int64_t begin, std::int64_t size) {
  return {all.begin() + begin, all.begin() + begin + size};
}

HeadRows rows_of_head(const sim::Shape& s, std::int64_t head, const Stored& stored, DrawnInputs& drawn) {
  const std::int64_t size = s.seqlen_q * s.head_dim, first = head * size;
  const Interval own = {first, first + size};
  return {drawn.floats(Tensor::Q, own), part(stored.o, first, size), drawn.floats(Tensor::dO, own),
          part(stored.L, head * s.seqlen_q, s.seqlen_q)};
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

/// A query head's part of dV and dK of one key; `stored` is what a kernel rounds P and dS to.
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

/// dV, then dK, of the keys of one place.
template <class Number, class Rounding>
std::vector<Number> gradients(const sim::Problem& problem, const SamplePlace& place, const std::vector<HeadRows>& group,
                              const std::vector<float>& k, const std::vector<float>& v, const Rounding& stored) {
  const sim::Shape& s = problem.shape;
  const auto d = static_cast<std::size_t>(s.head_dim), size = static_cast<std::size_t>(place.elements.size()) * d;
  std::vector<Number> sums(2 * size);
  for (const HeadRows& head : group) {
    for (std::size_t n = 0; n < size; n += d) {
      add_head(&sums[n], &sums[size + n], s, static_cast<Number>(problem.scale),
               place.elements.begin + static_cast<std::int64_t>(n / d), &k[n], &v[n], head, stored);
    }
  }
  return sums;
}

/// The half of `gradients` that a tensor is.
template <class Number>
std::vector<Number> half(std::vector<Number> sums, Tensor tensor) {
  const auto middle = sums.begin() + std::ssize(sums) / 2;
  return tensor == Tensor::dV ? std::vector<Number>(sums.begin(), middle) : std::vector<Number>(middle, sums.end());
}

Compared compared_at(const SamplePlace& place, const sim::Problem& problem, Tensor tensor, const Stored& stored,
                     DrawnInputs& drawn) {
  const sim::Shape& s = problem.shape;
  const std::int64_t group = s.heads / s.kv_heads, batch = place.head / s.kv_heads,
                     first_head = batch * s.heads + place.head % s.kv_heads * group;
  std::vector<HeadRows> heads;
  for (std::int64_t h = 0; h < group; ++h) heads.push_back(rows_of_head(s, first_head + h, stored, drawn));
  const std::int64_t begin = (place.head * s.seqlen_k + place.elements.begin) * s.head_dim,
                     size = place.elements.size() * s.head_dim;
  const std::vector<float> k = drawn.floats(Tensor::K, {begin, begin + size}),
                           v = drawn.floats(Tensor::V, {begin, begin + size});
  const auto exact = [](double x) { return x; };
  const auto rounded = [&](float x) { return sim::round_to(problem.dtype, x); };
  std::vector<float> plain = half(gradients<float>(problem, place, heads, k, v, rounded), tensor);
  for (float& value : plain) value = rounded(value);
  return {part(stored.result, begin, size), half(gradients<double>(problem, place, heads, k, v, exact), tensor),
          std::move(plain)};
}

}  // namespace

std::vector<Compared> compared_keys(const sim::Plan& plan, const kernels::Tensors& tensors, Tensor tensor,
                                    DrawnInputs& drawn) {
  const sim::Shape& s = plan.problem.shape;
  const Stored stored{tensors.download(Tensor::O), tensors.download(Tensor::L), tensors.download(tensor)};
  std::vector<Compared> all;
  for (const SamplePlace& place : sample_places(s.batch * s.kv_heads, s.seqlen_k, keys_at_a_place)) {
    all.push_back(compared_at(place, plan.problem, tensor, stored, drawn));
  }
  return all;
}

}  // namespace bench
