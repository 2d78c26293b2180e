#include "sim/model/published_memory.h"

namespace sim {
std::optional<PublishedMemory> published_memory(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  const Shape& s = scenario.shape;
  const bool measured = scenario.pass == Pass::forward_backward && size_of(scenario.dtype) == 2 &&
                        s.seqlen_q == s.seqlen_k && s.heads == s.kv_heads && s.head_dims().are_equal() &&
                        !s.mask.any() && !scenario.pattern.any() && scenario.dropout == 0;
  if (!measured) return std::nullopt;
  if (plan.code->published_memory == nullptr) return std::nullopt;
  return plan.code->published_memory(plan);
}

}  // namespace sim
