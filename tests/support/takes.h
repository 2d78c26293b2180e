// Scenarios that a program accepts: most programs accept all.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/programs/plan.h"

namespace sim {

/// Names of the programs that take any number of queries: all but paged-attention, which has tests of its own.
inline std::vector<std::string> names_with_queries() {
  std::vector<std::string> names = program_names();
  std::erase(names, "paged-attention");
  return names;
}

/// True if the program skips fully masked tiles.
inline bool skips_tiles(const Scenario& s) { return s.algorithm != "standard" && s.algorithm != "fmha"; }

/// The backward pass of flash3 has one head dimension, and tiles of 64 keys for each consumer.
inline Scenario within_limits_of_flash3_backward(Scenario s) {
  s.shape.head_dim_v.reset();
  const bool wide = s.shape.head_dim > 128;
  if (s.br) s.br = wide ? 64 : std::min<std::int64_t>(*s.br, s.shape.head_dim > 64 ? 64 : 128);
  if (s.bc) s.bc = 64 * std::clamp<std::int64_t>(ceil_div(*s.bc, 64), 1, 2);
  if (wide) s.bc.reset();
  return s;
}

/// flash3 has tiles of whole warpgroups and of wgmma's columns, d up to 256, a two-byte dtype, neither dropout nor a
/// pattern, and a GPU with wgmma.
inline Scenario within_limits_of_flash3(Scenario s) {
  const std::string& architecture = s.gpu->architecture;
  if (architecture != "sm_90" && architecture != "sm_100") s.gpu = built_in_gpu("h100-sxm");
  if (s.dtype == Dtype::fp32) s.dtype = Dtype::bf16;
  s.dropout = 0;
  s.pattern = {};
  if (s.tiling == TilingRule::paper) s.tiling = TilingRule::kernel;
  s.sram.reset();
  s.shape.head_dim = std::min<std::int64_t>(s.shape.head_dim, 256);
  if (s.shape.head_dim > 64 || s.shape.value_dim() > 256) s.shape.head_dim_v.reset();
  const bool wide = s.shape.head_dim > 128;  // fewer tiles fit
  if (s.br) s.br = 64 * std::clamp<std::int64_t>(ceil_div(*s.br, 64), 1, wide ? 2 : 3);
  if (s.bc) s.bc = 16 * std::clamp<std::int64_t>(ceil_div(*s.bc, 16), 1, wide ? 4 : 8);
  return s.pass == Pass::forward ? s : within_limits_of_flash3_backward(std::move(s));
}

/// paged-attention has one query of each sequence, which sees all keys, pages as tiles, and equal head dimensions. Its
/// parts are version 2's unless whole pages of a random size do not divide them.
inline Scenario within_limits_of_pages(Scenario s) {
  s.shape.seqlen_q = 1;
  s.shape.head_dim_v.reset();
  s.shape.mask = {.causal = s.shape.mask.causal};
  s.dropout = 0;
  s.pattern = {};
  s.pass = Pass::forward;
  s.br.reset();
  if (s.bc) s.page_size = std::exchange(s.bc, std::nullopt);
  const std::int64_t rows = s.page_size.value_or(16);
  if (512 % rows != 0 && !s.own.contains("partition")) s.own["partition"] = 2 * rows;
  return s;
}

/// Returns the scenario adapted to what V as the first columns of K takes: no more columns than K has, forward.
inline Scenario within_limits_of_shared(Scenario s) {
  if (s.shape.value_dim() > s.shape.head_dim) s.shape.head_dim_v = s.shape.head_dim;
  s.pass = Pass::forward;
  return s;
}

/// Returns the scenario adapted to the limits of its program: fmha has at most 512 queries and keys, d = 64, a two-byte
/// dtype, and tiles of whole rows, at most 32.
inline Scenario within_limits(Scenario s) {
  if (s.algorithm == "flash3") return within_limits_of_flash3(std::move(s));
  if (s.algorithm == "paged-attention") return within_limits_of_pages(std::move(s));
  if (s.algorithm == "mla-decode") s.shape.kv_heads = 1, s.shape.kv_shared = true;
  if (s.shape.kv_shared) return within_limits_of_shared(std::move(s));
  if (s.algorithm != "fmha") return s;
  s.shape.seqlen_q = std::min<std::int64_t>(s.shape.seqlen_q, 512);
  s.shape.seqlen_k = std::min<std::int64_t>(s.shape.seqlen_k, 512);
  s.shape.mask.padding = std::min(s.shape.mask.padding, s.shape.seqlen_k);
  s.shape.head_dim = 64;
  s.shape.head_dim_v.reset();
  if (s.dtype == Dtype::fp32) s.dtype = Dtype::bf16;
  s.br = s.br ? std::optional(std::min<std::int64_t>(*s.br, 32)) : std::nullopt;
  s.bc.reset();
  return s;
}

/// True if the program accepts the scenario unchanged.
inline bool takes(const Scenario& s) {
  const Scenario within = within_limits(s);
  return within.shape == s.shape && within.dtype == s.dtype && within.br == s.br && within.bc == s.bc &&
         within.gpu == s.gpu && within.dropout == s.dropout && within.tiling == s.tiling && within.pass == s.pass &&
         within.pattern.any() == s.pattern.any();
}

/// Returns the error for a scenario that is rejected, else "".
inline std::string scenario_error(const Scenario& s) {
  try {
    make_plan(s);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace sim
