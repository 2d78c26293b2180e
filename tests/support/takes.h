// Which programs take a scenario: most take all.
#pragma once
#include <algorithm>
#include <string>

#include "sim/programs/scenario.h"

namespace sim {

/// Whether the program leaves out tiles that a mask hides whole.
inline bool skips_tiles(const Scenario& s) { return s.algorithm != "standard" && s.algorithm != "fmha"; }

/// The scenario as the program takes it: fmha has at most 512 queries and keys, d = 64, two bytes, whole rows, of which
/// 32 fit.
inline Scenario within_limits(Scenario s) {
  if (s.algorithm != "fmha") return s;
  s.shape.seqlen_q = std::min<std::int64_t>(s.shape.seqlen_q, 512);
  s.shape.seqlen_k = std::min<std::int64_t>(s.shape.seqlen_k, 512);
  s.shape.mask.padding = std::min(s.shape.mask.padding, s.shape.seqlen_k);
  s.shape.head_dim = 64;
  if (s.dtype == Dtype::fp32) s.dtype = Dtype::bf16;
  s.br = s.br ? std::optional(std::min<std::int64_t>(*s.br, 32)) : std::nullopt;
  s.bc.reset();
  return s;
}

/// Whether the program takes the scenario as it is.
inline bool takes(const Scenario& s) {
  const Scenario within = within_limits(s);
  return within.shape == s.shape && within.dtype == s.dtype && within.br == s.br && within.bc == s.bc;
}

/// Why a scenario is refused; "" where it is not.
inline std::string complaint_about(const Scenario& s) {
  try {
    make_plan(s);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace sim
