// The numerics rule: the largest error allowed for a kernel in a 16-bit dtype.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>

#include "sim/base/dtype.h"

namespace sim::numerics {

/// Returns 2 max |(r + 0.3 - 0.3) - r|, with r = the finite reference values in `dtype` and every step rounded to it:
/// the cost of two roundings of numbers of this size.
inline double rounding_error(std::span<const double> reference, Dtype dtype) {
  float worst = 0;
  for (const double exact : reference) {
    if (!std::isfinite(exact)) continue;
    const float r = round_to(dtype, static_cast<float>(exact));
    const float there = round_to(dtype, r + 0.3f);
    const float back = round_to(dtype, there - 0.3f);
    worst = std::max(worst, std::abs(back - r));
  }
  return 2.0 * static_cast<double>(worst);
}

/// Returns the largest error that passes: k * plain_error + rounding_error + 1e-5, where plain_error is the error of
/// the plain formula in the same dtype (attention_plain) against the same reference; k = 2 forward, 3 for gradients.
/// Source: FlashAttention's tests: (out - out_ref).abs().max() <= 2 * (out_pt - out_ref).abs().max() + atol in
/// tests/test_flash_attn.py (3 x for dq, dk, dv), and fwd_atol = 2 * (out_ref + 0.3 - 0.3 - out_ref).abs().max() in
/// hopper/test_flash_attn.py.
inline double bound(double k, double plain_error, double rounding) { return k * plain_error + rounding + 1e-5; }
inline double bound(double k, double plain_error, std::span<const double> reference, Dtype dtype) {
  return bound(k, plain_error, rounding_error(reference, dtype));
}

}  // namespace sim::numerics
