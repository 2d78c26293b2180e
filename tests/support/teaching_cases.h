// Shapes, masks, tiles and dtypes on which each family of teaching kernels is checked, all passes at once.
#pragma once
#include <string>

#include "tests/support/kernel_check.h"
#include "tests/support/random_scenario.h"

namespace teaching_cases {

inline sim::Scenario scenario(const std::string& algorithm, std::int64_t n, std::int64_t d,
                              sim::Dtype dtype = sim::Dtype::fp32) {
  sim::Scenario scenario;
  scenario.algorithm = algorithm;
  scenario.pass = sim::all_passes(algorithm);
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = n;
  scenario.shape.head_dim = d;
  scenario.dtype = dtype;
  scenario.seed = 7;
  return scenario;
}

inline void lengths(const std::string& algorithm) {
  for (const std::int64_t n : {1, 7, 64, 113, 129}) kernel_check::values(algorithm, scenario(algorithm, n, 32));
}

inline void dtypes(const std::string& algorithm) {
  for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16, sim::Dtype::fp32}) {
    sim::Scenario s = scenario(algorithm, 40, 40, dtype);
    s.shape.batch = s.shape.kv_heads = 2;
    s.shape.heads = 4;
    s.dropout = 0.1;
    kernel_check::values(algorithm, s);
  }
}

/// All head dimensions in steps of 8, with tails.
inline void head_dimensions(const std::string& algorithm) {
  for (std::int64_t d = 8; d <= 256; d += 8) {
    sim::Scenario s = scenario(algorithm, 18, d, d % 16 == 0 ? sim::Dtype::fp16 : sim::Dtype::fp32);
    s.br = s.bc = 16;
    kernel_check::values(algorithm, s);
  }
}

/// All masks on short and long axes, with grouped heads, and with dropout if there is padding.
inline void masks(const std::string& algorithm) {
  using sim::Mask;
  const std::pair<std::int64_t, std::int64_t> lengths[] = {{1, 39}, {25, 43}, {43, 25}, {39, 1}, {40, 40}};
  for (const auto& [nq, nk] : lengths) {
    for (const Mask& mask :
         {Mask{true, 0, {}}, Mask{false, 1, {}}, Mask{true, 0, 13}, Mask{false, 0, 0}, Mask{true, 1, 9}}) {
      sim::Scenario s = scenario(algorithm, 1, 8);
      s.shape = {1, 2, 1, nq, nk, 8, mask};
      s.br = s.bc = 16;
      if (mask.padding == 1) s.dropout = 0.3;
      kernel_check::values(algorithm, s);
    }
  }
}

/// Tiles of odd sizes, of one row, and larger than the axes.
inline void tiles(const std::string& algorithm) {
  for (const auto& [br, bc] : {std::pair<std::int64_t, std::int64_t>{24, 20}, {1, 40}, {40, 1}, {64, 96}}) {
    sim::Scenario s = scenario(algorithm, 50, 8);
    s.shape.mask.causal = true;
    s.dropout = 0.2;
    s.br = br;
    s.bc = bc;
    kernel_check::values(algorithm, s);
  }
}

}  // namespace teaching_cases
