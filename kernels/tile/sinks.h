// Attention sinks in a kernel: a key that comes first, whose score is its logit and whose value is 0, so that rows
// begin with m = sink and l = exp(sink - m). Matches sim/base/sinks.h.
#pragma once
#include "kernels/tile/score_steps.h"
#include "kernels/tile/tile_softmax.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Sinks that a CTA with rows i of a head reads: its head's, or one for each packed row.
__device__ inline Rows<float> sinks_of(const Arguments& a, std::int64_t head, Range i) {
  return numbers_of(a.sinks, a, head, i);
}

/// Bytes of shared memory for the sinks of a CTA over the keys.
inline std::int64_t sinks_bytes(const Arguments& a) { return a.adds_sinks ? numbers_bytes(a, a.br) : 0; }

/// m = max(m, sink), l = exp(sink - m)
__device__ inline void begin_with_sinks(Vec m, Vec l, Vec sinks) {
  each_row(m.rows, [&](auto r) {
    const float sink = sinks[sinks.rows > 1 ? r : 0];
    m[r] = fmaxf(m[r], sink);
    l[r] = exp_difference(sink, m[r]);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
