// Scale, mask, softmax and its derivative on tiles in shared memory. One thread walks along a row to reduce it.
#pragma once
#include "kernels/tile/tile.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

__device__ inline void scale(Tile<float> S, float factor) {
  each(S.rows, S.cols, [&](auto r, auto c) { S.set(r, c, S(r, c) * factor); });
}

/// S = -inf if the key is hidden from the query
template <class T>
__device__ void mask(Tile<T> S, const Arguments& a, Range queries, Range keys) {
  each(S.rows, S.cols, [&](auto r, auto c) {
    if (!visible(a, queries.begin + r, keys.begin + c)) S.set(r, c, -dev::infinity());
  });
}

/// exp(x - m), 0 if x = -inf: a hidden key, or a row that saw nothing yet
__device__ inline float exp_difference(float x, float m) {
  constexpr float log2_e = 1.44269504088896341f;
  return x == -dev::infinity() ? 0.0f : dev::exp2((x - m) * log2_e);
}

/// x / l, 0 if the row saw nothing
__device__ inline float divide(float x, float l) { return l == 0 ? 0.0f : x / l; }

/// m = rowmax(S)
__device__ inline void row_max(Vec m, Tile<float> S) {
  each_row(S.rows, [&](auto r) {
    float largest = -dev::infinity();
    for (std::int32_t c = 0; c < S.cols; ++c) largest = fmaxf(largest, S(r, c));
    m[r] = largest;
  });
}

/// m' = max(m, rowmax(S))
__device__ inline void row_max(Vec m_new, Tile<float> S, Vec m) {
  each_row(S.rows, [&](auto r) {
    float largest = m[r];
    for (std::int32_t c = 0; c < S.cols; ++c) largest = fmaxf(largest, S(r, c));
    m_new[r] = largest;
  });
}

/// m' = max(m, m~)
__device__ inline void max(Vec m_new, Vec m, Vec m_tilde) {
  each_row(m_new.rows, [&](auto r) { m_new[r] = fmaxf(m[r], m_tilde[r]); });
}

/// alpha = exp(m - m')
__device__ inline void exp_sub_rows(Vec alpha, Vec m, Vec m_new) {
  each_row(m_new.rows, [&](auto r) { alpha[r] = exp_difference(m[r], m_new[r]); });
}

/// P = exp(S - m), in place
__device__ inline Tile<float> exp_sub(Tile<float> S, Vec m) {
  each(S.rows, S.cols, [&](auto r, auto c) { S.set(r, c, exp_difference(S(r, c), m[r])); });
  return S;
}

/// l = rowsum(P)
__device__ inline void row_sum(Vec l, Tile<float> P) {
  each_row(P.rows, [&](auto r) {
    float sum = 0;
    for (std::int32_t c = 0; c < P.cols; ++c) sum += P(r, c);
    l[r] = sum;
  });
}

/// l = alpha l + rowsum(P)
__device__ inline void add_row_sum(Vec l, Vec alpha, Tile<float> P) {
  each_row(P.rows, [&](auto r) {
    float sum = 0;
    for (std::int32_t c = 0; c < P.cols; ++c) sum += P(r, c);
    l[r] = alpha[r] * l[r] + sum;
  });
}

/// l' = alpha l + beta l~
__device__ inline void blend(Vec l_new, Vec alpha, Vec l, Vec beta, Vec l_tilde) {
  each_row(l_new.rows, [&](auto r) { l_new[r] = alpha[r] * l[r] + beta[r] * l_tilde[r]; });
}

/// O = diag(alpha) O
__device__ inline void scale_rows(Tile<float> O, Vec alpha) {
  each(O.rows, O.cols, [&](auto r, auto c) { O.set(r, c, O(r, c) * alpha[r]); });
}

/// O = diag(l)^-1 O, 0 for rows that saw nothing
__device__ inline void divide_rows(Tile<float> O, Vec l) {
  each(O.rows, O.cols, [&](auto r, auto c) { O.set(r, c, divide(O(r, c), l[r])); });
}

/// L = m + log l, -inf for rows that saw nothing
__device__ inline void log_sum_exp(Vec L, Vec m, Vec l) {
  each_row(L.rows, [&](auto r) { L[r] = l[r] == 0 ? -dev::infinity() : m[r] + dev::log(l[r]); });
}

/// D = rowsum(A o B), where an A = 0 adds nothing
template <class T>
__device__ void row_dot(Vec D, Tile<T> A, Tile<T> B) {
  each_row(A.rows, [&](auto r) {
    float sum = 0;
    for (std::int32_t c = 0; c < A.cols; ++c) sum = add_weighted(sum, A(r, c), B(r, c));
    D[r] = sum;
  });
}

/// p (dp - D), 0 where p = 0, whatever dp is: a hidden key has no gradient
__device__ inline float gradient_of_score(float p, float dp, float D) { return p == 0 ? 0.0f : p * (dp - D); }

/// dS = P o (dP - D), reusing the buffer of dP
__device__ inline Tile<float> jacobian(Tile<float> P, Tile<float> dP, Vec D) {
  each(P.rows, P.cols, [&](auto r, auto c) { dP.set(r, c, gradient_of_score(P(r, c), dP(r, c), D[r])); });
  return dP;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
