// The CTA that index tests use: a row block in the middle of a causal head, tiles of 64 x 64.
#pragma once
#include "viz/model/run.h"

inline std::shared_ptr<const explorer::Replay> replay_of(const char* algorithm, std::int64_t seqlen) {
  sim::Scenario scenario;
  scenario.algorithm = algorithm;
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = seqlen;
  scenario.shape.mask.causal = true;
  scenario.br = scenario.bc = 64;
  return explorer::make_replay(explorer::make_run(scenario)->simulation, 0, {0, 0, 5, 0});
}
