// Decoding over steps (--steps T). The cache holds N keys; step t = 1..T appends one row of K and of V to it, and then
// each query attends to N + t keys.
//
// The plan of a run is that of its last step: Scenario::shape has its N + T keys. So tiles, packing, the number of
// parts and memory are those of the longest step, and an earlier step is that plan with fewer keys (with_keys). A run
// is a sum over steps, which follow one another: sim/model/steps.h.
//
// The steps are not planned one by one. If the query sees all keys, the counts of a step are linear in its keys, its
// pages and its key blocks, as long as the key blocks of a part and the number of parts that hold a key stay the same.
// So the key blocks that are added fall into runs. Over the blocks of a run, over the pages of a block and over the
// keys of a page, sums are arithmetic progressions: n / 2 times the first and the last of n terms, and the middle one
// if n is odd. Thus the sum over all steps is one over few of them, each of which stands for a number of steps, and it
// is exact. Tests compare it with the sum over every step. Under a mask that hides keys every step is counted; there
// may be 4,096 of them.
#pragma once
#include <functional>

#include "sim/programs/plan.h"

namespace sim {

inline constexpr std::int64_t most_steps = std::int64_t{1} << 20, most_masked_steps = 4096;

/// Returns the scenario of the last step alone, which appends nothing, on one GPU: what views show of a run over steps,
/// and of one on several GPUs.
inline Scenario last_step_of(Scenario scenario) {
  scenario.steps = 0;
  scenario.gpus = 1;
  return scenario;
}

/// Throws Error if an option contradicts --steps.
void check_steps(const Scenario& scenario);

/// The kernel that appends the new row of K and of V of each KV head to the cache: a CTA for each sequence.
Launch append_launch(const Problem& problem, const Tiling& tiling);

/// Calls visit(plan of a step, steps that it stands for) so that sums of counts over the visits are those over all
/// steps of the run, shortest first. Cost: that of a few plans for each key block.
void each_step(const Plan& plan, const std::function<void(const Plan&, std::int64_t times)>& visit);

}  // namespace sim
