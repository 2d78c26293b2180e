#include "viz/model/values/row_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace explorer {

RowReference::RowReference(const sim::Problem& problem, std::int64_t head, std::vector<std::int64_t> queries)
    : problem_(problem),
      head_(head),
      queries_(std::move(queries)),
      m_(queries_.size(), -std::numeric_limits<double>::infinity()),
      l_(queries_.size()),
      O_(queries_.size() * static_cast<std::size_t>(problem.shape.value_dim())) {
  for (std::size_t n = 0; n < queries_.size() && problem.has_sinks(); ++n) {
    m_[n] = static_cast<double>(problem.sinks->of(head, queries_[n]));
    l_[n] = std::isinf(m_[n]) ? 0 : 1;
  }
}

void RowReference::add(sim::Interval keys, sim::DrawnInputs& inputs) {
  for (std::size_t n = 0; n < queries_.size(); ++n) {
    for (const sim::Interval seen : problem_.shape.visible_parts(queries_[n], keys)) add_row(n, seen, inputs);
  }
}

/// Scores of a row, scaled and modified.
std::vector<double> RowReference::scores_of(std::size_t n, sim::Interval seen, sim::DrawnInputs& inputs) const {
  const auto d = static_cast<std::size_t>(problem_.shape.head_dim);
  const float* const q = inputs.Q.row(queries_[n]);
  std::vector<double> scores;
  for (std::int64_t key = seen.begin; key < seen.end; ++key) {
    const float* const k = inputs.K.row(key);
    double score = 0;
    for (std::size_t c = 0; c < d; ++c) score += static_cast<double>(q[c]) * static_cast<double>(k[c]);
    scores.push_back(score * static_cast<double>(problem_.scale));
  }
  if (problem_.modified()) problem_.score_steps->modify<double>(head_, queries_[n], seen, scores.data(), nullptr);
  return scores;
}

void RowReference::add_row(std::size_t n, sim::Interval seen, sim::DrawnInputs& inputs) {
  const auto dv = static_cast<std::size_t>(problem_.shape.value_dim());
  const sim::Dropout& dropout = problem_.dropout;
  std::vector<float> kept(static_cast<std::size_t>(seen.size()), 1.0f);
  if (dropout.any()) sim::keep_row(dropout, head_, queries_[n], seen, kept);
  const std::vector<double> scores = scores_of(n, seen, inputs);
  double *const O = O_.data() + n * dv, &m = m_[n], &l = l_[n];
  for (std::int64_t key = seen.begin; key < seen.end; ++key) {
    const float* const v = inputs.V.row(key);
    const double score = scores[static_cast<std::size_t>(key - seen.begin)];
    const double m_new = std::max(m, score), alpha = std::exp(m - m_new), weight = std::exp(score - m_new);
    const bool dropped = kept[static_cast<std::size_t>(key - seen.begin)] == 0.0f;
    const double part = dropped ? 0 : weight / (1 - dropout.probability);
    for (std::size_t c = 0; c < dv; ++c) O[c] = alpha * O[c] + part * static_cast<double>(v[c]);
    l = alpha * l + weight;
    m = m_new;
  }
}

std::vector<double> RowReference::errors(std::span<const float> O, std::int64_t first) const {
  const auto d = static_cast<std::size_t>(problem_.shape.value_dim());
  std::vector<double> largest(queries_.size());
  for (std::size_t n = 0; n < largest.size(); ++n) {
    for (std::size_t c = 0; c < d; ++c) {
      const double want = l_[n] == 0 ? 0 : O_[n * d + c] / l_[n];
      const double got = static_cast<double>(O[static_cast<std::size_t>(queries_[n] - first) * d + c]);
      largest[n] = std::max(largest[n], std::abs(got - want));
    }
  }
  return largest;
}

}  // namespace explorer
