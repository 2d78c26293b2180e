// Scenarios as users type them: long, several heads, with or without the causal mask.
#pragma once
#include "tests/support/random_scenario.h"

namespace sim {

inline Scenario typed_scenario(Dice& dice, const std::string& algorithm, const char* gpu) {
  Scenario s;
  s.algorithm = algorithm;
  s.gpu = built_in_gpu(gpu);
  s.pass = all_passes(algorithm);
  s.shape.batch = dice.between(1, 4);
  s.shape.heads = s.shape.kv_heads = dice.between(1, 32);
  s.shape.seqlen_q = s.shape.seqlen_k = dice.one_in(2) ? std::int64_t{1} << dice.between(6, 17) : dice.between(1, 8192);
  s.shape.mask.causal = dice.one_in(2);
  return s;
}

}  // namespace sim
