// The arithmetic of the verbs on plain row-major values, in fp32 as the kernels compute.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/dropout.h"
#include "sim/base/shape.h"

namespace sim::math {

using Values = std::vector<float>;

/// C (m, n) (+)= A (m, k) B (n, k)^T.
void gemm_nt(Values& c, const Values& a, const Values& b, std::int64_t m, std::int64_t n, std::int64_t k, bool add);

/// C (m, n) (+)= A (m, k) B (k, n). With `skip_zeros`, elements a = 0 contribute nothing even against inf or NaN in B.
void gemm_nn(Values& c, const Values& a, const Values& b, std::int64_t m, std::int64_t n, std::int64_t k, bool add,
             bool skip_zeros);

/// C (m, n) += A (k, m)^T B (k, n), with `skip_zeros` as above.
void gemm_tn(Values& c, const Values& a, const Values& b, std::int64_t m, std::int64_t n, std::int64_t k,
             bool skip_zeros);

/// Row-wise on a (rows, cols) tile; `v` holds one number per row.
void row_max(Values& result, const Values& s, std::int64_t cols);  ///< result = max(result, rowmax(s))
void row_sum(Values& result, const Values& p, std::int64_t cols);  ///< result += rowsum(p)
void exp_sub(Values& s, const Values& v, std::int64_t cols);       ///< s = exp(s - v), 0 where s = -inf
/// Returns exp(-factor |x - z|^2) of each row x of X and each row z of Z, of d numbers each.
Values gaussian(const Values& X, const Values& Z, std::int64_t d, float factor);
void row_all(Values& result, const Values& z, std::int64_t cols);  ///< result = 0 where z has a 0 in that row
void clear_rows(Values& p, const Values& v, std::int64_t cols);    ///< p = 0 in rows where v is not 0
void scale_rows(Values& o, const Values& v, std::int64_t cols);    ///< o = diag(v) o
void divide_rows(Values& o, const Values& v, std::int64_t cols);   ///< o = diag(v)^-1 o, 0 where v = 0
/// o = diag(l_new)^-1 (diag(alpha l) o + diag(beta) pv), 0 where l_new = 0.
void blend(Values& o, const Values& alpha, const Values& l, const Values& pv, const Values& beta, const Values& l_new,
           std::int64_t cols);
/// o += diag(v) part
void add_scaled(Values& o, const Values& v, const Values& part, std::int64_t cols);

/// result += rowsum(a o b), with `skip_zeros` as above.
void row_dot(Values& result, const Values& a, const Values& b, std::int64_t cols, bool skip_zeros);
/// dp = p o (dp - d); 0 where p = 0, whatever dp is: a hidden key has no gradient.
void jacobian(Values& dp, const Values& p, const Values& d, std::int64_t cols);

void multiply(Values& dp, const Values& p);  ///< dp = p o dp; 0 where p = 0, whatever dp is
/// t = t - diag(d) p.
void jacobian_of_product(Values& t, const Values& p, const Values& d, std::int64_t cols);

/// The dropout mask of tile (queries, keys) of a head: 1 kept, 0 dropped.
Values keep_mask(const Dropout& dropout, std::int64_t head, Interval queries, Interval keys);
/// p = keep o p * factor; 0 where dropped, whatever p is.
void apply_keep(Values& p, const Values& keep, float factor);

/// Hides the pairs of tile (queries, keys) that the mask hides: -inf.
void apply_mask(Values& s, const Shape& shape, Interval queries, Interval keys);

}  // namespace sim::math
