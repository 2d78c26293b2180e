// Scenarios that a program accepts: most programs accept all.
#pragma once
#include <algorithm>
#include <string>

#include "sim/programs/scenario.h"

namespace sim {

/// True if the program skips fully masked tiles.
inline bool skips_tiles(const Scenario& s) { return s.algorithm != "standard" && s.algorithm != "fmha"; }

/// Returns the scenario adapted to the limits of its program: fmha has at most 512 queries and keys, d = 64, a two-byte
/// dtype, and tiles of whole rows, at most 32.
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

/// True if the program accepts the scenario unchanged.
inline bool takes(const Scenario& s) {
  const Scenario within = within_limits(s);
  return within.shape == s.shape && within.dtype == s.dtype && within.br == s.br && within.bc == s.bc;
}

/// Returns the error for a scenario that is rejected, else "".
inline std::string complaint_about(const Scenario& s) {
  try {
    make_plan(s);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace sim
